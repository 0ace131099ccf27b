/**
 * Goal: policies say which statuses and labels records may have, and who may bring them. What is asked
 * for by others is kept and changes nothing. Ruling 66, Decisions 28 and 29.
 */
import { describe, expect, test } from 'vitest';
import {
  type Client,
  claimOf,
  farewell,
  type Item,
  type Json,
  type Key,
  newKey,
  newLedger,
  now,
  proofOf,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { sharedHome } from '../fixture/served.ts';

const owner = newKey();
const [ann, bob, cat, stranger] = [newKey(), newKey(), newKey(), newKey()];

const home = await sharedHome();

const quorum = (...matchers: Json[]) => ({ quorum: matchers });
const byAnn = quorum({ handle: 'ann' });
const byTwo = quorum({ handle: 'ann' }, { handle: 'bob' });

/** A new ledger with the signers `ann`, `bob` and `cat`, who are `staff`, and the policies given. */
async function newHouse(...policies: Json[]): Promise<Client> {
  const ledger = await newLedger(home, owner);
  await ledger.make('circles', { handle: 'staff' }, owner);
  for (const [handle, { public: key }] of [
    ['ann', ann],
    ['bob', bob],
    ['cat', cat],
  ] as const) {
    const custom = { level: handle === 'cat' ? 1 : 3 };
    const data = { handle, public: key, format: 'ed25519-raw', schema: 'person', custom };
    await ledger.make('signers', data, owner);
  }
  for (const signer of ['ann', 'bob'])
    await ledger.post('/circles/staff/signers', signed({ circle: 'staff', signer }, owner));
  for (const policy of policies) await newPolicy(ledger, policy);
  return ledger;
}
const policyOf = (more: Json): Json => ({
  handle: unique('policy'),
  schema: 'status',
  record: 'wallet',
  values: [],
  ...more,
});
const newPolicy = (ledger: Client, more: Json) => ledger.make('policies', policyOf(more), owner);
const newWallet = (ledger: Client, more: Json = {}) =>
  ledger.make('wallets', { handle: unique('wallet'), ...more }, owner);

let count = 0;
/** Adds a proof that says this; no two are alike. */
function prove(ledger: Client, item: Item, key: Key, custom: Json, group = 'wallets') {
  count += 1;
  return ledger.prove(group, item, key, { count, ...custom });
}
/** The status after a proof that asks for one, or why it was refused. */
async function asking(ledger: Client, item: Item, key: Key, status: unknown): Promise<unknown> {
  const { reason, body } = await prove(ledger, item, key, { status });
  return reason ?? body.meta.status;
}
async function labelling(ledger: Client, item: Item, key: Key, labels: unknown): Promise<unknown> {
  const { reason, body } = await prove(ledger, item, key, { labels });
  return reason ?? body.meta.labels;
}
const statusRefused = 'record.status-policy-violation';
const labelsRefused = 'record.labels-policy-violation';

describe('a status', () => {
  test('is anybody’s while no policy speaks of the record', async () => {
    const ledger = await newHouse({ record: 'symbol' }, { schema: 'labels' }, { schema: 'access' });
    const item = await newWallet(ledger);
    expect(await asking(ledger, item, stranger, 'odd')).toBe('odd');
  });

  test('is also spoken of by a policy about the proofs of its kind, Ruling 77', async () => {
    const values = [{ status: 'active', ...byAnn }];
    const ledger = await newHouse({ record: 'wallet-proof', values });
    const item = await newWallet(ledger);
    expect(await asking(ledger, item, stranger, 'odd')).toBe(statusRefused);
    expect(await asking(ledger, item, bob, 'active')).toBe('created');
    expect(await asking(ledger, item, ann, 'active')).toBe('active');
    const reply = await ledger.post('/policies', signed(policyOf({ record: 'bank-proof' }), owner));
    expect([reply.status, reply.reason]).toEqual([422, 'record.schema-invalid']);
  });

  test('that no value allows is refused, and nothing is kept', async () => {
    const ledger = await newHouse({ values: [{ status: 'active' }] });
    const item = await newWallet(ledger);
    const reply = await prove(ledger, item, owner, { status: 'frozen' });
    expect([reply.status, reply.reason, reply.custom]).toEqual([
      422,
      statusRefused,
      { status: 'frozen' },
    ]);
    expect((await ledger.get(`/wallets/${item.luid}`)).body).toEqual(item);
    expect(await asking(ledger, item, owner, 'active')).toBe('active');
    const { body } = await prove(ledger, item, stranger, { remark: 'asks for nothing' });
    expect(body.meta.status).toBe('active');
  });

  test('by somebody outside the quorum is kept without effect', async () => {
    const ledger = await newHouse({ values: [{ status: 'active', ...byAnn }] });
    const item = await newWallet(ledger);
    const reply = await prove(ledger, item, bob, { status: 'active' });
    expect([reply.status, reply.body.meta.status]).toEqual([200, 'created']);
    const last = reply.body.meta.proofs.at(-1);
    expect([last?.signer, last?.custom?.['status']]).toEqual(['bob', 'active']);
    expect(await asking(ledger, item, stranger, 'active')).toBe('created');
    expect(await asking(ledger, item, ann, 'active')).toBe('active');
    const { items } = await ledger.get(`/wallets/${item.luid}/changes`);
    expect(items.map(({ meta }) => meta.status)).toEqual([
      'active',
      'created',
      'created',
      'created',
    ]);
  });

  test.each<[string, unknown, unknown, unknown]>([
    ['a text', 'active', 'active', 'active'],
    ['another text', 'active', 'frozen', statusRefused],
    ['one of several', { $in: ['active', 'frozen'] }, 'frozen', 'frozen'],
    ['none of several', { $in: ['active', 'frozen'] }, 'closed', statusRefused],
    ['any', undefined, 'closed', 'closed'],
    ['null', null, null, 'created'],
    ['null, but not its name', null, 'created', statusRefused],
    ['null among several', { $in: [null, 'active'] }, null, 'created'],
  ])('by a value for %s', async (_, status, asked, expected) => {
    const ledger = await newHouse();
    const item = await newWallet(ledger);
    await asking(ledger, item, owner, 'before');
    await newPolicy(ledger, { values: [status === undefined ? {} : { status }] });
    expect(await asking(ledger, item, owner, asked)).toBe(expected);
  });

  test('null asks for the first one again', async () => {
    const ledger = await newHouse();
    const item = await newWallet(ledger);
    expect(await asking(ledger, item, owner, 'active')).toBe('active');
    expect(await asking(ledger, item, owner, null)).toBe('created');
  });

  test('of an intent is the ledger’s, whatever policies say', async () => {
    const ledger = await newHouse({ record: 'any', values: [] });
    await ledger.make('wallets', { handle: 'alice' }, owner);
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
    const intent = await ledger.settle(owner, 'issue alice 5 usd');
    const { status, body } = await prove(ledger, intent, owner, { status: 'odd' }, 'intents');
    expect([status, body.meta.status]).toEqual([200, 'completed']);
  });
});

describe('who is meant, Ruling 32:', () => {
  const cases: readonly (readonly [string, Json, Key, boolean])[] = [
    ['a handle', { handle: 'ann' }, ann, true],
    ['another handle', { handle: 'ann' }, bob, false],
    ['handles', { handle: { $in: ['bob', 'ann'] } }, bob, true],
    ['a pattern', { handle: { $regex: '^(ann|bob)$' } }, cat, false],
    ['a key', { public: stranger.public }, stranger, true],
    ['another key', { public: stranger.public }, ann, false],
    ['a format', { format: 'ed25519-raw' }, stranger, true],
    ['a schema', { schema: 'person' }, ann, true],
    ['a schema that a stranger has not', { schema: 'person' }, stranger, false],
    ['what is said of the signer', { custom: { level: { $gte: 3 } } }, ann, true],
    ['what is not said of the signer', { custom: { level: { $gte: 3 } } }, cat, false],
    ['a circle', { $circle: 'staff' }, bob, true],
    ['a circle of others', { $circle: 'staff' }, cat, false],
    ['a circle that is not there', { $circle: 'nobody' }, ann, false],
    ['one of several circles', { $circle: { $in: ['nobody', 'staff'] } }, ann, true],
    ['the owner of the record', { $record: 'owner' }, owner, true],
    ['not the owner of the record', { $record: 'owner' }, ann, false],
    ['the owner of the ledger', { $ledger: 'owner' }, owner, true],
    ['not the owner of the ledger', { $ledger: 'owner' }, ann, false],
    ['any of these', { $in: [{ handle: 'cat' }, { $circle: 'staff' }] }, ann, true],
    ['none of these', { $in: [{ handle: 'bob' }, { $circle: 'staff' }] }, cat, false],
    ['all of this', { handle: 'ann', $circle: 'staff' }, ann, true],
    ['not all of this', { handle: 'cat', $circle: 'staff' }, cat, false],
    ['everyone', {}, stranger, true],
  ];
  test.each(cases)('%s', async (_, matcher, key, isMeant) => {
    const ledger = await newHouse({ values: [{ status: 'active', ...quorum(matcher) }] });
    const item = await newWallet(ledger);
    expect(await asking(ledger, item, key, 'active')).toBe(isMeant ? 'active' : 'created');
  });

  test('the owner of the record is not that of the ledger', async () => {
    const ledger = await newHouse({ values: [quorum({ $ledger: 'owner' })] });
    const item = await ledger.make('wallets', { handle: unique('wallet') }, ann);
    expect(await asking(ledger, item, ann, 'active')).toBe('created');
    expect(await asking(ledger, item, owner, 'active')).toBe('active');
  });

  test('a member who left the circle, and one of an inactive circle, are none', async () => {
    const ledger = await newHouse({ values: [quorum({ $circle: 'staff' })] });
    const item = await newWallet(ledger);
    expect(await asking(ledger, item, ann, 'active')).toBe('active');
    const { body: link } = await ledger.get('/circles/staff/signers/ann');
    await ledger.post('/circles/staff/signers/ann/drop', farewell(link, owner));
    expect(await asking(ledger, item, ann, 'frozen')).toBe('active');
    expect(await asking(ledger, item, bob, 'frozen')).toBe('frozen');
    const { body: circle } = await ledger.get('/circles/staff');
    await prove(ledger, circle, owner, { status: 'inactive' }, 'circles');
    expect(await asking(ledger, item, bob, 'active')).toBe('frozen');
  });

  test('a signer is known by each of their keys', async () => {
    const ledger = await newHouse({ values: [byAnn] });
    const second = newKey();
    const data = { handle: 'second', signer: 'ann', schema: 'key-pair', format: 'ed25519-raw' };
    await ledger.make('signers/ann/factors', { ...data, public: second.public }, owner);
    const item = await newWallet(ledger);
    expect(await asking(ledger, item, second, 'active')).toBe('active');
  });

  test('a circle of the same name in another ledger is nothing', async () => {
    await newHouse();
    const ledger = await newLedger(home, owner);
    await newPolicy(ledger, { values: [quorum({ $circle: 'staff' })] });
    const item = await newWallet(ledger);
    expect(await asking(ledger, item, ann, 'active')).toBe('created');
  });
});

describe('a quorum of two, Decision 28:', () => {
  test('takes two, in any order', async () => {
    const ledger = await newHouse({ values: [byTwo] });
    for (const [first, second] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      const item = await newWallet(ledger);
      expect(await asking(ledger, item, first, 'active')).toBe('created');
      expect(await asking(ledger, item, second, 'active')).toBe('active');
    }
  });

  test('takes two who ask for the same', async () => {
    const ledger = await newHouse({ values: [byTwo] });
    const item = await newWallet(ledger);
    expect(await asking(ledger, item, ann, 'active')).toBe('created');
    expect(await asking(ledger, item, bob, 'frozen')).toBe('created');
    expect(await asking(ledger, item, ann, 'frozen')).toBe('frozen');
  });

  test('takes two signers: one with two keys, or with two proofs, is one', async () => {
    const two = quorum({ $circle: 'staff' }, { $circle: 'staff' });
    const ledger = await newHouse({ values: [two] });
    const second = newKey();
    const data = { handle: 'second', signer: 'ann', schema: 'key-pair', format: 'ed25519-raw' };
    await ledger.make('signers/ann/factors', { ...data, public: second.public }, owner);
    const item = await newWallet(ledger);
    for (const key of [ann, ann, second])
      expect(await asking(ledger, item, key, 'active')).toBe('created');
    expect(await asking(ledger, item, cat, 'active')).toBe('created');
    expect(await asking(ledger, item, bob, 'active')).toBe('active');
  });

  test('is not completed from outside', async () => {
    const ledger = await newHouse();
    const item = await newWallet(ledger);
    for (const key of [ann, bob]) await asking(ledger, item, key, 'active');
    await asking(ledger, item, owner, 'frozen');
    await newPolicy(ledger, { values: [byTwo] });
    expect(await asking(ledger, item, stranger, 'active')).toBe('frozen');
  });

  test('is asked anew for each change: a proof counts once', async () => {
    const ledger = await newHouse({
      values: [{ status: 'active', ...byTwo }, { status: 'frozen' }],
    });
    const item = await newWallet(ledger);
    await asking(ledger, item, ann, 'active');
    expect(await asking(ledger, item, bob, 'active')).toBe('active');
    expect(await asking(ledger, item, stranger, 'frozen')).toBe('frozen');
    expect(await asking(ledger, item, bob, 'active')).toBe('frozen');
    expect(await asking(ledger, item, stranger, 'frozen')).toBe('frozen');
    expect(await asking(ledger, item, ann, 'active')).toBe('active');
  });

  test('is asked anew for new data', async () => {
    const ledger = await newHouse({ values: [byTwo] });
    const item = await newWallet(ledger);
    await asking(ledger, item, ann, 'active');
    const change = revision(item, { custom: { limit: 1_000_000 } }, owner);
    const { body: next } = await ledger.put(`/wallets/${item.luid}`, change);
    expect(await asking(ledger, next, bob, 'active')).toBe('created');
    expect(await asking(ledger, next, ann, 'active')).toBe('active');
  });

  test('is not asked of the ledger’s own proof', async () => {
    const ledger = await newHouse({ values: [quorum({}, {})] });
    const item = await newWallet(ledger);
    await asking(ledger, item, ann, 'active');
    await asking(ledger, item, bob, 'active');
    expect(await asking(ledger, item, ann, 'created')).toBe('active');
  });
});

describe('a policy', () => {
  test('for any kind speaks of all, and one that grants is enough', async () => {
    const ledger = await newHouse(
      { record: 'any', values: [{ status: 'active', ...byAnn }] },
      { values: [{ status: 'frozen' }] },
    );
    const item = await newWallet(ledger);
    expect(await asking(ledger, item, stranger, 'frozen')).toBe('frozen');
    expect(await asking(ledger, item, stranger, 'active')).toBe('frozen');
    expect(await asking(ledger, item, ann, 'active')).toBe('active');
    const symbol = await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
    const reply = await prove(ledger, symbol, ann, { status: 'frozen' }, 'symbols');
    expect(reply.reason).toBe(statusRefused);
  });

  test('speaks of the records that its filter finds, as they stand', async () => {
    const ledger = await newHouse({
      filter: { 'data.schema': 'bank', 'meta.status': { $ne: 'open' }, 'custom.level': { $gt: 1 } },
      values: [{ status: 'active' }],
    });
    const item = await newWallet(ledger, { schema: 'bank', custom: { level: 2 } });
    const other = await newWallet(ledger, { schema: 'shop', custom: { level: 2 } });
    expect(await asking(ledger, item, owner, 'open')).toBe(statusRefused);
    expect(await asking(ledger, other, owner, 'open')).toBe('open');
    expect(await asking(ledger, item, owner, 'active')).toBe('active');
  });

  test('is enforced unless it is inactive', async () => {
    const ledger = await newHouse();
    const policy = await newPolicy(ledger, { values: [{ status: 'active' }] });
    const item = await newWallet(ledger);
    expect(await asking(ledger, item, owner, 'odd')).toBe(statusRefused);
    await prove(ledger, policy, owner, { status: 'inactive' }, 'policies');
    expect(await asking(ledger, item, owner, 'odd')).toBe('odd');
    await prove(ledger, policy, owner, { status: 'active' }, 'policies');
    expect(await asking(ledger, item, owner, 'odd')).toBe(statusRefused);
  });

  test('ends when it is dropped, and counts as it is updated', async () => {
    const ledger = await newHouse();
    const policy = await newPolicy(ledger, { values: [{ status: 'active' }] });
    const item = await newWallet(ledger);
    const change = revision(policy, { values: [{ status: 'odd' }] }, owner);
    const { body: next } = await ledger.put(`/policies/${policy.luid}`, change);
    expect(await asking(ledger, item, owner, 'active')).toBe(statusRefused);
    expect(await asking(ledger, item, owner, 'odd')).toBe('odd');
    await ledger.post(`/policies/${policy.luid}/drop`, farewell(next, owner));
    expect(await asking(ledger, item, owner, 'active')).toBe('active');
  });

  test('is nothing to another ledger', async () => {
    await newHouse({ values: [] });
    const ledger = await newLedger(home, owner);
    expect(await asking(ledger, await newWallet(ledger), owner, 'odd')).toBe('odd');
  });

  test('speaks of the ledger itself, too', async () => {
    const ledger = await newHouse({ record: 'ledger', values: [{ status: 'open', ...byAnn }] });
    const { body: record } = await ledger.get('/ledger');
    const asks = async (key: Key, status: string) => {
      const proof = proofOf(record.hash, key, { moment: now(), status });
      const { reason, body } = await ledger.post('/ledger/proofs', proof);
      return reason ?? body.meta.status;
    };
    expect(await asks(owner, 'closed')).toBe(statusRefused);
    expect(await asks(owner, 'open')).toBe('created');
    expect(await asks(ann, 'open')).toBe('open');
  });
});

describe('a policy that extends others', () => {
  test('has their values, wherever they are for', async () => {
    const ledger = await newHouse();
    const base = await newPolicy(ledger, { record: 'symbol', values: [{ status: 'active' }] });
    const more = await newPolicy(ledger, { record: 'report', values: [{ status: 'frozen' }] });
    const extend = [base.data['handle'], more.data['handle']];
    await newPolicy(ledger, { values: [{ status: 'closed' }], extend });
    const item = await newWallet(ledger);
    for (const status of ['active', 'frozen', 'closed'])
      expect(await asking(ledger, item, owner, status)).toBe(status);
    expect(await asking(ledger, item, owner, 'odd')).toBe(statusRefused);
    await prove(ledger, base, owner, { status: 'inactive' }, 'policies');
    expect(await asking(ledger, item, owner, 'active')).toBe(statusRefused);
  });

  test('needs them to be there, of its own schema, and not itself', async () => {
    const ledger = await newHouse();
    const labels = await newPolicy(ledger, { schema: 'labels' });
    const base = await newPolicy(ledger, {});
    const above = await newPolicy(ledger, { extend: base.data['handle'] });
    const make = async (extend: unknown) =>
      (await ledger.post('/policies', signed(policyOf({ extend }), owner))).reason;
    expect(await make('nobody')).toBe('record.relation-not-found');
    expect(await make(labels.data['handle'])).toBe('record.invalid');
    const circle = revision(base, { extend: [above.data['handle']] }, owner);
    const reply = await ledger.put(`/policies/${base.luid}`, circle);
    expect([reply.status, reply.reason]).toEqual([422, 'record.invalid']);
  });
});

describe('labels that one record alone may have, Ruling 75:', () => {
  const sole = { schema: 'labels', values: [{ labels: 'first', unique: true }, { labels: 'any' }] };

  test('are given to one, until it has them no more', async () => {
    const ledger = await newHouse(sole, { schema: 'labels', record: 'symbol', values: [] });
    const [one, other] = [await newWallet(ledger), await newWallet(ledger)];
    expect(await labelling(ledger, one, owner, { $set: ['first', 'any'] })).toEqual([
      'first',
      'any',
    ]);
    const { reason, body } = await prove(ledger, other, owner, { labels: ['any', 'first'] });
    expect([reason, Object(body.data)['custom']]).toEqual([labelsRefused, { label: 'first' }]);
    expect(await labelling(ledger, other, owner, ['any'])).toEqual(['any']);
    // What it has it may keep.
    expect(await labelling(ledger, one, owner, ['any', 'first'])).toEqual(['any', 'first']);
    expect(await labelling(ledger, one, owner, { $push: 'first' })).toEqual(labelsRefused);
    expect(await labelling(ledger, one, owner, { $pull: 'first' })).toEqual(['any']);
  });

  test('are given to nobody where it takes too much work to say who is meant', async () => {
    const filter = { 'custom.t': { $regex: '[a-y]{1,40}z' } };
    const ledger = await newHouse({ ...sole, filter });
    const [one, other] = [
      await newWallet(ledger, { custom: { t: 'az' } }),
      await newWallet(ledger, { custom: { t: 'az' } }),
    ];
    expect(await labelling(ledger, one, owner, ['first'])).toEqual(['first']);
    const long = revision(one, { custom: { t: 'a'.repeat(100_000) } }, owner);
    expect((await ledger.put(`/wallets/${one.luid}`, long)).status).toBe(200);
    expect(await labelling(ledger, other, owner, ['first'])).toEqual(labelsRefused);
  });

  test('are given to one of all who are asked for at once', async () => {
    const ledger = await newHouse(sole);
    const items = await Promise.all(Array.from({ length: 8 }, () => newWallet(ledger)));
    const told = await Promise.all(items.map((item) => labelling(ledger, item, owner, ['first'])));
    const refusals = told.filter((one) => one === labelsRefused);
    expect([refusals.length, told.length]).toEqual([7, 8]);
    const { items: found } = await ledger.get('/wallets?meta.labels=first');
    expect(found).toHaveLength(1);
  });

  test('are nothing to records of another kind, nor to those that no policy speaks of', async () => {
    const ledger = await newHouse({
      ...sole,
      filter: { 'data.custom.kind': 'vault' },
    });
    const make = (kind: string) =>
      ledger.make('wallets', { handle: unique('w'), custom: { kind } }, owner);
    const [vault, purse] = [await make('vault'), await make('purse')];
    expect(await labelling(ledger, purse, owner, ['first'])).toEqual(['first']);
    expect(await labelling(ledger, vault, owner, ['first'])).toEqual(['first']);
    expect(await labelling(ledger, await make('vault'), owner, ['first'])).toBe(labelsRefused);
  });
});

describe('labels', () => {
  test('are anybody’s while no policy speaks of the record', async () => {
    const ledger = await newHouse({ values: [] }, { schema: 'labels', record: 'symbol' });
    expect(await labelling(ledger, await newWallet(ledger), stranger, ['odd'])).toEqual(['odd']);
  });

  test('that no value names are refused, and may go', async () => {
    const ledger = await newHouse();
    const item = await newWallet(ledger);
    await labelling(ledger, item, owner, ['old']);
    await newPolicy(ledger, { schema: 'labels', values: [{ labels: ['vip'] }] });
    const reply = await prove(ledger, item, owner, { labels: ['old', 'vip', 'odd'] });
    expect([reply.status, reply.reason, reply.custom]).toEqual([
      422,
      labelsRefused,
      { label: 'odd' },
    ]);
    expect(await labelling(ledger, item, owner, { $push: 'vip' })).toEqual(['old', 'vip']);
    expect(await labelling(ledger, item, owner, { $pull: 'old' })).toEqual(['vip']);
  });

  test('come and go by their quorum, all or none', async () => {
    const ledger = await newHouse({
      schema: 'labels',
      values: [{ labels: { $in: ['vip', 'gold'] }, ...byAnn }, { labels: 'new' }],
    });
    const item = await newWallet(ledger);
    const reply = await prove(ledger, item, bob, { labels: ['new', 'vip'] });
    expect([reply.status, reply.body.meta.labels]).toEqual([200, undefined]);
    expect(await labelling(ledger, item, bob, ['new'])).toEqual(['new']);
    expect(await labelling(ledger, item, ann, { $push: 'vip' })).toEqual(['new', 'vip']);
    expect(await labelling(ledger, item, bob, { $pull: 'vip' })).toEqual(['new', 'vip']);
    expect(await labelling(ledger, item, bob, ['vip'])).toEqual(['vip']);
    expect(await labelling(ledger, item, ann, [])).toEqual([]);
  });

  test('by a quorum of two, who ask for the same', async () => {
    const ledger = await newHouse({ schema: 'labels', values: [{ labels: 'vip', ...byTwo }] });
    const item = await newWallet(ledger);
    expect(await labelling(ledger, item, ann, { $push: 'vip' })).toBeUndefined();
    expect(await labelling(ledger, item, bob, { $push: 'vip' })).toEqual(['vip']);
    expect(await labelling(ledger, item, bob, [])).toEqual(['vip']);
    expect(await labelling(ledger, item, ann, [])).toEqual([]);
  });

  test('and a status of the same proof are judged each alone', async () => {
    const ledger = await newHouse(
      { values: [{ status: 'active', ...byAnn }] },
      { schema: 'labels', values: [{ labels: 'new' }] },
    );
    const item = await newWallet(ledger);
    const { body } = await prove(ledger, item, bob, { status: 'active', labels: ['new'] });
    expect([body.meta.status, body.meta.labels]).toEqual(['created', ['new']]);
    const reply = await prove(ledger, item, ann, { status: 'active', labels: ['odd'] });
    expect(reply.reason).toBe(labelsRefused);
    expect((await ledger.get(`/wallets/${item.luid}`)).body.meta.status).toBe('created');
  });

  test('of an intent are asked for like any other', async () => {
    const ledger = await newHouse({ schema: 'labels', record: 'intent', values: [] });
    await ledger.make('wallets', { handle: 'alice' }, owner);
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
    const intent = await ledger.make(
      'intents',
      { handle: 'rent', claims: [claimOf('issue alice 5 usd')] },
      owner,
    );
    const reply = await prove(ledger, intent, owner, { labels: ['odd'] }, 'intents');
    expect(reply.reason).toBe(labelsRefused);
  });
});

describe('what is no policy is refused', () => {
  const deep = (depth: number): Json => (depth === 0 ? {} : { $in: [deep(depth - 1)] });
  const circles = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ $circle: `circle-${index}` }));

  test.each<[string, Json, string[]]>([
    ['of another schema', { schema: 'schedule' }, ['/data/schema enum']],
    ['for a kind that there is not', { record: 'car' }, ['/data/record enum']],
    ['with a status that is a number', { values: [{ status: 5 }] }, ['/data/values/0/status type']],
    [
      'for the status of what has ended',
      { values: [{ status: 'dropped' }] },
      ['/data/values/0/status format'],
    ],
    [
      'with a member that nobody knows',
      { values: [{}, { state: 'a' }] },
      ['/data/values/1 additionalProperties'],
    ],
    [
      'with statuses that are none',
      { values: [{ status: { $in: [] } }] },
      ['/data/values/0/status/$in minItems'],
    ],
    [
      'with a quorum that is none',
      { values: [quorum('ann' as never)] },
      ['/data/values/0/quorum/0 type'],
    ],
    [
      'with a matcher that nobody knows',
      { values: [quorum({ name: 'ann' })] },
      ['/data/values/0/quorum/0 additionalProperties'],
    ],
    [
      'with an operator that nobody knows',
      { values: [quorum({ handle: { $like: 'a' } })] },
      ['/data/values/0/quorum/0/handle additionalProperties'],
    ],
    [
      'with an owner of something else',
      { values: [quorum({ $record: 'author' })] },
      ['/data/values/0/quorum/0/$record const'],
    ],
    [
      'with every fault',
      { values: [{ status: 5 }, quorum({ $circle: 7 })] },
      ['/data/values/0/status type', '/data/values/1/quorum/0/$circle type'],
    ],
    ['for labels, without any', { schema: 'labels', values: [{}] }, ['/data/values/0 required']],
    [
      'for labels that are none',
      { schema: 'labels', values: [{ labels: [''] }] },
      ['/data/values/0/labels/0 minLength'],
    ],
  ])('%s', async (_, more, expected) => {
    const reply = await home.post('/policies', signed(policyOf(more), owner));
    expect([reply.status, reply.reason]).toEqual([422, 'record.schema-invalid']);
    const errors = reply.custom['errors'] as { instancePath: string; keyword: string }[];
    expect(errors.map((one) => `${one.instancePath} ${one.keyword}`).sort()).toEqual(expected);
  });

  test.each<[string, Json]>([
    ['with a filter that cannot be judged', { filter: { a: { $near: 1 } } }],
    ['with an operator in the place of a path', { filter: { $or: [{ 'data.handle': 'x' }] } }],
    ['with a pattern that is none', { values: [quorum({ handle: { $regex: '(' } })] }],
    [
      'with a condition that cannot be judged',
      { values: [quorum({ custom: { a: { $gt: [] } } })] },
    ],
    [
      'with too many circles',
      {
        values: [
          quorum({ $in: circles(16) }),
          quorum({ $in: circles(33).slice(16, 32) }),
          quorum(...circles(33).slice(32)),
        ],
      },
    ],
  ])('%s', async (_, more) => {
    const reply = await home.post('/policies', signed(policyOf(more), owner));
    expect([reply.status, reply.reason]).toEqual([422, 'record.invalid']);
  });

  test('also as an update', async () => {
    const ledger = await newHouse();
    const policy = await newPolicy(ledger, {});
    const change = revision(policy, { values: [{ status: 5 }] }, owner);
    const reply = await ledger.put(`/policies/${policy.luid}`, change);
    expect([reply.status, reply.reason]).toEqual([422, 'record.schema-invalid']);
  });

  test('but matchers within matchers are', async () => {
    const reply = await home.post(
      '/policies',
      signed(policyOf({ record: 'report', values: [quorum(deep(8))] }), owner),
    );
    expect(reply.status, reply.text).toBe(201);
  });
});
