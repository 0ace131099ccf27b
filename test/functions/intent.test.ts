/** Goal: intents that settle inside their POST. Rulings 39 and 45 to 52. */
import { describe, expect, test } from 'vitest';
import {
  claimOf,
  type Item,
  type Json,
  newKey,
  newLedger,
  outcomeOf,
  signed,
  unique,
} from '../fixture/client.ts';
import { fundedIn, walletsIn } from '../fixture/payment.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();
const usd = 'usd';

const ledger = await newLedger(await sharedHome(), key);
await ledger.make('symbols', { handle: usd, factor: 100 }, key);

const wallets = (count: number) => walletsIn(ledger, key, count);
const funded = (amount: number) => fundedIn(ledger, key, amount);

/** What the ledger said, proof by proof, after the author's. */
function wordsOf({ meta }: Item): Json[] {
  expect(meta.proofs[0]?.public).toBe(key.public);
  const words = meta.proofs.slice(1);
  for (const proof of words) expect(proof).toMatchObject({ signer: 'system', public: ledger.key });
  return words.map(({ custom }) => custom ?? {});
}

describe('proofs of an intent', () => {
  test('a settled one says pending, each entry, prepared, committed, completed', async () => {
    const [alice, bob] = await funded(100);
    const intent = await ledger.settle(
      key,
      `transfer ${alice} ${bob} 60 usd`,
      `issue ${bob} 5 usd`,
      `destroy ${alice} 7 usd`,
    );
    const { luid, meta } = intent;
    expect(meta).toMatchObject({ status: 'completed', owners: [key.public] });
    const { moment } = meta;
    const resolved = (schema: string, wallet: string, amount: number, input: number) => ({
      handle: expect.stringMatching(schema === 'debit' ? /^deb_[-\w]{17}$/ : /^cre_[-\w]{17}$/),
      status: 'resolved',
      schema,
      wallet,
      symbol: usd,
      amount,
      inputs: [input],
      moment,
    });
    const words = wordsOf(intent);
    expect(words).toEqual([
      { luid, status: 'pending', moment },
      resolved('debit', alice, 60, 0),
      resolved('credit', bob, 60, 0),
      resolved('credit', bob, 5, 1),
      resolved('debit', alice, 7, 2),
      { status: 'prepared', moment },
      { status: 'committed', moment },
      { status: 'completed', moment },
    ]);
    const handles = words.flatMap(({ handle }) => handle ?? []);
    expect(new Set(handles).size).toBe(4);
  });

  test('a refused one says pending, failed and why, aborted, rejected', async () => {
    const [alice, bob] = await funded(100);
    const intent = await ledger.settle(key, `transfer ${alice} ${bob} 101 usd`);
    const { luid, meta } = intent;
    const { moment } = meta;
    expect(meta.status).toBe('rejected');
    expect(wordsOf(intent)).toEqual([
      { luid, status: 'pending', moment },
      { status: 'failed', reason: 'core.insufficient-balance', detail: expect.any(String), moment },
      { status: 'aborted', moment },
      { status: 'rejected', moment },
    ]);
    expect(await ledger.balances(alice)).toEqual({ usd: '100' });
    expect(await ledger.balances(bob)).toEqual({});
  });

  test('each status is one change', async () => {
    const [alice] = await funded(100);
    const settled = await ledger.settle(key, `destroy ${alice} 1 usd`);
    const refused = await ledger.settle(key, `destroy ${alice} 100 usd`);
    const historyOf = async ({ luid, data }: Item) => {
      const { items, page } = await ledger.get(`/intents/${luid}/changes`);
      expect(page.total).toBe(4);
      expect((await ledger.get(`/intents/${data.handle}/changes/2`)).body).toEqual(items[2]);
      const oldestFirst = [...items].reverse();
      expect(oldestFirst.map(({ meta }) => [meta.change, meta.action])).toEqual([
        [1, 'create'],
        [2, 'update'],
        [3, 'update'],
        [4, 'update'],
      ]);
      return oldestFirst.map(({ meta }) => [meta.status, meta.proofs.length]);
    };
    expect(await historyOf(settled)).toEqual([
      ['pending', 2],
      ['prepared', 4],
      ['committed', 5],
      ['completed', 6],
    ]);
    expect(await historyOf(refused)).toEqual([
      ['pending', 2],
      ['failed', 3],
      ['aborted', 4],
      ['rejected', 5],
    ]);
  });

  test('an intent is read as it was answered, by handle and luid', async () => {
    const [alice] = await funded(1);
    const intent = await ledger.settle(key, `destroy ${alice} 1 usd`);
    for (const id of [intent.luid, intent.data.handle])
      expect((await ledger.get(`/intents/${id}`)).body).toEqual(intent);
    expect(intent.luid).toMatch(/^\$int\./);
  });
});

test('a handle that is taken tells what became of the intent that has it, Ruling 52', async () => {
  const [alice, bob] = await funded(100);
  const claims = [claimOf(`transfer ${alice} ${bob} 60 usd`)];
  const rows = [
    [signed({ handle: unique('done'), claims }, key), 'completed'],
    [signed({ handle: unique('refused'), claims }, key), 'rejected'],
    [signed({ handle: unique('held'), claims, config: { commit: 'manual' } }, key), 'prepared'],
  ] as const;
  for (const [body, status] of rows) {
    if (status === 'prepared') await ledger.settle(key, `issue ${alice} 60 usd`);
    const { luid, hash, meta } = (await ledger.post('/intents', body)).body;
    expect(meta.status).toBe(status);
    const other = signed({ ...body.data, custom: { n: 1 } }, key);
    for (const again of [body, other]) {
      const reply = await ledger.post('/intents', again);
      expect([reply.status, reply.custom]).toEqual([409, { luid, hash, status }]);
    }
  }
});

describe('what an intent may not do', () => {
  test('each refusal has its reason', async () => {
    const [alice, bob] = await funded(10);
    const rows: [string, unknown][] = [
      [`transfer ${alice} ${bob} 11 usd`, 'core.insufficient-balance'],
      [`destroy ${bob} 1 usd`, 'core.insufficient-balance'],
      [`transfer ${alice} nobody 1 usd`, 'core.target-invalid'],
      [`issue nobody 1 usd`, 'core.target-invalid'],
      [`transfer nobody ${alice} 1 usd`, 'core.source-invalid'],
      [`destroy nobody 1 usd`, 'core.source-invalid'],
      [`transfer ${alice} ${bob} 1 nothing`, 'core.symbol-invalid'],
      [`issue ${alice} 1 nothing`, 'core.symbol-invalid'],
      [`transfer ${alice} ${bob} 10 usd`, 'completed'],
      [`transfer ${bob} ${bob} 11 usd`, 'core.insufficient-balance'],
      [`transfer ${bob} ${bob} 10 usd`, 'completed'],
    ];
    for (const [claim, outcome] of rows)
      expect([claim, outcomeOf(await ledger.settle(key, claim))]).toEqual([claim, outcome]);
    expect([await ledger.balances(alice), await ledger.balances(bob)]).toEqual([
      { usd: '0' },
      { usd: '10' },
    ]);
  });

  test('it is all or nothing, and a credit does not cover a debit', async () => {
    const [alice, bob] = await funded(10);
    const intents = [
      [`transfer ${alice} ${bob} 5 usd`, `transfer ${alice} ${bob} 6 usd`],
      [`transfer ${alice} ${bob} 5 usd`, `issue nobody 1 usd`],
      [`issue ${bob} 5 usd`, `transfer ${bob} ${alice} 5 usd`],
    ];
    for (const claims of intents)
      expect((await ledger.settle(key, ...claims)).meta.status).toBe('rejected');
    expect([await ledger.balances(alice), await ledger.balances(bob)]).toEqual([{ usd: '10' }, {}]);
  });

  test.each([
    ['no claims', { claims: [] }],
    ['41 claims', { claims: Array.from({ length: 41 }, () => claimOf('issue a 1 usd')) }],
    ['an amount of 0', { claims: [claimOf('issue a 0 usd')] }],
    ['a negative amount', { claims: [claimOf('issue a -1 usd')] }],
    ['half a unit', { claims: [claimOf('issue a 0.5 usd')] }],
    ['an amount as text', { claims: [{ ...claimOf('issue a 1 usd'), amount: '1' }] }],
    ['an unknown action', { claims: [{ ...claimOf('issue a 1 usd'), action: 'print' }] }],
    ['an issue with a source', { claims: [{ ...claimOf('issue a 1 usd'), source: 'b' }] }],
    [
      'a transfer without a target',
      { claims: [{ action: 'transfer', source: 'a', symbol: 'usd', amount: 1 }] },
    ],
    ['a target that is a list', { claims: [{ ...claimOf('issue a 1 usd'), target: ['a'] }] }],
    ['a parent', { claims: [claimOf('issue a 1 usd')], parent: '0'.repeat(64) }],
  ])('%s is no intent', async (_, data) => {
    const reply = await ledger.post('/intents', signed({ handle: unique('intent'), ...data }, key));
    expect([reply.status, reply.reason]).toEqual([422, 'record.schema-invalid']);
  });

  test('amounts that look otherwise on the wire are what they are', async () => {
    const [alice] = await wallets(1);
    const data = { handle: unique('intent'), claims: [claimOf(`issue ${alice} 1000 usd`)] };
    const text = JSON.stringify(signed(data, key)).replace('"amount":1000', '"amount":1.0e3');
    expect((await ledger.post('/intents', new TextEncoder().encode(text))).body.meta.status).toBe(
      'completed',
    );
    expect(await ledger.balances(alice ?? '')).toEqual({ usd: '1000' });
  });
});

test('parties may carry the notes of their author, and are echoed as sent', async () => {
  const [alice, bob] = await funded(5);
  const claim = {
    action: 'transfer',
    source: { handle: alice, custom: { memo: 'rent' } },
    target: { handle: bob },
    symbol: { handle: usd, custom: {} },
    amount: 5,
  };
  const data = {
    handle: unique('intent'),
    schema: 'rent',
    claims: [claim],
    config: { commit: 'auto' },
    custom: { month: 7 },
  };
  const intent = await ledger.make('intents', data, key);
  expect([intent.meta.status, intent.data]).toEqual(['completed', data]);
  expect(wordsOf(intent)[1]).toMatchObject({ wallet: alice, symbol: usd });
  expect(await ledger.balances(bob)).toEqual({ usd: '5' });
});
