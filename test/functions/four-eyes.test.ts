/**
 * Goal: money that a policy speaks of moves once its quorum has signed, manual or not; whoever made the intent is not
 * their own second pair of eyes; and a policy that nobody could enforce is refused. Ruling 93, Decisions 106 to 108.
 */
import { describe, expect, test } from 'vitest';
import {
  type Client,
  claimOf,
  type Item,
  type Json,
  type Key,
  newKey,
  newLedger,
  now,
  outcomeOf,
  proofOf,
  signed,
  unique,
} from '../fixture/client.ts';
import { intentBody, sendBatch } from '../fixture/payment.ts';
import { sharedHome } from '../fixture/served.ts';

const [owner, ann, bob, cat, stranger] = [newKey(), newKey(), newKey(), newKey(), newKey()];
const home = await sharedHome();

const quorum = (...matchers: Json[]) => ({ quorum: matchers });
const byAnn = quorum({ handle: 'ann' });
const byTwo = quorum({ $circle: 'staff' }, { $circle: 'staff' });
const committed = (more: Json = byTwo) => ({ status: 'committed', ...more });

const policyOf = (more: Json = {}): Json => ({
  handle: unique('policy'),
  schema: 'status',
  record: 'intent',
  values: [committed()],
  ...more,
});

/** A ledger in which `ann`, `bob` and `cat` are `staff`, alice has 1000 usd, and these policies hold. */
async function newHouse(...policies: Json[]): Promise<Client> {
  const ledger = await newLedger(home, owner);
  await ledger.make('circles', { handle: 'staff' }, owner);
  for (const [handle, { public: key }] of [
    ['ann', ann],
    ['bob', bob],
    ['cat', cat],
  ] as const) {
    await ledger.make('signers', { handle, public: key, format: 'ed25519-raw' }, owner);
    const data = { circle: 'staff', signer: handle };
    expect((await ledger.post('/circles/staff/signers', signed(data, owner))).status).toBe(200);
  }
  for (const handle of ['alice', 'bob']) await ledger.make('wallets', { handle }, owner);
  for (const handle of ['usd', 'eur']) await ledger.make('symbols', { handle, factor: 100 }, owner);
  await ledger.settle(owner, 'issue alice 1000 usd', 'issue alice 1000 eur');
  for (const policy of policies) await ledger.make('policies', policyOf(policy), owner);
  return ledger;
}

const pay = (ledger: Client, keys: Key | readonly Key[], more: Json = {}) =>
  ledger.submit(keys, ['transfer alice bob 5 usd'], more);
const onHold = { config: { commit: 'manual' } };

let count = 0;
/** The outcome of the intent after a proof that says this; no two are alike. */
async function sign(ledger: Client, item: Item, key: Key, custom: Json = {}): Promise<unknown> {
  count += 1;
  const { status, reason, body } = await ledger.prove('intents', item, key, { count, ...custom });
  return status === 200 ? outcomeOf(body) : reason;
}

/** A further key of ann. */
async function addPhone(ledger: Client, { public: key }: Key): Promise<Item> {
  const phone = { handle: 'phone', schema: 'key-pair', public: key, format: 'ed25519-raw' };
  const { status, body } = await ledger.post(
    '/signers/ann/factors',
    signed({ signer: 'ann', ...phone }, owner),
  );
  expect(status).toBe(201);
  return body;
}

describe('an intent that a policy speaks of', () => {
  test('waits for its quorum, and moves with the proof that completes it', async () => {
    const ledger = await newHouse({});
    const item = await pay(ledger, ann);
    expect(item.meta.status).toBe('pending');
    const [, first] = item.meta.proofs;
    expect(first?.custom?.['expiry']).toMatch(/^\d{4}-/);
    expect(await ledger.balances('bob')).toEqual({});
    expect(await sign(ledger, item, stranger)).toBe('pending');
    expect(await sign(ledger, item, bob)).toBe('completed');
    expect(await ledger.balances('bob')).toEqual({ usd: '5' });
  });

  test('moves at once when its makers are the quorum', async () => {
    const ledger = await newHouse({});
    expect((await pay(ledger, [ann, bob])).meta.status).toBe('completed');
  });

  test('moves at once without a policy, and where the policy is inactive', async () => {
    const ledger = await newHouse({ schema: 'labels', values: [] }, { record: 'wallet' });
    expect((await pay(ledger, ann)).meta.status).toBe('completed');
    const policy = await ledger.make('policies', policyOf(), owner);
    await ledger.prove('policies', policy, owner, { status: 'inactive' });
    expect((await pay(ledger, ann)).meta.status).toBe('completed');
  });

  test('is not helped by a proof that opposes it', async () => {
    const ledger = await newHouse({});
    const item = await pay(ledger, ann);
    expect(await sign(ledger, item, bob, { status: 'rejected' })).toBe('pending');
    expect(await sign(ledger, item, cat)).toBe('completed');
  });

  test('needs the rights of its claims besides', async () => {
    const access = [
      { action: 'any', record: 'any', signer: { $ledger: 'owner' } },
      { action: { $in: ['create', 'read'] }, record: { $in: ['intent', 'intent-proof'] } },
      { action: 'spend', record: 'wallet', signer: { handle: 'ann' } },
    ];
    const ledger = await newHouse({});
    const { body } = await ledger.get('/ledger');
    const data = { ...body.data, access, parent: body.hash };
    expect((await ledger.put('/ledger', { luid: body.luid, ...signed(data, owner) })).status).toBe(
      200,
    );
    const item = await pay(ledger, cat);
    expect(await sign(ledger, item, bob)).toBe('pending');
    expect(await sign(ledger, item, ann)).toBe('completed');
  });

  test('may be spoken of by a policy about its proofs, or about every kind', async () => {
    for (const record of ['intent-proof', 'any']) {
      const ledger = await newHouse({ record });
      expect((await pay(ledger, ann)).meta.status).toBe('pending');
    }
  });

  test('must satisfy each policy about it, and one value of each', async () => {
    const ledger = await newHouse(
      { values: [committed(quorum({ handle: 'cat' })), committed(byAnn)] },
      { values: [committed(quorum({ handle: 'bob' }))] },
    );
    const item = await pay(ledger, owner);
    expect(await sign(ledger, item, ann)).toBe('pending');
    expect(await sign(ledger, item, bob)).toBe('completed');
  });

  test('adds the values that the policy extends', async () => {
    const ledger = await newHouse({
      handle: 'base',
      values: [committed(byAnn)],
      filter: { 'data.schema': 'x' },
    });
    await ledger.make('policies', policyOf({ values: [], extend: 'base' }), owner);
    const item = await pay(ledger, bob);
    expect(item.meta.status).toBe('pending');
    expect(await sign(ledger, item, ann)).toBe('completed');
  });

  test('waits in an independent batch, and lets no atomic one pass', async () => {
    const ledger = await newHouse({ filter: { 'amounts.usd': { $gte: 5 } } });
    const bodies = () =>
      ['transfer alice bob 1 usd', 'transfer alice bob 5 usd'].map((claim) =>
        intentBody([claim], ann),
      );
    const atomic = bodies();
    const refused = await sendBatch(ledger, 'atomic', atomic);
    expect([refused.status, refused.reason, refused.custom['errors']]).toEqual([
      422,
      'record.invalid',
      [expect.objectContaining({ index: 1, reason: 'record.invalid' })],
    ]);
    for (const { data } of atomic)
      expect((await ledger.get(`/intents/${data['handle']}`)).status).toBe(404);
    expect(await ledger.balances('bob')).toEqual({});
    const { items } = await sendBatch(ledger, 'independent', bodies());
    expect(items.map(({ meta }) => meta.status)).toEqual(['completed', 'pending']);
    expect(await sign(ledger, items[1] as Item, bob)).toBe('completed');
    const agreed = [intentBody(['transfer alice bob 5 usd'], [ann, bob])];
    expect((await sendBatch(ledger, 'atomic', agreed)).items[0]?.meta.status).toBe('completed');
    expect(await ledger.balances('bob')).toEqual({ usd: '11' });
  });

  test('is previewed as its create goes: waiting and telling nothing, or moving', async () => {
    const ledger = await newHouse({});
    const preview = async (keys: Key | readonly Key[], claim: string) =>
      (await ledger.post('/intents/!preview', intentBody([claim], keys))).body.data;
    // What it would come to is told to nobody before the quorum is met, also where it would fail.
    for (const claim of ['transfer alice bob 5 usd', 'transfer alice bob 5000 usd'])
      expect(await preview(ann, claim)).toEqual({
        handle: expect.any(String),
        ...{ status: 'pending', statuses: ['pending'], entries: [], balances: [] },
        needsQuorum: true,
      });
    expect(await preview([ann, bob], 'transfer alice bob 5 usd')).toMatchObject({
      status: 'completed',
      balances: [
        { wallet: 'alice', amount: 995 },
        { wallet: 'bob', amount: 5 },
      ],
    });
    expect(await preview([ann, bob], 'transfer alice bob 5000 usd')).toMatchObject({
      reason: 'core.insufficient-balance',
    });
    expect(await ledger.balances('bob')).toEqual({});
  });

  test('that forwards needs no quorum for what its routes pass on', async () => {
    const ledger = await newHouse();
    const routes = [{ action: 'forward', target: 'bob' }];
    await ledger.make('wallets', { handle: 'hub', routes }, owner);
    await ledger.make('policies', policyOf(), owner);
    const item = await ledger.submit(ann, ['transfer alice hub 5 usd']);
    expect(item.meta.status).toBe('pending');
    expect(await sign(ledger, item, cat)).toBe('completed');
    expect(await ledger.balances('bob')).toEqual({ usd: '5' });
  });
});

describe('whoever made the intent', () => {
  test('counts once, whatever else they sign', async () => {
    const ledger = await newHouse({});
    const item = await pay(ledger, ann);
    expect(await sign(ledger, item, ann)).toBe('pending');
    expect(await sign(ledger, item, bob)).toBe('completed');
  });

  test('does not count twice with a factor, nor with one that is gone since', async () => {
    const ledger = await newHouse({ values: [committed(quorum({}, {}))] });
    const other = newKey();
    const factor = await addPhone(ledger, other);
    const item = await pay(ledger, other);
    expect(await sign(ledger, item, ann)).toBe('pending');
    const { luid, hash } = factor;
    const drop = { luid, ...signed({ parent: hash }, owner, { moment: now(), status: 'dropped' }) };
    expect((await ledger.send('DELETE', `/signers/ann/factors/${luid}`, drop)).status).toBe(204);
    expect(await sign(ledger, item, ann)).toBe('pending');
    expect(await sign(ledger, item, bob)).toBe('completed');
  });

  test('is known by a proof that looks like the report of a bridge', async () => {
    const ledger = await newHouse({ values: [committed(byAnn)] });
    const phone = newKey();
    await addPhone(ledger, phone);
    const data = { handle: unique('intent'), claims: [claimOf('transfer alice bob 5 usd')] };
    const custom = { moment: now(), handle: 'note' };
    const { body } = await ledger.post('/intents', signed(data, ann, custom));
    expect(await sign(ledger, body, phone)).toBe('pending');
    expect(await sign(ledger, body, phone, { handle: 'note' })).toBe('pending');
    expect(await sign(ledger, body, cat, { handle: 'note' })).toBe('pending');
    expect(await sign(ledger, body, cat)).toBe('completed');
  });

  test('is no second pair of eyes where the quorum is of one', async () => {
    const ledger = await newHouse({ values: [committed(byAnn)] });
    const item = await pay(ledger, ann);
    expect(item.meta.status).toBe('pending');
    expect(await sign(ledger, item, ann)).toBe('pending');
    expect(await sign(ledger, item, cat)).toBe('completed');
    const other = await pay(ledger, cat);
    expect(other.meta.status).toBe('pending');
    expect(await sign(ledger, other, ann)).toBe('completed');
  });

  test('gets no further with a key that belongs to nobody', async () => {
    const ledger = await newHouse(
      { values: [committed(byAnn)] },
      { values: [committed(quorum({}))] },
    );
    const item = await pay(ledger, [ann, stranger]);
    expect(item.meta.status).toBe('pending');
    expect(await sign(ledger, item, newKey())).toBe('pending');
    expect(await sign(ledger, item, bob)).toBe('completed');
  });

  test('may have any key where the policy names keys', async () => {
    const two = quorum({ public: stranger.public }, { public: { $in: [owner.public] } });
    const ledger = await newHouse({ values: [committed(two)] });
    const item = await pay(ledger, stranger);
    expect(item.meta.status).toBe('pending');
    expect(await sign(ledger, item, owner)).toBe('completed');
  });
});

describe('a manual intent', () => {
  test('is reserved, and waits for the quorum of its decision', async () => {
    const ledger = await newHouse({});
    const item = await pay(ledger, ann, onHold);
    expect(item.meta.status).toBe('prepared');
    expect(await sign(ledger, item, ann, { status: 'committed' })).toBe('prepared');
    expect(await sign(ledger, item, stranger, { status: 'committed' })).toBe('prepared');
    expect(await ledger.balances('bob')).toEqual({});
    expect(await sign(ledger, item, bob, { status: 'committed' })).toBe('completed');
  });

  test('is not even reserved before the quorum of `prepared`', async () => {
    const ledger = await newHouse({ values: [{ status: 'prepared', ...byTwo }] });
    const item = await pay(ledger, ann, onHold);
    expect(item.meta.status).toBe('pending');
    expect(await ledger.balances('alice')).toEqual({ eur: '1000', usd: '1000' });
    expect(await sign(ledger, item, bob)).toBe('prepared');
    expect(await sign(ledger, item, ann, { status: 'committed' })).toBe('completed');
    expect((await pay(ledger, ann)).meta.status).toBe('pending');
  });

  test('is given up by the quorum for that', async () => {
    const ledger = await newHouse({ values: [{ status: 'aborted', ...byTwo }] });
    const item = await pay(ledger, ann, onHold);
    expect(await sign(ledger, item, bob)).toBe('prepared');
    expect(await sign(ledger, item, ann, { status: 'aborted' })).toBe('prepared');
    expect(await sign(ledger, item, bob, { status: 'aborted' })).toBe('rejected');
    expect((await pay(ledger, ann)).meta.status).toBe('completed');
  });

  test('takes effect once when two complete its quorum together', async () => {
    const ledger = await newHouse({});
    const item = await pay(ledger, ann, onHold);
    const both = await Promise.all(
      [bob, cat].map((key) => sign(ledger, item, key, { status: 'committed' })),
    );
    expect(both).toContain('completed');
    expect(await ledger.balances('bob')).toEqual({ usd: '5' });
  });
});

describe('a filter', () => {
  const rows: readonly (readonly [string, Json, readonly string[], boolean])[] = [
    ['an amount', { 'data.claims.amount': { $gte: 500 } }, ['transfer alice bob 499 usd'], false],
    ['an amount', { 'data.claims.amount': { $gte: 500 } }, ['transfer alice bob 500 usd'], true],
    [
      'a sum',
      { 'amounts.usd': { $gte: 500 } },
      ['transfer alice bob 250 usd', 'transfer alice bob 250 usd'],
      true,
    ],
    [
      'a sum of another symbol',
      { 'amounts.usd': { $gte: 500 } },
      ['transfer alice bob 600 eur'],
      false,
    ],
    ['a symbol', { 'data.claims.symbol': 'usd' }, ['transfer alice bob 5 usd'], true],
    ['another symbol', { 'data.claims.symbol': 'usd' }, ['transfer alice bob 5 eur'], false],
    ['a wallet’s schema', { 'wallets.schema': 'vault' }, ['transfer alice safe 5 usd'], true],
    ['a source’s schema', { 'sources.schema': 'vault' }, ['transfer alice safe 5 usd'], false],
    ['a target’s schema', { 'targets.schema': 'vault' }, ['transfer alice safe 5 usd'], true],
    ['a wallet’s domain', { 'wallets.domain': 'north' }, ['transfer alice till@north 5 usd'], true],
    ['another domain', { 'wallets.domain': 'north' }, ['transfer alice bob 5 usd'], false],
    ['a limited wallet', { 'wallets.schema': 'vault' }, ['limit safe maxBalance 5 usd'], true],
    ['no sum of a limit', { 'amounts.usd': { $gt: 0 } }, ['limit safe maxBalance 5 usd'], false],
  ];
  test.each(rows)('on %s: %j for %j waits: %s', async (_, filter, claims, waits) => {
    const ledger = await newHouse();
    await ledger.make('domains', { handle: 'north' }, owner);
    await ledger.make('wallets', { handle: 'safe', schema: 'vault' }, owner);
    await ledger.make('wallets', { handle: 'till@north' }, owner);
    await ledger.make('policies', policyOf({ filter }), owner);
    const item = await ledger.submit(ann, claims);
    expect(item.meta.status).toBe(waits ? 'pending' : 'completed');
  });

  test('on a name matches both of its forms', async () => {
    for (const path of ['data.claims.symbol', 'data.claims.symbol.handle']) {
      const ledger = await newHouse({ filter: { [path]: 'usd' } });
      const claim = claimOf('transfer alice bob 5 usd');
      for (const symbol of ['usd', { handle: 'usd' }]) {
        const data = { handle: unique('intent'), claims: [{ ...claim, symbol }] };
        expect((await ledger.make('intents', data, ann)).meta.status).toBe('pending');
      }
    }
  });

  test('cannot be misled by members of the data', async () => {
    const ledger = await newHouse({ filter: { 'amounts.usd': { $gte: 5 } } });
    const item = await pay(ledger, ann, { custom: { amounts: { usd: 1 } } });
    expect(item.meta.status).toBe('pending');
  });
});

test('a policy of a domain reaches what is taken from its wallets, and no other intent', async () => {
  const ledger = await newHouse();
  await ledger.make('domains', { handle: 'north' }, owner);
  await ledger.make('wallets', { handle: 'till@north' }, owner);
  await ledger.settle(owner, 'issue till@north 10 usd');
  await ledger.make('policies', policyOf({ handle: 'eyes@north' }), owner);
  expect((await ledger.submit(ann, ['transfer till@north bob 5 usd'])).meta.status).toBe('pending');
  expect((await ledger.submit(ann, ['transfer alice till@north 5 usd'])).meta.status).toBe(
    'completed',
  );
  expect((await pay(ledger, ann)).meta.status).toBe('completed');
});

describe('money that a route takes from the wallets of a domain', () => {
  const routes = (target: string) => ({ routes: [{ action: 'debit', target }] });

  /** `front` takes from `hub`, and that from `vault@north`, which has 10 usd. */
  async function newFront(policy: Json): Promise<Client> {
    const ledger = await newHouse();
    for (const handle of ['north', 'south']) await ledger.make('domains', { handle }, owner);
    await ledger.make('wallets', { handle: 'vault@north', schema: 'vault' }, owner);
    await ledger.settle(owner, 'issue vault@north 10 usd');
    await ledger.make('wallets', { handle: 'hub@south', ...routes('vault@north') }, owner);
    await ledger.make('wallets', { handle: 'front', ...routes('hub@south') }, ann);
    await ledger.make('policies', policyOf(policy), owner);
    return ledger;
  }
  const byFront = (ledger: Client, more: Json = {}) =>
    ledger.submit(ann, ['transfer front bob 5 usd'], more);

  test.each<[policy: string, more: Json]>([
    ['where it lies', { handle: 'eyes@north' }],
    ['of a wallet on its way', { handle: 'eyes@south' }],
    ['on the sources of money', { filter: { 'sources.schema': 'vault' } }],
    ['on wallets', { filter: { 'wallets.handle': 'hub@south' } }],
    ['on what is said to be its source', { filter: { 'sources.schema': { $ne: 'vault' } } }],
  ])('is a matter of the policy %s: %j', async (_, policy) => {
    const ledger = await newFront(policy);
    const item = await byFront(ledger);
    expect(item.meta.status).toBe('pending');
    expect(await sign(ledger, item, ann)).toBe('pending');
    expect(await sign(ledger, item, bob)).toBe('completed');
    expect(await ledger.balances('vault@north')).toEqual({ usd: '5' });
  });

  test('is judged by the routes of the moment when it moves', async () => {
    const ledger = await newHouse();
    await ledger.make('domains', { handle: 'north' }, owner);
    await ledger.make('wallets', { handle: 'vault@north' }, owner);
    await ledger.settle(owner, 'issue vault@north 10 usd');
    const front = await ledger.make('wallets', { handle: 'front' }, ann);
    const byBob = committed(quorum({ handle: 'bob' }));
    await ledger.make('policies', policyOf({ handle: 'eyes@north', values: [byBob] }), owner);
    const byCat = committed(quorum({ handle: 'cat' }));
    await ledger.make('policies', policyOf({ values: [byCat] }), owner);
    const item = await ledger.submit(ann, ['transfer front bob 5 usd']);
    const data = { handle: 'front', ...routes('vault@north'), parent: front.hash };
    const body = { luid: front.luid, ...signed(data, ann) };
    expect((await ledger.put('/wallets/front', body)).status).toBe(200);
    expect(await sign(ledger, item, cat)).toBe('pending');
    expect(await sign(ledger, item, bob)).toBe('completed');
  });

  test('that is reserved stays so, whatever becomes of its routes', async () => {
    const ledger = await newFront({ handle: 'eyes@north' });
    const item = await byFront(ledger, onHold);
    expect(item.meta.status).toBe('prepared');
    const { body } = await ledger.get('/wallets/front');
    const data = signed({ handle: 'front', parent: body.hash }, ann);
    expect((await ledger.put('/wallets/front', { luid: body.luid, ...data })).status).toBe(200);
    expect(await sign(ledger, item, ann, { status: 'committed' })).toBe('prepared');
    expect(await sign(ledger, item, bob, { status: 'committed' })).toBe('completed');
  });

  test('passes in no atomic batch, and its preview says so', async () => {
    const ledger = await newFront({ handle: 'eyes@north' });
    const body = intentBody(['transfer front bob 5 usd'], ann);
    expect((await ledger.post('/intents/!preview', body)).body.data).toMatchObject({
      status: 'pending',
      needsQuorum: true,
    });
    expect((await sendBatch(ledger, 'atomic', [body])).reason).toBe('record.invalid');
    expect(await ledger.balances('vault@north')).toEqual({ usd: '10' });
  });

  test('does not wait where it leads nowhere, and fails', async () => {
    const ledger = await newFront({ handle: 'eyes@north' });
    const filter = { amount: { $gt: 5 } };
    const data = { handle: 'shut', routes: [{ action: 'debit', target: 'vault@north', filter }] };
    await ledger.make('wallets', data, owner);
    expect((await ledger.submit(ann, ['transfer shut bob 5 usd'])).meta.status).toBe('rejected');
    expect((await ledger.submit(ann, ['transfer shut bob 6 usd'])).meta.status).toBe('pending');
  });
});

describe('a policy is refused when it', () => {
  const rows: readonly (readonly [string, Json])[] = [
    ['names a status that intents never have', { values: [{ status: 'active', ...byTwo }] }],
    [
      'names a status that the ledger alone brings',
      { values: [{ status: 'completed', ...byTwo }] },
    ],
    ['names the first status of an intent', { values: [{ status: null, ...byTwo }] }],
    ['names one among several', { values: [{ status: { $in: ['committed', 'failed'] } }] }],
    [
      'names one for proofs of intents',
      { record: 'intent-proof', values: [{ status: 'created' }] },
    ],
    [
      'filters labels by what is derived',
      { schema: 'labels', values: [], filter: { 'wallets.schema': 'vault' } },
    ],
    ...['amounts', 'sources', 'targets', 'wallets', 'wallets.0', 'wallets.hande'].map(
      (path) => [`filters by ${path}, which is no fact`, { filter: { [path]: 'alice' } }] as const,
    ),
    ['filters by a member that no intent has', { filter: { 'amount.usd': { $gte: 5 } } }],
    ['filters by data that no intent has', { filter: { 'data.clams.amount': { $gte: 5 } } }],
    [
      'filters by the sum of a symbol with a dot, which no path leads to',
      { filter: { 'amounts.us.d': { $gte: 5 } } },
    ],
    [
      'filters statuses of any record by all wallets at once',
      { record: 'any', filter: { wallets: { $ne: 'alice' } } },
    ],
    [
      'has rules about other records',
      { schema: 'access', record: 'wallet', values: [{ action: 'read', record: 'symbol' }] },
    ],
  ];
  test.each(rows)('%s', async (_, more) => {
    const ledger = await newLedger(home, owner);
    const reply = await ledger.post('/policies', signed(policyOf(more), owner));
    expect([reply.status, reply.reason, reply.detail]).toEqual([
      422,
      'record.invalid',
      expect.any(String),
    ]);
  });
});

test('a filter that is no filter of any record is refused as such, and a long path is named by its beginning', async () => {
  const ledger = await newLedger(home, owner);
  const long = 'z'.repeat(1_000);
  const rows = [
    [
      '$or',
      "Filter '$or' is an operator in the place of a path; all conditions of a filter must hold.",
    ],
    ...[long, `amounts.${long}`].map((path) => {
      const named = path.slice(0, 256);
      return [path, `Filter '${named}' is not a path of names between dots.`] as const;
    }),
  ] as const;
  for (const [path, why] of rows) {
    const policy = policyOf({ filter: { [path]: [] } });
    const reply = await ledger.post('/policies', signed(policy, owner));
    expect([reply.status, reply.reason, reply.detail]).toEqual([422, 'record.invalid', why]);
  }
});

test('a policy may filter by whatever is derived from the claims', async () => {
  const ledger = await newLedger(home, owner);
  const facts = ['handle', 'schema', 'domain', 'bridge', 'custom', 'custom.tier'];
  const paths = ['sources', 'targets.0', 'wallets'].flatMap((path) =>
    facts.map((fact) => `${path}.${fact}`),
  );
  for (const path of ['amounts.usd', ...paths])
    await ledger.make('policies', policyOf({ filter: { [path]: 'x' } }), owner);
});

test('an intent that takes too much work to judge is refused, and nothing is stored', async () => {
  const ledger = await newHouse({ filter: { 'custom.t': { $regex: '[a-y]{1,40}z' } } });
  const data = { handle: unique('intent'), claims: [claimOf('transfer alice bob 5 usd')] };
  const custom = { t: Array.from({ length: 50 }, (_, n) => 'a'.repeat(4_000 + n)) };
  const reply = await ledger.post('/intents', signed({ ...data, custom }, ann));
  expect([reply.status, reply.reason]).toEqual([422, 'record.status-policy-violation']);
  expect((await ledger.make('intents', data, ann)).meta.status).toBe('completed');
});

test('a proof that was signed before the policy was made completes nothing by itself', async () => {
  const ledger = await newHouse();
  const item = await pay(ledger, ann, onHold);
  const proof = proofOf(item.hash, ann, { moment: now(), status: 'committed' });
  await ledger.make('policies', policyOf(), owner);
  const reply = await ledger.post(`/intents/${item.luid}/proofs`, proof);
  expect([reply.status, reply.body.meta.status]).toEqual([200, 'prepared']);
});
