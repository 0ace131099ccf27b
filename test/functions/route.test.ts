/**
 * Goal: money finds its way by the routes of wallets, and nobody lays a route to a wallet that is not theirs.
 * Rulings 42 and 43, Decisions 50 to 53.
 */
import { describe, expect, test } from 'vitest';
import {
  type Client,
  farewell,
  type Item,
  type Json,
  type Key,
  newKey,
  newLedger,
  outcomeOf,
  revision,
  signed,
} from '../fixture/client.ts';
import { nowhere } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

const owner = newKey();

const home = await sharedHome();

const makes = ['symbol', 'wallet', 'bridge', 'anchor', 'intent', 'policy'];
/** Everybody may read and make records; what is done with them is left to their owners. */
const rules = [
  ...['read', 'query'].map((action) => ({ action, record: 'any' })),
  ...makes.map((record) => ({ action: 'create', record })),
];

/** A governed ledger with the wallets of Ann and Bob, whose routes are looked after by Cid. */
async function governed(others: readonly Json[] = []) {
  const ledger = await newLedger(home, owner, { access: [...rules, ...others] });
  const [ann, bob, cid, mint] = [newKey(), newKey(), newKey(), newKey()];
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, mint);
  await ledger.make('symbols', { handle: 'eur', factor: 100 }, mint);
  const walletOf = (handle: string, key: Key, more: Json = {}) =>
    ledger.make('wallets', { handle, ...more }, key);
  const wallets = { ann: await walletOf('ann', ann), bob: await walletOf('bob', bob) };
  const lay = async (routes: readonly Json[], by: Key | readonly Key[], handle = 'cid') =>
    ledger.post('/wallets', signed({ handle, routes }, by));
  const change = (wallet: Item, more: Json, by: Key) =>
    ledger.put(`/wallets/${wallet.luid}`, revision(wallet, more, by));
  const end = (wallet: Item, by: Key) =>
    ledger.post(`/wallets/${wallet.luid}/drop`, farewell(wallet, by));
  return { ledger, ann, bob, cid, mint, wallets, walletOf, lay, change, end };
}

const told = ({ status, reason, detail }: Awaited<ReturnType<Client['get']>>) =>
  status < 300 ? [status] : [status, reason, detail];
const forbidden = [403, 'auth.forbidden', 'Cannot spend wallet.'];
const actions = ['credit', 'debit', 'forward'];

describe('routes', () => {
  test('are kept as they are written, and judged before', async () => {
    const { ledger, lay, cid } = await governed();
    const routes = [
      { action: 'credit', target: 'nobody@yet', filter: { symbol: 'usd', amount: { $gt: 5 } } },
      { action: 'accept' },
    ];
    expect((await lay(routes, cid)).status).toBe(201);
    const { body } = await ledger.get('/wallets/cid');
    expect(body.data['routes']).toEqual(routes);
    const wrong = await lay([{ action: 'accept', filter: { amount: { $near: 5 } } }], cid, 'dan');
    expect(told(wrong)).toEqual([
      422,
      'record.invalid',
      "Filter 'amount' knows no operator $near.",
    ]);
    const either = await lay([{ action: 'accept', filter: { $or: [{ amount: 5 }] } }], cid, 'dan');
    expect([either.status, either.reason]).toEqual([422, 'record.invalid']);
    const misspelt = await lay([{ action: 'accept', filter: { sorce: { $ne: 'x' } } }], cid, 'dan');
    expect(told(misspelt)).toEqual([
      422,
      'record.invalid',
      "Filter 'sorce' begins with no member of a claim; the nearest is 'source'.",
    ]);
    const lost = await lay([{ action: 'debit' }], cid, 'dan');
    expect([lost.status, lost.reason]).toEqual([422, 'record.schema-invalid']);
    expect((await ledger.get('/wallets/dan')).status).toBe(404);
  });

  test('have at most 200 conditions together, and 5 wallets that pay', async () => {
    const { lay, cid, walletOf } = await governed();
    const filter = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`custom.n${n}`, n]));
    const all = Array.from({ length: 5 }, () => ({ action: 'accept', filter }));
    expect(told(await lay(all, cid))).toEqual([201]);
    const more = [...all, { action: 'accept', filter: { amount: 1 } }];
    expect(told(await lay(more, cid, 'dan'))).toEqual([
      422,
      'record.invalid',
      'The routes of a wallet have at most 200 conditions.',
    ]);
    const payers = Array.from({ length: 6 }, (_, n) => `payer${n}`);
    for (const payer of payers) await walletOf(payer, cid);
    const draws = payers.map((target) => ({ action: 'debit', target }));
    expect(told(await lay([...draws.slice(1), ...draws.slice(1)], cid, 'dan'))).toEqual([201]);
    expect(told(await lay(draws, cid, 'erin'))).toEqual([
      422,
      'record.invalid',
      'The debit routes of a wallet lead to at most 5 others.',
    ]);
  });

  test.each(actions)('of %s need a right to spend of their target', async (action) => {
    const { ledger, lay, change, ann, cid } = await governed();
    const routes = [{ action, target: 'ann' }];
    expect(told(await lay(routes, cid))).toEqual(forbidden);
    expect((await ledger.get('/wallets/cid')).status).toBe(404);
    expect(told(await lay(routes, [cid, ann]))).toEqual([201]);
    const { body } = await lay([], cid, 'dan');
    expect(told(await change(body, { routes }, cid))).toEqual(forbidden);
    expect((await ledger.get('/wallets/dan')).body).toEqual(body);
  });

  test('that stay need no right again, and those that change do', async () => {
    const { lay, change, ann, bob, cid, walletOf } = await governed();
    const [first, second] = [
      { action: 'credit', target: 'ann', filter: { symbol: 'usd' } },
      { action: 'forward', target: 'bob' },
    ];
    let { body } = await lay([first, second], [ann, bob, cid]);
    const kept = [
      { routes: [second, first], custom: { n: 1 } },
      { routes: [first] },
      { routes: [first, { action: 'accept' }] },
      {
        routes: [
          { ...first, filter: { symbol: 'usd' } },
          { action: 'credit', target: 'later' },
        ],
      },
    ];
    for (const next of kept) {
      const reply = await change(body, next, cid);
      expect([next, told(reply)]).toEqual([next, [200]]);
      body = reply.body;
    }
    await walletOf('later', ann);
    const changed = [
      [{ ...first, filter: { symbol: 'eur' } }],
      [{ ...first, action: 'debit' }],
      [first, { action: 'credit', target: 'later', filter: {} }],
      [first, second],
    ];
    for (const routes of changed)
      expect([routes, told(await change(body, { routes }, cid))]).toEqual([routes, forbidden]);
  });

  test('to an address need a right to the wallet that it means', async () => {
    const { lay, ann, cid } = await governed();
    const routes = [{ action: 'credit', target: 'savings:1@ann' }];
    expect(told(await lay(routes, cid))).toEqual(forbidden);
    expect(told(await lay(routes, [ann, cid]))).toEqual([201]);
    expect(told(await lay([{ action: 'credit', target: 'x@nobody' }], cid, 'dan'))).toEqual([201]);
  });

  test('need no right where everybody may do everything', async () => {
    const ledger = await newLedger(home, owner);
    await ledger.make('wallets', { handle: 'ann' }, newKey());
    const routes = actions.map((action) => ({ action, target: 'ann' }));
    expect((await ledger.make('wallets', { handle: 'cid', routes }, newKey())).luid).toBeDefined();
  });

  test('may be changed by whom a rule lets, as long as they may spend of the targets', async () => {
    const invoke = 'wallet.canSpendAllChangedRouteTargets';
    const { lay, change, ann, bob, cid, walletOf } = await governed([
      { action: 'update', record: 'wallet', invoke },
    ]);
    const { body } = await lay([{ action: 'accept' }], cid);
    const annsToo = await walletOf('anns', ann);
    const change_ = { routes: [{ action: 'credit', target: 'ann' }] };
    expect(told(await change(body, change_, bob))).toEqual([
      403,
      'auth.forbidden',
      'Cannot update wallet.',
    ]);
    expect(told(await change(body, change_, ann))).toEqual([200]);
    expect(told(await change(annsToo, { custom: { by: 'bob' } }, bob))).toEqual([200]);
  });
});

test('who may read a wallet of a thread may be let in to read all of its intents', async () => {
  const name = 'intent.canReadAnyClaimWallet';
  const read = { action: 'read', record: 'intent' };
  const access = [
    ...makes.flatMap((record) => [
      { action: 'create', record },
      ...(record === 'intent' ? [] : [{ action: 'read', record }]),
    ]),
    { ...read, invoke: name, filter: { 'custom.alone': true } },
    { ...read, invoke: `${name}InThread` },
  ].filter(({ action, record }) => action !== 'read' || record !== 'wallet');
  const ledger = await newLedger(home, owner, { access });
  const [ann, bob, cid, mint] = [newKey(), newKey(), newKey(), newKey()];
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, mint);
  await ledger.make('wallets', { handle: 'cid' }, cid);
  const routes = [{ action: 'forward', target: 'cid' }];
  const laid = await ledger.post('/wallets', signed({ handle: 'bob', routes }, [bob, cid]));
  expect(laid.status).toBe(201);
  await ledger.make('wallets', { handle: 'ann' }, ann);
  const alone = await ledger.settle(mint, 'issue ann 9 usd');
  expect(outcomeOf(alone)).toBe('completed');
  const first = await ledger.settle(ann, 'transfer ann bob 9 usd');
  expect([outcomeOf(first), first.meta]).toMatchObject([
    'completed',
    { thread: first.data['handle'] },
  ]);
  const seenBy = async (key: Key, { luid } = first) => {
    return (await ledger.get(`/intents/${luid}`, bearing(key, { aud: home.url }))).status;
  };
  expect([await seenBy(cid), await seenBy(newKey())]).toEqual([200, 403]);
  expect([await seenBy(ann, alone), await seenBy(cid, alone)]).toEqual([200, 403]);
});

describe('a wallet that pays for another', () => {
  test('must be there, by its own name', async () => {
    const { lay, ann, cid } = await governed();
    const missing = (name: string) => [
      422,
      'record.relation-not-found',
      `Wallet ${name} not found`,
    ];
    const draw = (target: string) => lay([{ action: 'debit', target }], [ann, cid]);
    expect(told(await draw('nobody'))).toEqual(missing('nobody'));
    expect(told(await draw('x@ann'))).toEqual(missing('x@ann'));
    expect(told(await draw('cid'))).toEqual(missing('cid'));
    expect(told(await draw('ann'))).toEqual([201]);
  });

  test('cannot end and keeps its handle until it pays no more', async () => {
    const { ledger, lay, change, end, ann, bob, cid, wallets } = await governed();
    await ledger.make('anchors', { handle: '555', wallet: 'ann', target: 'ann' }, ann);
    const routes = [
      { action: 'debit', target: 'ann' },
      { action: 'credit', target: 'bob' },
    ];
    const { body } = await lay(routes, [ann, bob, cid]);
    expect(told(await end(wallets.ann, ann))).toEqual([
      422,
      'record.drop-rejected',
      'Wallet with handle ann is in use: other records refer to it.',
    ]);
    const renamed = await change(wallets.ann, { handle: 'anna' }, ann);
    expect([renamed.status, renamed.reason]).toEqual([422, 'record.update-rejected']);
    // Whoever is only paid is looked for when it matters.
    expect(told(await end(wallets.bob, bob))).toEqual([204]);
    expect(told(await change(body, { routes: [] }, cid))).toEqual([200]);
    expect(told(await end(wallets.ann, ann))).toEqual([204]);
  });

  test('is not itself, by its old or its new handle', async () => {
    const { ledger, change, ann, wallets } = await governed();
    const self = [422, 'record.invalid', 'Wallet ann names itself.'];
    const routesTo = (target: string) => ({ routes: [{ action: 'debit', target }] });
    expect(told(await change(wallets.ann, routesTo('ann'), ann))).toEqual(self);
    await ledger.make('wallets', { handle: 'anna' }, ann);
    const both = { handle: 'anna', ...routesTo('anna') };
    expect(told(await change(wallets.ann, both, ann))).toEqual(self);
    const again = await ledger.post('/wallets', signed({ handle: 'ann', ...routesTo('ann') }, ann));
    expect(told(again)).toEqual(self);
    const policy = { schema: 'status', record: 'wallet', values: [] };
    const one = await ledger.make('policies', { handle: 'one', ...policy }, ann);
    await ledger.make('policies', { handle: 'two', ...policy }, ann);
    const extended = revision(one, { handle: 'two', extend: 'two' }, ann);
    const reply = await ledger.put(`/policies/${one.luid}`, extended);
    expect(told(reply)).toEqual([422, 'record.invalid', 'Policy one names itself.']);
  });
});

test('a wallet with balances keeps its bridge, and may get one', async () => {
  const { ledger, change, mint, ann, wallets } = await governed();
  for (const handle of ['bank', 'till'])
    await ledger.make('bridges', { handle, config: { server: nowhere } }, ann);
  expect(outcomeOf(await ledger.settle(mint, 'issue ann 5 usd'))).toBe('completed');
  const banked = await change(wallets.ann, { bridge: 'bank' }, ann);
  expect(told(banked)).toEqual([200]);
  const kept = [
    422,
    'record.update-rejected',
    'Wallet with handle ann cannot leave its bridge: it has balances.',
  ];
  expect(told(await change(banked.body, { bridge: 'till' }, ann))).toEqual(kept);
  const { bridge: _bridge, ...without } = banked.body.data;
  const free = { ...banked.body, data: without } as Item;
  expect(told(await change(free, {}, ann))).toEqual(kept);
  expect(told(await change(banked.body, { custom: { n: 1 } }, ann))).toEqual([200]);
});

describe('money', () => {
  /** An open ledger with wallets and their routes; alice has 100 usd. */
  async function house(wallets: Readonly<Record<string, readonly Json[]>>) {
    const ledger = await newLedger(home, owner);
    const key = newKey();
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, key);
    await ledger.make('wallets', { handle: 'alice' }, key);
    for (const [handle, routes] of Object.entries(wallets))
      await ledger.make('wallets', { handle, ...(routes.length > 0 && { routes }) }, key);
    await ledger.settle(key, 'issue alice 100 usd');
    const pay = (...claims: readonly string[]) => ledger.settle(key, ...claims);
    const held = async () => {
      const handles = ['alice', ...Object.keys(wallets)];
      const all = await Promise.all(handles.map((handle) => ledger.balances(handle)));
      return handles.flatMap((handle, at) =>
        all[at]?.['usd'] === undefined ? [] : `${handle} ${all[at]?.['usd']}`,
      );
    };
    return { ledger, pay, held };
  }

  test('goes to the wallet that an address means', async () => {
    const { pay, held } = await house({ bank: [], 'gold@bank': [] });
    const intent = await pay('transfer alice x@bank 5 usd', 'transfer alice gold:y@bank 7 usd');
    expect(outcomeOf(intent)).toBe('completed');
    expect(await held()).toEqual(['alice 88', 'bank 5', 'gold@bank 7']);
    expect(outcomeOf(await pay('transfer alice x@till 5 usd'))).toBe('core.target-invalid');
    expect(outcomeOf(await pay('transfer x@till alice 5 usd'))).toBe('core.source-invalid');
    expect(outcomeOf(await pay('transfer z@bank alice 5 usd'))).toBe('completed');
  });

  test('is moved by credit and debit routes within the intent, and named by its own words', async () => {
    const { pay, held } = await house({
      vault: [],
      bob: [{ action: 'credit', target: 'vault' }],
      carol: [{ action: 'debit', target: 'vault', filter: { amount: { $lte: 3 } } }],
    });
    const intent = await pay('transfer alice bob 5 usd');
    expect(outcomeOf(intent)).toBe('completed');
    const words = intent.meta.proofs.flatMap(({ custom }) => custom?.['wallet'] ?? []);
    expect(words).toEqual(['alice', 'vault']);
    expect(outcomeOf(await pay('transfer carol alice 3 usd'))).toBe('completed');
    expect(outcomeOf(await pay('transfer carol alice 4 usd'))).toBe('core.routing-failed');
    expect(await held()).toEqual(['alice 98', 'vault 2']);
  });

  test('is forwarded in one step, through as many wallets as lead on, or not at all', async () => {
    const { pay, held } = await house({
      bob: [{ action: 'forward', target: 'carol' }],
      carol: [
        { action: 'forward', target: 'x@dan', filter: { amount: { $lt: 10 } } },
        { action: 'forward', target: 'nobody' },
      ],
      dan: [],
    });
    expect(outcomeOf(await pay('transfer alice bob 5 usd'))).toBe('completed');
    expect(outcomeOf(await pay('issue bob 6 usd'))).toBe('completed');
    expect(outcomeOf(await pay('transfer alice bob 50 usd'))).toBe('core.routing-failed');
    expect(await held()).toEqual(['alice 95', 'bob 0', 'carol 0', 'dan 11']);
  });

  test('never goes around in circles', async () => {
    const { ledger, pay, held } = await house({
      bob: [{ action: 'forward', target: 'carol' }],
      carol: [{ action: 'credit', target: 'bob' }],
    });
    const intent = await pay('transfer alice bob 5 usd');
    expect(outcomeOf(intent)).toBe('core.routing-failed');
    expect(intent.meta.status).toBe('rejected');
    expect(await held()).toEqual(['alice 100']);
    const { items } = await ledger.get('/intents');
    expect(items).toHaveLength(2);
  });

  test('goes through ten intents at most', async () => {
    const chain = Array.from({ length: 11 }, (_, at): [string, Json[]] => [
      `w${at}`,
      at === 10 ? [] : [{ action: 'forward', target: `w${at + 1}` }],
    ]);
    const { pay, held } = await house(Object.fromEntries(chain));
    expect(outcomeOf(await pay('transfer alice w0 5 usd'))).toBe('core.thread-size-exceeded');
    expect(outcomeOf(await pay('transfer alice w1 5 usd'))).toBe('completed');
    const empty = chain.slice(1, 10).map(([handle]) => `${handle} 0`);
    expect(await held()).toEqual(['alice 95', ...empty.sort(), 'w10 5']);
  });
});
