/**
 * Goal: whoever has every right in one domain has none outside of it, whatever they make there, say or are called.
 * Rulings 37, 38, 42 and 70, Decision 81.
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
  now,
  outcomeOf,
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
  outcome,
  owner,
  owners,
  proving,
  reading,
  signer,
  updating,
  wallet,
} from '../fixture/house.ts';
import { startReceiver, until } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

const home = await sharedHome();

const any = { action: 'any', record: 'any' };
const gift = (key: Key) => [
  { ...any, ...byKey(key) },
  { ...any, ...byToken(key) },
];
const invalid = [422, 'record.invalid'];
const unrelated = [422, 'record.relation-not-found'];
/** What a record answers that may not be read. */
const hidden = forbidden;
const rejected = [422, 'record.update-rejected'];
/** What an author says beside the data. */
const said = (domain: string) => ({ moment: now(), status: 'created', domain });
/** Where ann may do everything, and where she may not. */
const [inside, outside] = [
  ['a', 'a.in'],
  ['b', undefined],
] as const;

/** Domains a, with a.in in it, where ann may do anything, and b, where bob may. */
async function city(...access: Json[]): Promise<Client> {
  const ledger = await houseOf(home, ...access);
  await ledger.make('domains', { handle: 'a', access: gift(ann) }, owner);
  await ledger.make('domains', { handle: 'b', access: gift(bob) }, owner);
  await ledger.make('domains', { handle: 'a.in', domain: 'a' }, owner);
  return ledger;
}

const inDomain = (domain: string | undefined) => (domain === undefined ? {} : { domain });
const posting = async (ledger: Client, path: string, data: Json, key: Key, custom?: Json) =>
  outcome(await ledger.post(path, signed(data, key, custom)));
const pair = () => ({ schema: 'key-pair', public: newKey().public, format: 'ed25519-raw' });

describe('what hangs on a record', () => {
  /** A circle, a signer and a wallet of a domain or of none, and what ann would hang on them. */
  async function hooks(ledger: Client, domain: string | undefined) {
    const make = async (group: string, more: Json = {}) =>
      (await ledger.make(group, { handle: unique(group), ...inDomain(domain), ...more }, owner))
        .data.handle;
    const circle = await make('circles', { access: [any] });
    const holder = await make('signers');
    const account = await make('wallets');
    return [
      [`/circles/${circle}/signers`, { circle, signer: 'ann' }],
      [`/signers/${holder}/factors`, { handle: unique('f'), signer: holder, ...pair() }],
      ['/anchors', { handle: unique('n'), target: 'x', wallet: account }],
    ] as const;
  }

  test.each(outside)('in %s is not in a because ann says so', async (domain) => {
    const ledger = await city();
    for (const [path, data] of await hooks(ledger, domain)) {
      for (const more of [data, { ...data, domain: 'a' }])
        for (const custom of [said('a'), said('a.in')])
          expect([path, ...(await posting(ledger, path, more, ann, custom))]).toEqual([
            path,
            ...forbidden,
          ]);
      // Whoever may, may not say so either.
      expect([path, ...(await posting(ledger, path, data, owner, said('a')))]).toEqual([
        path,
        ...invalid,
      ]);
      expect([path, ...(await posting(ledger, path, { ...data, domain: 'a' }, owner))]).toEqual([
        path,
        ...invalid,
      ]);
    }
    expect(await creating(ledger, 'wallets', { domain: 'b' }, ann)).toEqual(forbidden);
  });

  test.each(inside)('in %s is hers to make, and lies there', async (domain) => {
    const ledger = await city();
    for (const [path, data] of await hooks(ledger, domain)) {
      const { body } = await ledger.post(path, signed(data, ann));
      expect([path, body.meta['domain']]).toEqual([path, domain]);
    }
  });

  test('names a domain in its handle that is its own, or none', async () => {
    const ledger = await city();
    const account = await wallet(ledger, inDomain('a'));
    const data = { target: 'x', wallet: account.data.handle };
    expect(await posting(ledger, '/anchors', { handle: '5@b', ...data }, owner)).toEqual(invalid);
    expect(await posting(ledger, '/anchors', { handle: '5@a', ...data }, owner)).toEqual([201]);
    const holder = await ledger.make('signers', { handle: 's@a' }, owner);
    const factor = { signer: holder.data.handle, ...pair() };
    const path = '/signers/s@a/factors';
    expect(await posting(ledger, path, { handle: 'f@b', ...factor }, owner)).toEqual(invalid);
    expect(await posting(ledger, path, { handle: 'f@a', ...factor }, owner)).toEqual([201]);
  });

  test('does not move to a record of another domain', async () => {
    const ledger = await city();
    const [one, two, far] = await Promise.all(
      ['a', 'a', 'b'].map(async (domain) => (await wallet(ledger, { domain })).data.handle),
    );
    const anchor = await ledger.make('anchors', { handle: 'n', target: 'x', wallet: one }, owner);
    expect(await updating(ledger, 'anchors', anchor, { wallet: far }, owner)).toEqual(rejected);
    expect(await updating(ledger, 'anchors', anchor, { wallet: two }, ann)).toEqual([200]);
    const loose = await ledger.make('anchors', { handle: 'm', target: 'x' }, owner);
    expect(await updating(ledger, 'anchors', loose, { wallet: one }, owner)).toEqual(rejected);
  });
});

describe('an anchor whose wallet has ended', () => {
  test('stays in its domain when somebody of another one makes a wallet of that name', async () => {
    const ledger = await city();
    const account = await wallet(ledger, { handle: 'w', domain: 'a' }, ann);
    const anchor = await ledger.make('anchors', { handle: 'n', target: 'x', wallet: 'w' }, ann);
    expect((await ledger.send('DELETE', '/wallets/w', farewell(account, ann))).status).toBe(204);
    await wallet(ledger, { handle: 'w', domain: 'b' }, bob);
    expect(await reading(ledger, '/anchors/n', bob)).toEqual(hidden);
    expect(await updating(ledger, 'anchors', anchor, { target: 'y' }, bob)).toEqual(hidden);
    expect(await proving(ledger, 'anchors', anchor, bob)).toEqual(hidden);
    const { items } = await ledger.get('/wallets/w/anchors', bearing(bob));
    expect(items).toEqual([]);
    expect(await reading(ledger, '/anchors/n', ann)).toEqual([200]);
    // It names a wallet that is not hers to be named any more.
    expect(await updating(ledger, 'anchors', anchor, { target: 'y' }, ann)).toEqual(rejected);
    await wallet(ledger, { handle: 'v', domain: 'a' }, ann);
    expect(await updating(ledger, 'anchors', anchor, { wallet: 'v' }, ann)).toEqual([200]);
    expect(await reading(ledger, '/anchors/n', bob)).toEqual(hidden);
  });
});

describe('a circle of a domain', () => {
  test('grants in it and below, and nothing else', async () => {
    const ledger = await city();
    const [stranger, member] = [newKey(), newKey()];
    await signer(ledger, 'member', member);
    const access = [...gift(stranger), any, { ...any, bearer: { $signer: { $circle: 'staff' } } }];
    const circle = signed({ handle: 'staff', domain: 'a', access }, ann);
    expect(outcome(await ledger.post('/circles', circle))).toEqual([201]);
    const link = signed({ circle: 'staff', signer: 'member' }, ann);
    expect(outcome(await ledger.post('/circles/staff/signers', link))).toEqual([200]);
    for (const key of [stranger, member]) {
      for (const domain of inside) {
        expect(await creating(ledger, 'wallets', { domain }, key)).toEqual([201]);
        const { luid } = await wallet(ledger, { domain });
        expect(await reading(ledger, `/wallets/${luid}`, key)).toEqual([200]);
      }
      await assertNoneOutside(ledger, key);
    }
  });

  /** Whoever has all rights in a has none where it does not reach, nor in the ledger as a whole. */
  async function assertNoneOutside(ledger: Client, key: Key): Promise<void> {
    for (const domain of outside) {
      const item = await wallet(ledger, inDomain(domain));
      const at = (what: unknown[]) => [domain, ...what];
      expect(at(await creating(ledger, 'wallets', inDomain(domain), key))).toEqual(at(forbidden));
      expect(at(await reading(ledger, `/wallets/${item.luid}`, key))).toEqual(at(hidden));
      expect(at(await updating(ledger, 'wallets', item, { custom: {} }, key))).toEqual(at(hidden));
      expect(at(await proving(ledger, 'wallets', item, key))).toEqual(at(hidden));
    }
    const policy = { schema: 'labels', record: 'symbol', values: [] };
    for (const [group, data] of [
      ['circles', {}],
      ['domains', {}],
      ['policies', policy],
    ] as const)
      expect([group, ...(await creating(ledger, group, data, key))]).toEqual([group, ...forbidden]);
    const rules = await ledger.get('/ledger', bearing(owner));
    const change = revision(rules.body, { access: gift(key) }, key);
    expect(outcome(await ledger.put('/ledger', change))).toEqual(hidden);
  }

  test('is told by the access check where it grants', async () => {
    const ledger = await city();
    const access = [{ action: 'update', record: 'wallet', ...byKey(bob) }];
    await ledger.make('circles', { handle: 'staff', domain: 'a', access }, ann);
    const granted = async (domain: string | undefined, about?: string) => {
      const { luid } = await wallet(ledger, inDomain(domain));
      const wish = { action: 'update', ...(about !== undefined && { record: about }) };
      const { items } = await ledger.post(`/wallets/${luid}/access/!check`, signed(wish, bob));
      return items.length;
    };
    expect([await granted('a'), await granted('a.in'), await granted(undefined)]).toEqual([
      1, 1, 0,
    ]);
    const beside = async (path: string) => {
      const wish = signed({ action: 'update', record: 'wallet' }, bob);
      return (await ledger.post(`${path}/access/!check`, wish)).items.length;
    };
    expect([await beside('/domains/a'), await beside('/domains/a.in')]).toEqual([1, 1]);
    expect([await beside('/domains/b'), await beside('/ledger')]).toEqual([1, 0]);
  });
});

describe('an access check', () => {
  test.each([
    ['domains', 'wallet'],
    ['signers', 'signer-factor'],
    ['circles', 'circle-signer'],
    ['wallets', 'symbol'],
  ])('does not tell which of the %s are there, by the rules of a domain', async (group, about) => {
    const ledger = await city();
    const access = [{ action: 'create', record: about, ...byKey(ann) }];
    await ledger.make('circles', { handle: 'staff', domain: 'a', access }, owner);
    const [far, near] = await Promise.all(
      ['b', 'a'].map(async (domain) => {
        const item = await ledger.make(group, { handle: unique('hidden'), domain }, owner);
        return item.data.handle;
      }),
    );
    const told = async (handle: unknown) => {
      const wish = signed({ action: 'create', record: about }, ann);
      const reply = await ledger.post(`/${group}/${handle}/access/!check`, wish);
      return [reply.status, reply.items.map(({ data }) => data['action'])];
    };
    expect(await told(far)).toEqual(await told(unique('nobody')));
    expect((await told(near))[1]).toContain('create');
  });
});

describe('a policy of a domain', () => {
  const values = [{ ...any }];
  const policyOf = (domain: string | undefined, more: Json = {}) => ({
    ...{ handle: unique('p'), schema: 'access', record: 'any', values, ...inDomain(domain) },
    ...more,
  });

  test('grants there what the rules of others name it for, and nowhere else', async () => {
    const ledger = await city({ policy: 'p' });
    expect(await posting(ledger, '/policies', policyOf('a', { handle: 'p' }), ann)).toEqual([201]);
    const stranger = newKey();
    for (const domain of inside)
      expect(await creating(ledger, 'wallets', { domain }, stranger)).toEqual([201]);
    for (const domain of outside)
      expect(await creating(ledger, 'wallets', inDomain(domain), stranger)).toEqual(forbidden);
    const named = await wallet(ledger, { domain: 'b', access: [{ policy: 'p' }] });
    expect(await reading(ledger, `/wallets/${named.luid}`, stranger)).toEqual(hidden);
  });

  test('the same where policies alone decide', async () => {
    const ledger = await city();
    await ledger.make('policies', policyOf(undefined, { values: owners }), owner);
    await ledger.make('policies', policyOf('a'), ann);
    const { body } = await ledger.get('/ledger', bearing(owner));
    const config = { 'access.strategy': 'policy-based' };
    expect((await ledger.put('/ledger', revision(body, { config }, owner))).status).toBe(200);
    const stranger = newKey();
    for (const domain of inside)
      expect(await creating(ledger, 'wallets', { domain }, stranger)).toEqual([201]);
    for (const domain of outside)
      expect(await creating(ledger, 'wallets', inDomain(domain), stranger)).toEqual(forbidden);
  });

  test('is extended by those that it reaches, and by no other', async () => {
    const ledger = await city();
    const [wide, near, far] = await Promise.all(
      ([undefined, 'a', 'b'] as const).map((domain) =>
        ledger.make('policies', policyOf(domain), owner),
      ),
    );
    const extending = (domain: string | undefined, item: Item | undefined) =>
      posting(ledger, '/policies', policyOf(domain, { extend: item?.data.handle }), owner);
    expect(await extending(undefined, near)).toEqual(invalid);
    expect(await extending('b', near)).toEqual(invalid);
    expect(await extending('a', far)).toEqual(invalid);
    expect(await extending('a', near)).toEqual([201]);
    expect(await extending('a.in', near)).toEqual([201]);
    expect(await extending('a.in', wide)).toEqual([201]);
    const item = await ledger.make('policies', policyOf('b'), owner);
    const change = { extend: near?.data.handle };
    expect(await updating(ledger, 'policies', item, change, owner)).toEqual(invalid);
  });

  test.each([
    ['status', [{ status: 'frozen', quorum: [{ handle: 'nobody' }] }], { status: 'open' }],
    ['labels', [], { labels: ['x'] }],
  ])('speaks of the %s of what lies there', async (schema, own, asked) => {
    const ledger = await city();
    const data = { handle: 'p', schema, record: 'wallet', values: own, domain: 'a' };
    expect(await posting(ledger, '/policies', data, ann)).toEqual([201]);
    const proven = async (domain: string | undefined) =>
      proving(ledger, 'wallets', await wallet(ledger, inDomain(domain)), owner, asked);
    for (const domain of inside)
      expect([domain, ...(await proven(domain))]).toEqual([
        domain,
        422,
        `record.${schema}-policy-violation`,
      ]);
    for (const domain of outside)
      expect([domain, ...(await proven(domain))]).toEqual([domain, 200]);
  });
});

describe('labels that one record alone may have in a domain', () => {
  const proven = async (ledger: Client, domain: string | undefined, key: Key) =>
    proving(ledger, 'wallets', await wallet(ledger, inDomain(domain)), key, { labels: ['x'] });
  const taken = [422, 'record.labels-policy-violation'];

  test('say nothing of the labels of another, nor are they kept from there', async () => {
    const ledger = await city();
    const policy = { schema: 'labels', record: 'wallet' };
    await ledger.make('policies', { handle: 'all', ...policy, values: [{ labels: 'x' }] }, owner);
    const values = [{ labels: 'x', unique: true }];
    await ledger.make('policies', { handle: 'a', ...policy, values, domain: 'a' }, ann);
    expect(await proven(ledger, 'b', bob)).toEqual([200]);
    expect(await proven(ledger, 'a', ann)).toEqual([200]);
    expect(await proven(ledger, 'a.in', ann)).toEqual(taken);
    expect(await proven(ledger, undefined, owner)).toEqual([200]);
    await ledger.make('policies', { handle: 'b', ...policy, values, domain: 'b' }, bob);
    expect(await proven(ledger, 'b', bob)).toEqual(taken);
  });

  test('are given in one while they are being given in another', async () => {
    const ledger = await city();
    const policy = { schema: 'labels', record: 'wallet', values: [{ labels: 'x', unique: true }] };
    await ledger.make('policies', { handle: 'a', ...policy, domain: 'a' }, ann);
    await ledger.make('policies', { handle: 'b', ...policy, domain: 'b' }, bob);
    expect(await proven(ledger, 'a', ann)).toEqual([200]);
    expect(await proven(ledger, 'b', bob)).toEqual([200]);
  });
});

describe('a schema of a domain', () => {
  const schemaOf = (domain: string | undefined, more: Json = {}) => ({
    ...{ handle: unique('s'), record: 'wallet', format: 'json-schema', ...inDomain(domain) },
    ...{ schema: { required: ['custom'] }, ...more },
  });

  test('binds what lies there, and nothing else', async () => {
    const ledger = await city();
    expect(await posting(ledger, '/schemas', schemaOf('a', { handle: 's' }), ann)).toEqual([201]);
    for (const domain of inside) {
      const made = (more: Json) => creating(ledger, 'wallets', { domain, ...more }, owner);
      expect(await made({})).toEqual([422, 'record.schema-invalid']);
      expect(await made({ schema: 'other' })).toEqual(unrelated);
      expect(await made({ schema: 's' })).toEqual([422, 'record.schema-invalid']);
      expect(await made({ schema: 's', custom: {} })).toEqual([201]);
    }
    for (const domain of outside) {
      const made = (more: Json) =>
        creating(ledger, 'wallets', { ...inDomain(domain), ...more }, owner);
      expect(await made({})).toEqual([201]);
      expect(await made({ schema: 's' })).toEqual([201]);
      expect(await made({ schema: 'other' })).toEqual([201]);
    }
  });

  test('keeps nobody elsewhere from paying', async () => {
    const ledger = await city();
    for (const handle of ['w@b', 'v@b']) await ledger.make('wallets', { handle }, owner);
    await ledger.make('symbols', { handle: 'usd', factor: 1 }, owner);
    expect(await posting(ledger, '/schemas', schemaOf('a', { record: 'intent' }), ann)).toEqual([
      201,
    ]);
    expect(outcomeOf(await ledger.settle(owner, 'issue w@b 5 usd'))).toBe('completed');
    const claims = [claimOf('transfer w@b v@b 5 usd')];
    const data = { handle: unique('i'), claims };
    expect(await posting(ledger, '/intents', data, owner, said('b'))).toEqual([201]);
    const within = await ledger.post(
      '/intents',
      signed({ ...data, handle: unique('i') }, owner, said('a')),
    );
    expect(outcome(within)).toEqual([422, 'record.schema-invalid']);
  });

  test('is extended by those that it reaches, and by no other', async () => {
    const ledger = await city();
    const near = await ledger.make('schemas', schemaOf('a'), owner);
    const extending = (domain: string | undefined) =>
      posting(ledger, '/schemas', schemaOf(domain, { extend: near.data.handle }), owner);
    expect([await extending(undefined), await extending('b')]).toEqual([invalid, invalid]);
    expect([await extending('a'), await extending('a.in')]).toEqual([[201], [201]]);
  });
});

describe('an effect of a domain', () => {
  test('hears what happens there, and nothing else', async () => {
    const receiver = await startReceiver();
    const ledger = await city();
    const heard = async (domain: string | undefined, signal: string) => {
      const action = { schema: 'webhook', endpoint: receiver.at(`/${domain ?? 'all'}`) };
      const effect = { handle: unique('e'), signal, action, ...inDomain(domain) };
      expect(await posting(ledger, '/effects', effect, domain === 'a' ? ann : owner)).toEqual([
        201,
      ]);
    };
    for (const signal of ['wallet-created', 'balance-received'])
      for (const domain of ['a', undefined]) await heard(domain, signal);
    await ledger.make('symbols', { handle: 'usd', factor: 1 }, owner);
    const all = ['1@a', '2@a.in', '3@b', '4'];
    for (const handle of all) await ledger.make('wallets', { handle }, owner);
    for (const handle of all) await ledger.settle(owner, `issue ${handle} 5 usd`);
    const at = (path: string) =>
      receiver
        .arrivals()
        .filter((one) => one.path === path)
        .map(({ text }) => {
          const { data } = JSON.parse(text) as Item & { data: { wallet: Item } };
          return `${data['signal']} ${data.wallet.data.handle}`;
        });
    await until('all was told', () => at('/all').length >= 8 && at('/a').length >= 4);
    const told = (handles: readonly string[]) =>
      ['wallet-created', 'balance-received'].flatMap((signal) =>
        handles.map((handle) => `${signal} ${handle}`),
      );
    expect(new Set(at('/all'))).toEqual(new Set(told(all)));
    expect(new Set(at('/a'))).toEqual(new Set(told(['1@a', '2@a.in'])));
    await receiver.stop();
  });

  test('has no bridge of another domain called', async () => {
    const ledger = await city();
    const config = { server: 'https://bank.example' };
    const action = async (domain: string | undefined) => {
      const data = { handle: unique('bridge'), config, ...inDomain(domain) };
      const { handle } = (await ledger.make('bridges', data, owner)).data;
      return { schema: 'bridge', bridge: handle };
    };
    const telling = async (domain: string | undefined, at: string | undefined) =>
      creating(
        ledger,
        'effects',
        { signal: 'wallet-created', action: await action(at), ...inDomain(domain) },
        owner,
      );
    expect(await telling('a', 'b')).toEqual(invalid);
    for (const at of ['a', 'a.in', undefined]) expect(await telling('a', at)).toEqual([201]);
    expect(await telling(undefined, 'b')).toEqual([201]);
    const effect = await ledger.make(
      'effects',
      { handle: 'e', signal: 'wallet-created', action: await action('a'), domain: 'a' },
      owner,
    );
    const change = { action: await action('b') };
    expect(await updating(ledger, 'effects', effect, change, owner)).toEqual(invalid);
  });
});

describe('a handle', () => {
  const groups: Readonly<Record<string, Json>> = {
    signers: {},
    symbols: { factor: 1 },
    wallets: {},
    circles: {},
    bridges: { config: { server: 'https://bank.example' } },
    anchors: { target: 'x' },
    effects: {
      signal: 'wallet-created',
      action: { schema: 'webhook', endpoint: 'https://bank.example' },
    },
    policies: { schema: 'labels', record: 'symbol', values: [] },
    reports: {},
    schemas: { record: 'report', format: 'json-schema', schema: {} },
    intents: { claims: [{ action: 'issue', target: 'w', symbol: 'usd', amount: 5 }] },
  };

  test.each(Object.keys(groups))(
    'of the %s has one domain, whatever else is said',
    async (group) => {
      const ledger = await city();
      const data = { handle: `${unique('svgs:x')}@b`, ...groups[group] };
      const path = `/${group}`;
      for (const key of [ann, owner]) {
        expect(await posting(ledger, path, data, key, said('a'))).toEqual(invalid);
        expect(await posting(ledger, path, { ...data, domain: 'a' }, key)).toEqual(invalid);
      }
      expect(await posting(ledger, path, data, ann)).toEqual(forbidden);
      expect((await ledger.post(path, signed(data, owner, said('b')))).body.meta['domain']).toBe(
        'b',
      );
    },
  );

  test('is given by no update another one', async () => {
    const ledger = await city();
    const named = await ledger.make('wallets', { handle: 'w@a' }, ann);
    const plain = await wallet(ledger, { domain: 'a' }, ann);
    const free = await wallet(ledger);
    for (const [item, handle] of [
      [named, 'w@b'],
      [plain, 'v@b'],
      [free, 'u@b'],
      [free, 'u@a'],
    ] as const)
      expect([handle, ...(await updating(ledger, 'wallets', item, { handle }, owner))]).toEqual([
        handle,
        ...rejected,
      ]);
    const moved = signed({ ...plain.data, parent: plain.hash }, owner, said('b'));
    expect(outcome(await ledger.put(`/wallets/${plain.luid}`, moved))).toEqual(rejected);
    expect(await updating(ledger, 'wallets', plain, { handle: 'v@a' }, ann)).toEqual([200]);
    expect(await updating(ledger, 'wallets', named, { handle: 'plain' }, ann)).toEqual([200]);
  });

  test('of two authors who say two domains is of none', async () => {
    const ledger = await city();
    const data = { handle: unique('w') };
    const { hash, meta } = signed(data, owner, said('a'));
    const proofs = [...meta.proofs, proofOf(hash, bob, said('b'))];
    expect(outcome(await ledger.post('/wallets', { hash, data, meta: { proofs } }))).toEqual(
      invalid,
    );
  });
});

describe('a payment to an account of a domain', () => {
  test.each([
    ['the account', { handle: 'svgs:1001@b' }],
    ['those of its kind', { handle: 'svgs@b' }],
    ['all of the domain', { handle: 'b' }],
    ['its kind everywhere', { handle: 'svgs' }],
  ])('is not taken by a wallet of another one that is called like %s', async (_, { handle }) => {
    const ledger = await city();
    await ledger.make('symbols', { handle: 'usd', factor: 1 }, owner);
    await posting(ledger, '/wallets', { handle }, ann, said('a'));
    await posting(ledger, '/wallets', { handle, domain: 'a' }, ann);
    const own = await ledger.post('/wallets', signed({ handle: 'thief' }, ann, said('a')));
    await updating(ledger, 'wallets', own.body, { handle }, ann);
    const paid = await ledger.settle(owner, 'issue svgs:1001@b 5 usd');
    expect(outcomeOf(paid)).toBe('core.target-invalid');
    if (!handle.includes('@') && handle !== 'b')
      expect(outcomeOf(await ledger.settle(owner, 'issue svgs:7 5 usd'))).toBe(
        'core.target-invalid',
      );
    await ledger.make('wallets', { handle: 'svgs:1001@b' }, bob);
    expect(outcomeOf(await ledger.settle(owner, 'issue svgs:1001@b 5 usd'))).toBe('completed');
    expect(await ledger.get('/wallets/svgs:1001@b/balances', bearing(bob))).toMatchObject({
      items: [{ data: { wallet: 'svgs:1001@b', amount: 5 } }],
    });
  });

  test('is taken by the wallets of the domain that are meant, and by those of none', async () => {
    const ledger = await city();
    await ledger.make('symbols', { handle: 'usd', factor: 1 }, owner);
    const held = async (handle: string) => {
      const { items } = await ledger.get(`/wallets/${handle}/balances`, bearing(owner));
      return items.map(({ data }) => data['amount']);
    };
    for (const [handle, domain] of [
      ['svgs', undefined],
      ['b', 'b'],
      ['svgs@b', undefined],
    ] as const) {
      await ledger.make('wallets', { handle, ...inDomain(domain) }, owner);
      expect(outcomeOf(await ledger.settle(owner, 'issue svgs:1001@b 5 usd'))).toBe('completed');
      expect(await held(handle)).toEqual([5]);
    }
  });
});

describe('a domain', () => {
  test('lies where its data says, and never in itself', async () => {
    const ledger = await houseOf(home);
    const lost = (domain: string) => [422, 'record.relation-not-found', domain];
    const post = async (data: Json, domain: string) => {
      const reply = await ledger.post('/domains', signed(data, owner, said(domain)));
      return [...outcome(reply), reply.custom['domain']];
    };
    expect(await post({ handle: 'x' }, 'x')).toEqual(lost('x'));
    expect(await post({ handle: 'x' }, 'y')).toEqual(lost('y'));
    for (const handle of ['x', 'y']) await ledger.make('domains', { handle }, owner);
    const both = await ledger.post(
      '/domains',
      signed({ handle: 'z', domain: 'x' }, owner, said('y')),
    );
    expect(outcome(both)).toEqual(invalid);
    expect((await post({ handle: 'z' }, 'x'))[0]).toBe(201);
  });
});
