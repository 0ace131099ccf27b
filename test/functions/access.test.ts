/** Goal: what rules grant is done and shown, and nothing else; rules are those of now. Rulings 30 to 36. */
import { describe, expect, test } from 'vitest';
import {
  type Client,
  farewell,
  type Item,
  type Json,
  type Key,
  newKey,
  newLedger,
  newOwnLedger,
  now,
  proofOf,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import {
  ann,
  bob,
  byKey,
  byToken,
  creating,
  forbidden,
  houseOf,
  missing,
  outcome,
  owner,
  proving,
  reading,
  signer,
  unauthorized,
  updating,
  wallet,
} from '../fixture/house.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

const home = await sharedHome();

const house = (...access: Json[]) => houseOf(home, ...access);

describe('a ledger is open', () => {
  const rules = [{ action: 'read', record: 'symbol' }];
  const ways: Readonly<Record<string, (ledger: Client) => Promise<unknown>>> = {
    'a rule of its own': async (ledger) => {
      const { body } = await ledger.get('/ledger');
      await ledger.put('/ledger', revision(body, { access: rules }, owner));
    },
    'the rule of a circle': (ledger) =>
      ledger.make('circles', { handle: 'staff', access: rules }, owner),
    'the rule of a domain': (ledger) =>
      ledger.make('domains', { handle: 'bank', access: rules }, owner),
    'a policy for access': (ledger) =>
      ledger.make(
        'policies',
        { handle: 'p', schema: 'access', record: 'symbol', values: rules },
        owner,
      ),
  };

  test.each(Object.keys(ways))('until %s governs it', async (way) => {
    const ledger = await newOwnLedger(home, owner, { access: [] });
    const own = await wallet(ledger, {}, ann);
    expect(await reading(ledger, '/wallets')).toEqual([200]);
    await ways[way]?.(ledger);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual(forbidden);
    expect(await reading(ledger, '/wallets')).toEqual(unauthorized);
    // Her own are hers, which no list is asked for.
    expect(await reading(ledger, `/wallets/${own.luid}`, ann)).toEqual([200]);
    expect(await reading(ledger, '/wallets', ann)).toEqual(forbidden);
    expect(await reading(ledger, '/wallets', bob)).toEqual(forbidden);
  });

  test('whatever single records, circles without rules and inactive policies say', async () => {
    const ledger = await newOwnLedger(home, owner, { access: [] });
    await wallet(ledger, { access: [{ action: 'read', ...byKey(ann) }] });
    await signer(ledger, 'ann', ann, { access: [{ action: 'read', ...byKey(ann) }] });
    await ledger.make('circles', { handle: 'staff' }, owner);
    expect(await creating(ledger, 'wallets', {}, bob)).toEqual([201]);
    expect(await reading(ledger, '/wallets')).toEqual([200]);
  });
});

describe('a ledger that was made without rules', () => {
  test('belongs to its owners', async () => {
    const ledger = await newOwnLedger(home, owner);
    const item = await wallet(ledger);
    for (const path of [`/wallets/${item.luid}`, '/wallets/nobody', '/ledger', '/ledger/changes']) {
      const isThere = !path.endsWith('nobody');
      expect(await reading(ledger, path, owner)).toEqual(isThere ? [200] : missing);
      expect(await reading(ledger, path)).toEqual(unauthorized);
      expect(await reading(ledger, path, ann)).toEqual(forbidden);
    }
    expect(await reading(ledger, '/wallets')).toEqual(unauthorized);
    expect(await reading(ledger, '/wallets', ann)).toEqual(forbidden);
    expect((await ledger.get('/wallets', bearing(owner))).items).toHaveLength(1);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual(forbidden);
    expect(await updating(ledger, 'wallets', item, { custom: {} }, ann)).toEqual(forbidden);
  });

  test('shows its key to everyone', async () => {
    const ledger = await newOwnLedger(home, owner);
    expect(await reading(ledger, '/signers/system')).toEqual([200]);
    await signer(ledger, 'ann', ann);
    expect(await reading(ledger, '/signers/ann')).toEqual(unauthorized);
    expect((await ledger.get('/signers')).items.map(({ data }) => data.handle)).toEqual(['system']);
  });

  test('is not to be seen through another one, nor changed', async () => {
    const { ledger: handle = '' } = await newOwnLedger(home, owner);
    const path = `/ledgers/${handle}`;
    expect(await reading(home, path)).toEqual(missing);
    const { body: item } = await home.get(path, bearing(owner));
    const through = await newLedger(home, ann);
    expect(await reading(through, path, ann)).toEqual(missing);
    expect(await updating(through, 'ledgers', item, { access: [] }, ann)).toEqual(missing);
    expect(await updating(through, 'ledgers', item, { custom: { n: 1 } }, owner)).toEqual([200]);
  });
});

test('owners may do anything with their own records, and nothing with others', async () => {
  const ledger = await house({ action: 'create', record: 'wallet' });
  const [own, other] = [await wallet(ledger, {}, ann), await wallet(ledger, {}, bob)];
  expect(await reading(ledger, `/wallets/${own.luid}`, ann)).toEqual([200]);
  expect(await reading(ledger, `/wallets/${own.luid}/balances`, ann)).toEqual([200]);
  expect(await reading(ledger, `/wallets/${other.luid}`, ann)).toEqual(forbidden);
  expect(await proving(ledger, 'wallets', own, ann)).toEqual([200]);
  expect(await proving(ledger, 'wallets', other, ann)).toEqual(forbidden);
  expect(await updating(ledger, 'wallets', own, { custom: { n: 1 } }, ann)).toEqual([200]);
  expect(await updating(ledger, 'wallets', other, { custom: { n: 1 } }, ann)).toEqual(forbidden);
  const drop = (item: Item, key: Key) =>
    ledger.send('DELETE', `/wallets/${item.luid}`, farewell(item, key));
  expect(outcome(await drop(other, ann))).toEqual(forbidden);
  expect(outcome(await drop(other, bob))).toEqual([204]);
  expect(await reading(ledger, `/wallets/${other.luid}/changes`, bob)).toEqual([200]);
  expect(await reading(ledger, `/wallets/${other.luid}/changes`, ann)).toEqual(forbidden);
  expect(await reading(ledger, `/wallets/${other.luid}/changes/1`, ann)).toEqual(forbidden);
});

describe('a circle', () => {
  const access = [{ action: 'any', record: 'wallet' }];

  test('gives its rights to its members, as long as they are members', async () => {
    const ledger = await house();
    const circle = await ledger.make('circles', { handle: 'staff', access }, owner);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual(forbidden);
    const link = signed({ circle: 'staff', signer: 'ann' }, owner);
    const { body: made } = await ledger.post('/circles/staff/signers', link);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual([201]);
    const { luid } = await wallet(ledger);
    expect(await reading(ledger, `/wallets/${luid}`, ann)).toEqual([200]);
    expect(await creating(ledger, 'wallets', {}, bob)).toEqual(forbidden);
    expect(await creating(ledger, 'symbols', { factor: 1 }, ann)).toEqual(forbidden);
    expect(await proving(ledger, 'circles', circle, owner, { status: 'inactive' })).toEqual([200]);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual(forbidden);
    expect(await proving(ledger, 'circles', circle, owner, { status: 'active' })).toEqual([200]);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual([201]);
    const path = '/circles/staff/signers/ann/drop';
    expect((await ledger.post(path, farewell(made, owner))).status).toBe(204);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual(forbidden);
    expect(await reading(ledger, `/wallets/${luid}`, ann)).toEqual(forbidden);
  });

  test('is joined and left by whom the rules allow it', async () => {
    const ledger = await house(
      { action: 'assign-signer', record: 'circle', ...byKey(ann) },
      { action: 'remove-signer', record: 'circle', ...byKey(bob) },
    );
    await ledger.make('circles', { handle: 'staff', access }, owner);
    const link = (key: Key) => signed({ circle: 'staff', signer: 'bob' }, key);
    const join = async (key: Key) => ledger.post('/circles/staff/signers', link(key));
    expect(outcome(await join(bob))).toEqual(forbidden);
    const { status, body } = await join(ann);
    expect(status).toBe(200);
    const leave = async (key: Key) =>
      outcome(await ledger.post('/circles/staff/signers/bob/drop', farewell(body, key)));
    // Whoever assigns owns the link, and owners may do anything with their own records.
    expect(await leave(newKey())).toEqual(forbidden);
    expect(await leave(bob)).toEqual([204]);
  });

  test('means others than its members where its rules say so', async () => {
    const ledger = await house();
    const outward = [{ action: 'create', record: 'wallet', ...byKey(bob) }];
    const circle = await ledger.make('circles', { handle: 'staff', access: outward }, owner);
    expect(await creating(ledger, 'wallets', {}, bob)).toEqual([201]);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual(forbidden);
    await proving(ledger, 'circles', circle, owner, { status: 'inactive' });
    expect(await creating(ledger, 'wallets', {}, bob)).toEqual(forbidden);
  });
});

test('the rules of a domain reach all that lies in it, and in those within', async () => {
  const ledger = await house();
  const access = [
    { action: 'any', record: 'wallet', ...byKey(ann) },
    { action: 'read', record: 'wallet', ...byToken(ann) },
  ];
  await ledger.make('domains', { handle: 'bank', access }, owner);
  await ledger.make('domains', { handle: 'branch', domain: 'bank' }, owner);
  await ledger.make('domains', { handle: 'shop' }, owner);
  for (const domain of ['bank', 'branch'])
    expect(await creating(ledger, 'wallets', { domain }, ann)).toEqual([201]);
  expect(await creating(ledger, 'wallets', { domain: 'shop' }, ann)).toEqual(forbidden);
  expect(await creating(ledger, 'wallets', {}, ann)).toEqual(forbidden);
  expect(await creating(ledger, 'wallets', { domain: 'bank' }, bob)).toEqual(forbidden);
  const [inside, outside] = [await wallet(ledger, { domain: 'branch' }), await wallet(ledger)];
  expect(await reading(ledger, `/wallets/${inside.luid}`, ann)).toEqual([200]);
  expect(await reading(ledger, `/wallets/${outside.luid}`, ann)).toEqual(forbidden);
  // The domains themselves are not hers to see.
  expect((await ledger.get(`/wallets/${inside.luid}/domains`, bearing(ann))).items).toEqual([]);
  expect((await ledger.get(`/wallets/${inside.luid}/domains`, bearing(owner))).items).toHaveLength(
    2,
  );
});

describe('a record', () => {
  test('lets in whom it says, and is judged as it was', async () => {
    const ledger = await house();
    const item = await wallet(ledger, { access: [{ action: 'update', ...byKey(ann) }] });
    expect(
      await updating(
        ledger,
        'wallets',
        item,
        { access: [{ action: 'update', ...byKey(bob) }] },
        bob,
      ),
    ).toEqual(forbidden);
    expect(await updating(ledger, 'wallets', item, { access: [] }, ann)).toEqual([200]);
    const { body } = await ledger.get(`/wallets/${item.luid}`, bearing(owner));
    expect(await updating(ledger, 'wallets', body, { custom: {} }, ann)).toEqual(forbidden);
  });

  test('grants nobody its own creation', async () => {
    const ledger = await house();
    const access = [{ action: 'any', record: 'any' }];
    for (const group of ['wallets', 'circles', 'domains'])
      expect(await creating(ledger, group, { access }, ann)).toEqual(forbidden);
    const policy = { schema: 'access', record: 'any', values: access };
    expect(await creating(ledger, 'policies', policy, ann)).toEqual(forbidden);
  });

  test('speaks for the factors of a signer', async () => {
    const ledger = await house();
    const access = [{ action: 'create', record: 'signer-factor', ...byKey(ann) }];
    await signer(ledger, 'carl', newKey(), { access });
    const factor = (of: string) => ({
      signer: of,
      schema: 'key-pair',
      public: newKey().public,
      format: 'ed25519-raw',
    });
    expect(await creating(ledger, 'signers/carl/factors', factor('carl'), ann)).toEqual([201]);
    expect(await creating(ledger, 'signers/carl/factors', factor('carl'), bob)).toEqual(forbidden);
    expect(await creating(ledger, 'signers/bob/factors', factor('bob'), ann)).toEqual(forbidden);
  });
});

test('a rule asks for conditions on the record and on what is altered', async () => {
  const filter = { 'custom.tier': 'gold' };
  const change = {
    custom: { $exists: true },
    access: { $exists: false },
    handle: { $exists: false },
  };
  const update = { action: 'update', record: 'wallet', filter, change, ...byKey(ann) };
  const ledger = await house({ action: 'read', record: 'wallet' }, update);
  const [gold, tin] = [await wallet(ledger, { custom: { tier: 'gold' } }), await wallet(ledger)];
  expect(await updating(ledger, 'wallets', tin, { custom: { tier: 'gold' } }, ann)).toEqual(
    forbidden,
  );
  const theft = { custom: {}, access: [{ action: 'any', record: 'any', ...byKey(ann) }] };
  expect(await updating(ledger, 'wallets', gold, theft, ann)).toEqual(forbidden);
  expect(await updating(ledger, 'wallets', gold, { handle: unique('other') }, ann)).toEqual(
    forbidden,
  );
  expect(await updating(ledger, 'wallets', gold, { custom: { tier: 'tin' } }, ann)).toEqual([200]);
});

test('a rule means callers by the form of their key', async () => {
  const by = (format: string) => ({ action: 'create', record: 'wallet', signer: { format } });
  const withToken = (format: string) => ({
    ...{ action: 'read', record: 'wallet', bearer: { $signer: { format } } },
  });
  for (const [format, made, read] of [
    ['ed25519-raw', [201], [200]],
    ['rsa', forbidden, forbidden],
  ] as const) {
    const ledger = await house(by(format), withToken(format));
    const { luid } = await wallet(ledger);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual(made);
    expect(await reading(ledger, `/wallets/${luid}`, ann)).toEqual(read);
  }
});

describe('rules that name policies', () => {
  const naming = (count: number) => ({
    access: Array.from({ length: Math.ceil(count / 2) }, (_, index) => ({
      policy: { $in: [`policy-${2 * index}`, `policy-${Math.min(2 * index + 1, count - 1)}`] },
    })),
  });
  test.each([
    ['wallets', 16],
    ['circles', 100],
  ])('of the %s name at most %s, each of which is read when they are asked', async (group, max) => {
    const ledger = await houseOf(home);
    expect(await creating(ledger, group, naming(max), owner)).toEqual([201]);
    const most = naming(max + 1);
    expect(await creating(ledger, group, most, owner)).toEqual([422, 'record.invalid']);
    const item = await ledger.make(group, { handle: unique('few'), ...naming(1) }, owner);
    expect(await updating(ledger, group, item, most, owner)).toEqual([422, 'record.invalid']);
  });
});

test('a policy that comes to extend too many others grants nothing, and closes no ledger', async () => {
  const ledger = await house({ policy: 'named' });
  const values = [{ action: 'read', ...byToken(ann) }];
  const policy = { schema: 'access', record: 'wallet', values };
  const many = Array.from({ length: 16 }, (_, index) => `other-${index}`);
  for (const handle of [...many, 'between'])
    await ledger.make('policies', { handle, ...policy }, owner);
  await ledger.make('policies', { handle: 'named', extend: 'between', ...policy }, owner);
  const item = await wallet(ledger);
  const path = `/wallets/${item.luid}`;
  expect(await reading(ledger, path, ann)).toEqual([200]);
  const { body: between } = await ledger.get('/policies/between', bearing(owner));
  const widened = { ...policy, extend: many };
  expect(await updating(ledger, 'policies', between, widened, owner)).toEqual([200]);
  expect(await reading(ledger, path, ann)).toEqual(forbidden);
  expect(await reading(ledger, path, owner)).toEqual([200]);
  const { body: wide } = await ledger.get('/policies/between', bearing(owner));
  expect(await updating(ledger, 'policies', wide, { extend: [] }, owner)).toEqual([200]);
  expect(await reading(ledger, path, ann)).toEqual([200]);
});

test('a status that a policy of too many others rules is refused by that policy', async () => {
  const ledger = await house();
  const policy = { schema: 'status', record: 'wallet', values: [{ status: 'frozen' }] };
  const many = Array.from({ length: 16 }, (_, index) => `other-${index}`);
  for (const handle of [...many, 'between'])
    await ledger.make('policies', { handle, ...policy, record: 'circle' }, owner);
  const { body: between } = await ledger.get('/policies/between', bearing(owner));
  await ledger.make('policies', { handle: 'far', ...policy, extend: 'between' }, owner);
  expect(await updating(ledger, 'policies', between, { extend: many }, owner)).toEqual([200]);
  const refused = [422, 'record.status-policy-violation'];
  const item = await wallet(ledger);
  expect(await proving(ledger, 'wallets', item, owner, { status: 'frozen' })).toEqual(refused);
  expect(await proving(ledger, 'wallets', item, owner)).toEqual([200]);
});

describe('a proof', () => {
  test('is added by whom the rules let create proofs, or update', async () => {
    const ledger = await house(
      { action: 'create', record: 'wallet-proof', ...byKey(ann) },
      { action: 'update', record: 'wallet', ...byKey(bob) },
    );
    const item = await wallet(ledger);
    expect(await proving(ledger, 'wallets', item, ann)).toEqual([200]);
    expect(await proving(ledger, 'wallets', item, bob)).toEqual([200]);
    expect(await proving(ledger, 'wallets', item, newKey())).toEqual(forbidden);
    expect(await updating(ledger, 'wallets', item, { custom: {} }, ann)).toEqual(forbidden);
  });

  test('is nobody’s but the signer’s, whatever lies beside it', async () => {
    const ledger = await house();
    const item = await wallet(ledger);
    const own = proofOf(item.hash, ann, { moment: now(), status: 'odd' });
    const path = `/wallets/${item.luid}/proofs`;
    const theirs = proofOf(item.hash, owner, { moment: now() });
    const beside = { ...own, meta: { proofs: [theirs] }, data: {}, signer: 'owner' };
    expect(outcome(await ledger.post(path, beside))).toEqual(forbidden);
    const forged = { ...own, public: owner.public };
    expect(outcome(await ledger.post(path, forged))).toEqual([422, 'crypto.signature-invalid']);
    const nowhere = await ledger.post('/wallets/nobody/proofs', forged);
    expect(outcome(nowhere)).toEqual([422, 'crypto.signature-invalid']);
  });
});
