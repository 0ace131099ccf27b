/**
 * Goal: a batch of intents is each of them by itself, or all of them or none; sent again it answers the same.
 * Ruling 90.
 */
import { describe, expect, test } from 'vitest';
import {
  active,
  type Body,
  type Item,
  type Json,
  newKey,
  newLedger,
  proofOf,
  type Reply,
} from '../fixture/client.ts';
import { ann, byKey, houseOf, outcome, owner, wallet } from '../fixture/house.ts';
import { furnished, intentBody, sendBatch, walletsIn } from '../fixture/payment.ts';
import { nowhere } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const home = await sharedHome();
const key = newKey();

const bodyOf = (claims: readonly string[], more: Json = {}, keys = [key]): Body =>
  intentBody(claims, keys, more);
/** Of each line the status, and the reason of an error or the status of the intent. */
const linesOf = ({ items }: Reply) =>
  items.map((item) => {
    const { status, data, meta } = item as Item & { readonly status: number };
    return [status, data['reason'] ?? meta.status];
  });
const errorsOf = ({ custom }: Reply) =>
  (custom['errors'] as Json[]).map(({ index, reason }) => [index, reason]);

const bank = async () => furnished(await newLedger(home, key), key, ['a', 'b', 'c']);

describe('an independent batch', () => {
  test('answers each intent as its own create would, in their order', async () => {
    const ledger = await bank();
    const fine = bodyOf(['transfer a b 10 usd']);
    const taken = bodyOf(['transfer a b 1 usd']);
    await ledger.settle(key, 'transfer a b 1 usd');
    await ledger.post('/intents', bodyOf(['issue a 1 usd'], { handle: taken.data['handle'] }));
    const reply = await sendBatch(ledger, 'independent', [
      fine,
      bodyOf(['transfer a b 1000 usd']),
      taken,
      bodyOf(['transfer a b 0 usd']),
      { ...bodyOf(['transfer a b 1 usd']), hash: '0'.repeat(64) },
      { ...bodyOf(['transfer a b 1 usd']), meta: { proofs: [] } },
      'nothing',
      bodyOf(['transfer a c 5 usd']),
    ]);
    expect(reply.status).toBe(200);
    expect(linesOf(reply)).toEqual([
      [201, 'completed'],
      [201, 'rejected'],
      [409, 'record.duplicated'],
      [422, 'record.schema-invalid'],
      [422, 'crypto.hash-invalid'],
      [422, 'crypto.signature-missing'],
      [422, 'record.schema-invalid'],
      [201, 'completed'],
    ]);
    expect(reply.items[0]?.data).toEqual(fine.data);
    expect(await ledger.balances('c')).toEqual({ usd: '5' });
  });

  test('lets each spend what those before it brought to its wallet', async () => {
    const ledger = await bank();
    const handles = ['a', ...(await walletsIn(ledger, key, 30))];
    const chain = handles
      .slice(1)
      .map((to, index) => bodyOf([`transfer ${handles[index]} ${to} 100 usd`]));
    const others = Array.from({ length: 20 }, () => bodyOf(['issue c 1 usd']));
    const reply = await sendBatch(ledger, 'independent', [...chain, ...others]);
    expect(new Set(linesOf(reply).map(String))).toEqual(new Set(['201,completed']));
    expect(await ledger.balances(String(handles.at(-1)))).toEqual({ usd: '100' });
    expect(await ledger.balances('c')).toEqual({ usd: '20' });
  });

  test('of the same body twice makes one intent, and answers it twice', async () => {
    const ledger = await bank();
    const body = bodyOf(['transfer a b 10 usd']);
    expect(linesOf(await sendBatch(ledger, 'independent', [body, body]))).toEqual([
      [201, 'completed'],
      [200, 'completed'],
    ]);
    expect(await ledger.balances('b')).toEqual({ usd: '10' });
  });

  test('sent again answers the same records', async () => {
    const ledger = await bank();
    const bodies = [bodyOf(['transfer a b 10 usd']), bodyOf(['transfer a b 1000 usd'])];
    const first = await sendBatch(ledger, 'independent', bodies);
    const again = await sendBatch(ledger, 'independent', bodies);
    expect(linesOf(again)).toEqual([
      [200, 'completed'],
      [200, 'rejected'],
    ]);
    expect(again.items.map(({ luid }) => luid)).toEqual(first.items.map(({ luid }) => luid));
    expect(await ledger.balances('b')).toEqual({ usd: '10' });
  });

  test('sent many times at once stores each intent once', async () => {
    const ledger = await bank();
    const bodies = Array.from({ length: 10 }, () => bodyOf(['transfer a b 1 usd']));
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => sendBatch(ledger, 'independent', bodies)),
    );
    const first = replies.flatMap(linesOf).filter(([status]) => status === 201);
    expect(first).toHaveLength(10);
    expect(await ledger.balances('b')).toEqual({ usd: '10' });
  });

  test('takes a hundred intents, and no more', async () => {
    const ledger = await bank();
    const bodies = Array.from({ length: 100 }, () => bodyOf(['issue b 1 usd']));
    expect(linesOf(await sendBatch(ledger, 'independent', bodies))).toHaveLength(100);
    expect(await ledger.balances('b')).toEqual({ usd: '100' });
    const more = await sendBatch(ledger, 'independent', [...bodies, bodyOf(['issue b 1 usd'])]);
    expect(outcome(more)).toEqual([422, 'record.schema-invalid']);
  });

  test('with proofs that were not there before is no repetition', async () => {
    const ledger = await bank();
    const body = bodyOf(['transfer a b 10 usd']);
    await ledger.post('/intents', body);
    const proof = proofOf(body.hash, newKey(), { status: 'created' });
    const other = { ...body, meta: { proofs: [...body.meta.proofs, proof] } };
    expect(linesOf(await sendBatch(ledger, 'independent', [other]))).toEqual([
      [409, 'record.duplicated'],
    ]);
  });

  test('judges each intent by its own signers', async () => {
    const creates = { action: 'create', record: 'intent', ...byKey(ann) };
    const ledger = await houseOf(home, creates);
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
    await wallet(ledger, { handle: 'w' });
    const bodies = [[owner], [ann], [newKey()]].map((keys) => bodyOf(['issue w 1 usd'], {}, keys));
    expect(linesOf(await sendBatch(ledger, 'independent', bodies))).toEqual([
      [201, 'completed'],
      [201, 'pending'],
      [403, 'auth.forbidden'],
    ]);
    // A stored intent is shown to those who may read it.
    const [first, second] = linesOf(await sendBatch(ledger, 'independent', bodies));
    expect([first, second]).toEqual([
      [200, 'completed'],
      [200, 'pending'],
    ]);
  });

  test.each([
    ['no mode', { data: [] }],
    ['another mode', { data: [{}], mode: 'both' }],
    ['no intents', { data: [], mode: 'atomic' }],
    ['other members', { data: [{}], mode: 'atomic', hash: '' }],
  ])('of %s is refused', async (_, body) => {
    const reply = await (await bank()).post('/intents/!batch', body);
    expect(outcome(reply)).toEqual([422, 'record.schema-invalid']);
  });
});

describe('an atomic batch', () => {
  test('settles as one, each intent as a record of its own', async () => {
    const ledger = await bank();
    const bodies = [
      bodyOf(['transfer a b 100 usd']),
      bodyOf(['transfer b c 60 usd']),
      bodyOf(['transfer c a 10 usd', 'transfer b a 40 usd']),
    ];
    const reply = await sendBatch(ledger, 'atomic', bodies);
    expect([reply.status, ...linesOf(reply)]).toEqual([
      200,
      [201, 'completed'],
      [201, 'completed'],
      [201, 'completed'],
    ]);
    expect(reply.items.map(({ data }) => data)).toEqual(bodies.map(({ data }) => data));
    const balances = await Promise.all(['a', 'b', 'c'].map((one) => ledger.balances(one)));
    expect(balances).toEqual([{ usd: '50' }, { usd: '0' }, { usd: '50' }]);
    for (const { luid } of reply.items)
      expect((await ledger.get(`/intents/${luid}`)).body.meta.status).toBe('completed');
  });

  test('stores none when one would fail, and says which and why', async () => {
    const ledger = await bank();
    const bodies = [
      bodyOf(['transfer a b 60 usd']),
      bodyOf(['transfer a c 60 usd']),
      bodyOf(['transfer a c 1 usd']),
    ];
    const reply = await sendBatch(ledger, 'atomic', bodies);
    expect(outcome(reply)).toEqual([422, 'record.invalid']);
    expect(errorsOf(reply)).toEqual([[1, 'core.insufficient-balance']]);
    for (const { data } of bodies)
      expect((await ledger.get(`/intents/${data['handle']}`)).status).toBe(404);
    expect(await ledger.balances('a')).toEqual({ usd: '100' });
  });

  test('names every intent that a create would refuse', async () => {
    const ledger = await bank();
    const fine = bodyOf(['transfer a b 1 usd']);
    const broken = await sendBatch(ledger, 'atomic', [
      fine,
      bodyOf(['transfer a b 0 usd']),
      { ...bodyOf(['transfer a b 1 usd']), hash: '0'.repeat(64) },
    ]);
    expect(errorsOf(broken)).toEqual([
      [1, 'record.schema-invalid'],
      [2, 'crypto.hash-invalid'],
    ]);
    await ledger.post('/intents', fine);
    const taken = await sendBatch(ledger, 'atomic', [bodyOf(['transfer a b 1 usd']), fine]);
    expect(errorsOf(taken)).toEqual([[1, 'record.duplicated']]);
    const unknown = await sendBatch(ledger, 'atomic', [
      bodyOf(['transfer a nobody 1 usd']),
      bodyOf(['transfer a b 1 eur']),
    ]);
    expect(errorsOf(unknown)).toEqual([
      [0, 'core.target-invalid'],
      [1, 'core.symbol-invalid'],
    ]);
    const twice = bodyOf(['transfer a b 1 usd']);
    expect(errorsOf(await sendBatch(ledger, 'atomic', [twice, twice]))).toEqual([
      [1, 'record.duplicated'],
    ]);
    expect(await ledger.balances('b')).toEqual({ usd: '1' });
  });

  test('takes no intent that would wait', async () => {
    const ledger = await bank();
    await ledger.make('bridges', { handle: 'far', config: { server: nowhere } }, key, active());
    await ledger.make('wallets', { handle: 'd', bridge: 'far' }, key);
    const reply = await sendBatch(ledger, 'atomic', [
      bodyOf(['transfer a b 1 usd']),
      bodyOf(['transfer a d 1 usd']),
      bodyOf(['transfer a b 1 usd'], { config: { commit: 'manual' } }),
    ]);
    expect(errorsOf(reply)).toEqual([
      [1, 'record.invalid'],
      [2, 'record.invalid'],
    ]);
    // Alone it would be rejected; after the first one it would wait.
    const poor = await sendBatch(ledger, 'atomic', [
      bodyOf(['transfer a b 100 usd']),
      bodyOf(['transfer b d 50 usd']),
    ]);
    expect(errorsOf(poor)).toEqual([[1, 'record.invalid']]);
    expect(await ledger.balances('a')).toEqual({ usd: '100' });
  });

  test('names the rights that are missing', async () => {
    const ledger = await houseOf(home, { action: 'create', record: 'intent', ...byKey(ann) });
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
    await wallet(ledger, { handle: 'w' });
    const bodies = [[owner], [ann]].map((keys) => bodyOf(['issue w 1 usd'], {}, keys));
    const { custom } = await sendBatch(ledger, 'atomic', bodies);
    expect(custom['errors']).toMatchObject([
      { index: 1, custom: { missing: [{ action: 'issue', handle: 'usd', claims: [0] }] } },
    ]);
  });

  test('sent again answers the same records, also many times at once', async () => {
    const ledger = await bank();
    const bodies = [bodyOf(['transfer a b 10 usd']), bodyOf(['transfer b c 10 usd'])];
    const replies = await Promise.all([1, 2, 3, 4].map(() => sendBatch(ledger, 'atomic', bodies)));
    const again = await sendBatch(ledger, 'atomic', bodies);
    const luids = [...replies, again].map(({ items }) => items.map(({ luid }) => luid).join());
    expect(new Set(luids).size).toBe(1);
    expect(linesOf(again)).toEqual([
      [200, 'completed'],
      [200, 'completed'],
    ]);
    expect(await ledger.balances('c')).toEqual({ usd: '10' });
  });

  test('that does not fit into one transaction says how many would', async () => {
    const ledger = await bank();
    /** The first that fit, as many as the refusal of one more says, are stored. */
    const fitsUpTo = async (most: number, bodies: readonly Body[]) => {
      const reply = await sendBatch(ledger, 'atomic', bodies.slice(0, most + 1));
      expect(outcome(reply)).toEqual([413, 'api.body-malformed']);
      expect(reply.custom['fitting']).toBe(most);
      const fits = await sendBatch(ledger, 'atomic', bodies.slice(0, most));
      expect(linesOf(fits)).toEqual(Array.from({ length: most }, () => [201, 'completed']));
    };
    const targets = await walletsIn(ledger, key, 50);
    const payouts = targets.map((to) => bodyOf([`transfer a ${to} 1 usd`]));
    await fitsUpTo(47, payouts);
    await fitsUpTo(
      95,
      Array.from({ length: 96 }, () => bodyOf(['issue b 1 usd'])),
    );
    // An intent that is reversed is written again, and shares no item.
    const returns = payouts
      .slice(0, 47)
      .map(({ data }, index) =>
        bodyOf([`transfer ${targets[index]} a 1 usd`], { reverses: data['handle'] as string }),
      );
    await fitsUpTo(19, returns);
  });

  test('keeps routes, threads and limits as they are alone', async () => {
    const ledger = await bank();
    const routes = [{ action: 'forward', target: 'b' }];
    await ledger.make('wallets', { handle: 'f', routes }, key);
    const [first, second] = [
      bodyOf(['limit a minBalance 10 usd']),
      bodyOf(['transfer a f 90 usd']),
    ];
    const reply = await sendBatch(ledger, 'atomic', [first, second]);
    expect(linesOf(reply)).toEqual([
      [201, 'completed'],
      [201, 'completed'],
    ]);
    expect(await ledger.balances('b')).toEqual({ usd: '90' });
    const { items } = await ledger.get('/wallets/a/limits');
    expect(items.map(({ data }) => data['amount'])).toEqual([10]);
    const below = await sendBatch(ledger, 'atomic', [bodyOf(['transfer a b 1 usd'])]);
    expect(errorsOf(below)).toEqual([[0, 'core.limit-exceeded']]);
  });
});
