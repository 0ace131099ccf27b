/** Goal: nothing moves without the rights on it, and whoever has them makes it move. Rulings 30 to 38, 49 and 50. */
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  claimOf,
  clientOf,
  type Item,
  type Json,
  type Key,
  newKey,
  newLedger,
  outcomeOf,
  proofOf,
  signed,
  unique,
} from '../fixture/client.ts';
import { surely } from '../fixture/payment.ts';
import { audit, newDataFolder, start } from '../fixture/runtime.ts';
import { sharedHome } from '../fixture/served.ts';

const owner = newKey();

const home = await sharedHome();

const makes = ['symbol', 'wallet', 'circle', 'circle-signer', 'domain', 'signer', 'intent'];
/** Everybody may read and make records; what moves money is left to the owners. */
const rules = [
  ...['read', 'query'].map((action) => ({ action, record: 'any' })),
  ...makes.map((record) => ({ action: 'create', record })),
];

/** A governed ledger with the wallets of Ann and Bob and the symbol of a mint. */
async function governed(more: Json = {}, others: readonly Json[] = []) {
  const ledger = await newLedger(home, owner, { access: [...rules, ...others], ...more });
  const [ann, bob, mint, eve] = [newKey(), newKey(), newKey(), newKey()];
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, mint);
  await ledger.make('wallets', { handle: 'ann' }, ann);
  await ledger.make('wallets', { handle: 'bob' }, bob);
  const issued = await ledger.settle(mint, 'issue ann 100 usd');
  expect(outcomeOf(issued)).toBe('completed');
  const add = ({ luid, hash }: Item, by: Key, custom: Json = {}, way = 'proofs') =>
    ledger.post(`/intents/${luid}/${way}`, proofOf(hash, by, custom));
  const held = async () => [await ledger.balances('ann'), await ledger.balances('bob')];
  return {
    ledger,
    ann,
    bob,
    mint,
    eve,
    post: ledger.settle,
    add,
    held,
    keys: { ann, bob, mint, eve },
  };
}

describe('rights', () => {
  test.each<[string, string[], string[]]>([
    ['issue bob 5 usd', ['mint'], ['ann', 'bob', 'eve']],
    ['transfer ann bob 5 usd', ['ann'], ['bob', 'mint', 'eve']],
    ['destroy ann 5 usd', ['ann', 'mint'], ['bob', 'eve']],
  ])('%s takes those of %s and no others', async (claim, needed, useless) => {
    const { post, add, keys } = await governed();
    const keyOf = (name: string) => keys[name as keyof typeof keys];
    expect(outcomeOf(await post(needed.map(keyOf), claim))).toBe('completed');
    expect(outcomeOf(await post([...needed, ...useless].map(keyOf), claim))).toBe('completed');
    expect(outcomeOf(await post(useless.map(keyOf), claim))).toBe('pending');
    for (const missing of needed) {
      const some = ['eve', ...needed].filter((name) => name !== missing);
      const intent = await post(some.map(keyOf), claim);
      expect([missing, intent.meta.status]).toEqual([missing, 'pending']);
      expect(outcomeOf((await add(intent, keyOf(missing))).body)).toBe('completed');
    }
  });

  test('may come one after the other, by either way of adding a proof', async () => {
    const { ledger, ann, bob, mint, eve, post, add, held } = await governed();
    const claims = ['transfer ann bob 60 usd', 'destroy bob 10 usd', 'issue ann 1 usd'];
    expect((await post(eve, ...claims)).meta.status).toBe('pending');
    await ledger.settle(mint, 'issue bob 10 usd');
    const intent = await post(eve, ...claims);
    expect((await add(intent, ann)).body.meta.status).toBe('pending');
    expect((await add(intent, mint, {}, 'sign')).body.meta.status).toBe('pending');
    expect(await held()).toEqual([{ usd: '100' }, { usd: '10' }]);
    const { body } = await add(intent, bob, {}, 'sign');
    expect(outcomeOf(body)).toBe('completed');
    expect(await held()).toEqual([{ usd: '41' }, { usd: '60' }]);
    expect((await ledger.get(`/intents/${intent.luid}`)).body).toEqual(body);
    const { items } = await ledger.get(`/intents/${intent.luid}/changes`);
    expect(items.map(({ meta }) => [meta.change, meta.action, meta.status]).reverse()).toEqual([
      [1, 'create', 'pending'],
      ...[2, 3, 4].map((change) => [change, 'update', 'pending']),
      ...['prepared', 'committed', 'completed'].map((one, index) => [5 + index, 'update', one]),
    ]);
  });

  test('of who has none are refused, and change nothing', async () => {
    const { ledger, eve, bob, post, add } = await governed();
    const intent = await post(bob, 'transfer ann bob 5 usd');
    const reply = await add(intent, eve);
    expect([reply.status, reply.reason]).toEqual([403, 'auth.forbidden']);
    const read = (await ledger.get(`/intents/${intent.luid}`)).body;
    const { waiting, ...meta } = read.meta as Item['meta'] & { readonly waiting?: unknown };
    expect(meta).toEqual(intent.meta);
    expect(waiting).toMatchObject([{ for: 'signatures' }]);
  });

  test('to make intents come first of all', async () => {
    const ledger = await newLedger(home, owner, { access: rules.slice(0, 2) });
    const body = { handle: unique('intent'), claims: [claimOf('issue nobody 1 usd')] };
    const refused = await ledger.post('/intents', signed(body, newKey()));
    expect([refused.status, refused.reason]).toEqual([403, 'auth.forbidden']);
    expect((await ledger.get('/intents')).items).toEqual([]);
  });

  test('are those of the members of a circle, for as long as they are members', async () => {
    const { ledger, eve, bob, post, add } = await governed();
    await ledger.make('signers', { handle: 'eve', public: eve.public, format: 'ed25519-raw' }, eve);
    const circle = { handle: 'tellers', access: [{ action: 'spend', record: 'wallet' }] };
    await ledger.make('circles', circle, owner);
    expect((await post(eve, 'transfer ann bob 1 usd')).meta.status).toBe('pending');
    const link = await ledger.post(
      '/circles/tellers/signers',
      signed({ circle: 'tellers', signer: 'eve' }, owner),
    );
    expect(link.status).toBe(200);
    expect(outcomeOf(await post(eve, 'transfer ann bob 1 usd'))).toBe('completed');
    const waiting = await post(bob, 'transfer ann bob 1 usd');
    const drop = { parent: link.body.hash };
    const gone = await ledger.post('/circles/tellers/signers/eve/drop', {
      luid: link.body.luid,
      ...signed(drop, owner, { moment: new Date().toISOString(), status: 'dropped' }),
    });
    expect(gone.status).toBe(204);
    expect((await add(waiting, eve)).status).toBe(403);
    expect((await post(eve, 'transfer ann bob 1 usd')).meta.status).toBe('pending');
  });

  test('are judged of all who signed as they are when the last one signs', async () => {
    const { ledger, ann, eve, post, add } = await governed();
    const rule = { action: 'issue', record: 'symbol', signer: { public: eve.public } };
    const intent = await post(eve, 'transfer ann bob 1 usd', 'issue ann 1 usd');
    expect((await add(intent, ann)).body.meta.status).toBe('pending');
    await ledger.make('circles', { handle: 'printers', access: [rule] }, owner);
    expect((await add(intent, ann, { again: true })).body.meta.status).toBe('completed');
  });

  test('come from the rules of a domain for the wallets in it', async () => {
    const { ledger, eve, post } = await governed();
    const rule = { action: 'spend', record: 'wallet', signer: { public: eve.public } };
    const domain = unique('bank');
    await ledger.make('domains', { handle: domain, access: [rule] }, owner);
    await ledger.make('wallets', { handle: `till@${domain}` }, owner);
    expect(outcomeOf(await post(eve, `transfer till@${domain} ann 1 usd`))).toBe(
      'core.insufficient-balance',
    );
    expect(outcomeOf(await post(eve, 'transfer ann bob 1 usd'))).toBe('pending');
  });

  test('come from the rules of a wallet and of a symbol themselves', async () => {
    const { ledger, ann, eve, post } = await governed();
    const grant = (action: string) => [{ action, signer: { public: eve.public } }];
    await ledger.make('wallets', { handle: 'shared', access: grant('spend') }, ann);
    await ledger.make('symbols', { handle: 'pts', factor: 1, access: grant('issue') }, ann);
    expect(outcomeOf(await post(eve, 'issue shared 5 pts'))).toBe('completed');
    expect(outcomeOf(await post(eve, 'transfer shared bob 5 pts'))).toBe('completed');
    expect(outcomeOf(await post(eve, 'transfer ann bob 5 usd'))).toBe('pending');
  });
});

describe('named checks on intents', () => {
  test('let only those make intents who may spend from every wallet', async () => {
    const check = { record: 'intent', invoke: 'intent.canSpendEveryClaimWallet' };
    const few = rules.filter(({ record }) => record !== 'intent');
    const ledger = await newLedger(home, owner, {
      access: [...few, { action: 'create', ...check }],
    });
    const [ann, bob] = [newKey(), newKey()];
    await ledger.make('symbols', { handle: 'usd', factor: 1 }, ann);
    await ledger.make('wallets', { handle: 'ann' }, ann);
    await ledger.make('wallets', { handle: 'bob' }, bob);
    const sent = (by: Key | readonly Key[], claim: string) =>
      ledger.post('/intents', signed({ handle: unique('i'), claims: [claimOf(claim)] }, by));
    expect(outcomeOf((await sent(ann, 'issue ann 5 usd')).body)).toBe('completed');
    expect((await sent(ann, 'transfer ann bob 5 usd')).status).toBe(403);
    expect(outcomeOf((await sent([ann, bob], 'transfer ann bob 5 usd')).body)).toBe('completed');
    expect((await sent(ann, 'transfer nobody ann 5 usd')).status).toBe(403);
    expect((await sent(ann, 'limit bob dailyCount 5 usd')).status).toBe(403);
    expect(outcomeOf((await sent(bob, 'limit bob dailyCount 5 usd')).body)).toBe('completed');
  });

  test('let those add proofs who may spend from any wallet', async () => {
    const invoke = 'intent.canSpendAnyClaimWallet';
    const { bob, eve, ann, post, add } = await governed({}, [
      { action: 'create', record: 'intent-proof', invoke },
    ]);
    const intent = await post(ann, 'transfer ann bob 1 usd', 'issue ann 1 usd');
    expect((await add(intent, eve)).status).toBe(403);
    const { status, body } = await add(intent, bob, { labels: ['seen'] });
    expect([status, body.meta.status, body.meta.labels]).toEqual([200, 'pending', ['seen']]);
  });
});

test('of twenty proofs at the same time one settles, and all are kept', async () => {
  const { ledger, ann, eve, mint, post, held } = await governed();
  const intent = await post(eve, 'transfer ann bob 60 usd', 'issue bob 5 usd');
  // Each is the same proof however often it is sent: what a busy ledger has no answer to may be done.
  const proofs = Array.from({ length: 20 }, (_, number) =>
    proofOf(intent.hash, number % 2 ? ann : mint, { number }),
  );
  const path = `/intents/${intent.luid}/proofs`;
  const replies = await Promise.all(proofs.map((proof) => surely(() => ledger.post(path, proof))));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  const { body } = await ledger.get(`/intents/${intent.luid}`);
  const said = body.meta.proofs.filter(({ custom }) => custom?.['status'] === 'completed');
  expect([said.length, body.meta.proofs.length]).toEqual([1, 2 + 20 + 6]);
  expect(await held()).toEqual([{ usd: '40' }, { usd: '65' }]);
});

describe('an intent that waits', () => {
  const soon = { config: { 'intent.expiryThresholdMinutes': 0.001 } };

  test('is found by its status, and no longer by it when it has gone on', async () => {
    const { ledger, ann, bob, post, add } = await governed();
    const intent = await post(bob, 'transfer ann bob 1 usd');
    const foundBy = async (status: string) =>
      (await ledger.get(`/intents?meta.status=${status}&data.handle=${intent.data.handle}`)).items
        .length;
    expect([await foundBy('pending'), await foundBy('completed')]).toEqual([1, 0]);
    await add(intent, ann);
    expect([await foundBy('pending'), await foundBy('completed')]).toEqual([0, 1]);
  });

  test('is rejected when its time is over, and nothing has moved', async () => {
    const { ledger, bob, post, held } = await governed(soon);
    const { luid } = await post(bob, 'transfer ann bob 1 usd');
    const ended = async () => {
      const { body } = await ledger.get(`/intents/${luid}`);
      return body.meta.status === 'pending' ? undefined : body;
    };
    let intent: Item | undefined;
    while (!intent) intent = await ended();
    expect(outcomeOf(intent)).toBe('core.intent-expired');
    const { items } = await ledger.get(`/intents/${luid}/changes`);
    expect(items.map(({ meta }) => meta.status).reverse()).toEqual([
      ...['pending', 'failed', 'aborted', 'rejected'],
    ]);
    expect(await held()).toEqual([{ usd: '100' }, {}]);
  });

  test('is not settled by who comes too late', async () => {
    const { ann, bob, post, add, held } = await governed(soon);
    const intent = await post(bob, 'transfer ann bob 1 usd');
    const { expiry } = intent.meta.proofs.at(-1)?.custom ?? {};
    while (Date.now() < Date.parse(String(expiry)))
      await new Promise((resolve) => setTimeout(resolve, 5));
    const { status, body } = await add(intent, ann);
    expect([status, outcomeOf(body)]).toEqual([200, 'core.intent-expired']);
    expect(await held()).toEqual([{ usd: '100' }, {}]);
  });
});

test('an intent whose time is over while nothing runs is rejected when the ledger runs again', async () => {
  const folder = newDataFolder();
  const first = await start({ data: folder });
  const ledger = await newLedger(clientOf(first.url, first.key), owner, {
    ...{ access: rules, config: { 'intent.expiryThresholdMinutes': 0.005 } },
  });
  await ledger.make('symbols', { handle: 'usd', factor: 1 }, owner);
  await ledger.make('wallets', { handle: 'ann' }, owner);
  const { luid } = await ledger.settle(newKey(), 'issue ann 1 usd');
  await first.kill9('with its database');
  const second = await start({ data: folder });
  const again = clientOf(second.url, ledger.key, ledger.ledger);
  const read = async () => (await again.get(`/intents/${luid}`)).body;
  while ((await read()).meta.status === 'pending') await new Promise(setImmediate);
  expect(outcomeOf(await read())).toBe('core.intent-expired');
  await second.stop();
  expect((await audit(folder)).code).toBe(0);
  rmSync(folder, { recursive: true });
});

test('whoever signs what, in whichever order, only the rights move money', async () => {
  const { ledger, post, add, keys } = await governed();
  const name = fc.constantFrom(...(['ann', 'bob', 'mint', 'eve'] as const));
  const deed = fc.constantFrom(
    ...['issue ann', 'issue bob', 'transfer ann bob', 'transfer bob ann'],
    ...['destroy ann', 'destroy bob'],
  );
  const claim = fc.tuple(deed, fc.integer({ min: 1, max: 60 }));
  const course = fc.record({
    claims: fc.array(claim, { minLength: 1, maxLength: 3 }),
    first: name,
    later: fc.array(name, { maxLength: 4 }),
  });
  const book: Record<string, bigint> = { ann: 100n, bob: 0n };
  await fc.assert(
    fc.asyncProperty(course, async ({ claims, first, later }) => {
      const texts = claims.map(([text, amount]) => `${text} ${amount} usd`);
      const missing = new Set(claims.flatMap(([text]) => holdersOf(text)));
      const needed = new Set(missing);
      let intent = await post(keys[first], ...texts);
      missing.delete(first);
      expect(intent.meta.status === 'pending').toBe(missing.size > 0);
      for (const [index, one] of later.entries()) {
        const reply = await add(intent, keys[one], { index });
        const may = needed.has(one) || one === first;
        expect([one, reply.status]).toEqual([one, may ? 200 : 403]);
        missing.delete(one);
        if (may) intent = reply.body;
        expect(intent.meta.status === 'pending').toBe(missing.size > 0);
      }
      if (intent.meta.status === 'completed') keep(book, texts);
      const held = [await ledger.balances('ann'), await ledger.balances('bob')];
      expect(held.map(({ usd = '0' }) => BigInt(usd))).toEqual([book['ann'], book['bob']]);
      expect(Object.values(book).every((amount) => amount >= 0n)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

/** Who has to sign a claim: the mint has the symbol, and each wallet its owner. */
function holdersOf(text: string): string[] {
  const [action, wallet = ''] = text.split(' ');
  if (action === 'issue') return ['mint'];
  return action === 'transfer' ? [wallet] : [wallet, 'mint'];
}

/** Writes into a book what claims say. */
function keep(book: Record<string, bigint>, texts: readonly string[]): void {
  for (const { action, source, target, amount } of texts.map(claimOf)) {
    const size = BigInt(Number(amount));
    if (action !== 'issue') book[String(source)] = (book[String(source)] ?? 0n) - size;
    if (action !== 'destroy') book[String(target)] = (book[String(target)] ?? 0n) + size;
  }
}
