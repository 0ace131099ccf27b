/**
 * Goal: what somebody once signed, or says of themself, gives nobody a right that it was not meant to give.
 * Method: a stranger sends what they can read, as it stands. Decisions 43 to 49.
 */
import { describe, expect, test } from 'vitest';
import {
  type Body,
  type Client,
  farewell,
  type Item,
  type Json,
  type Key,
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
  creating,
  forbidden,
  houseOf,
  outcome,
  owner,
  owners,
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
const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
const unsigned = [422, 'crypto.signature-invalid'];
const endpoint = 'https://hook.example/e';
const webhook = { signal: 'wallet-created', action: { schema: 'webhook', endpoint } };
/** A stored record as the body that its authors once sent. */
const stored = ({ hash, data, meta }: Item): Body => ({
  hash,
  data,
  meta: { proofs: meta.proofs.filter(({ origin }) => origin !== undefined) },
});

describe('what asks for something to be done', () => {
  /** A ledger in which everybody reads everything, and ann has a bridge, an effect and a wallet. */
  const shop = async () => {
    const ledger = await house(
      { action: 'read', record: 'effect' },
      { action: 'read', record: 'wallet' },
      { action: 'create', record: 'any', ...byKey(ann) },
      { action: 'read', record: 'anchor', ...byKey(ann) },
    );
    const effect = await ledger.make('effects', { handle: 'e', ...webhook }, ann);
    const other = await ledger.make('effects', { handle: 'f', ...webhook }, ann);
    const plain = await ledger.make('wallets', { handle: 'w' }, ann);
    await ledger.make('anchors', { handle: 'w', target: 't', wallet: 'w' }, owner);
    return { ledger, effect, other, plain };
  };
  const ways = ['/effects/e/activate', '/effects/e/events/retry', '/wallets/w/anchors/!lookup'];

  test.each(ways)('by %s is done for whoever asks for it now', async (path) => {
    const { ledger } = await shop();
    for (const moment of [now(), minutes(-4), minutes(4)])
      expect([200, 202]).toContain((await ledger.post(path, signed({}, ann, { moment }))).status);
    const other = await ledger.post(path, signed({}, bob));
    // A lookup is answered like a list, with what he may read.
    expect([outcome(other), other.items]).toEqual([path.includes('!') ? [200] : forbidden, []]);
  });

  test.each(ways)('by %s is not done because its author once signed something', async (path) => {
    const { ledger, effect, other, plain } = await shop();
    const update = revision(other, { custom: { n: 1 } }, ann);
    await ledger.put('/effects/f', update);
    const link = signed({ parent: effect.hash }, ann, { moment: now(), status: 'dropped' });
    const proof = proofOf(plain.hash, ann, { moment: now(), status: 'active' });
    const proven = { ...stored(plain), meta: { proofs: [proof] } };
    const { luid: _luid, ...next } = update;
    for (const body of [stored(effect), stored(other), stored(plain), next, link, proven]) {
      const reply = await ledger.post(path, body);
      expect([400, 403, 404, 422]).toContain(reply.status);
      expect(reply.reason).not.toBe('record.not-found');
    }
  });

  test.each(ways)(
    'by %s is not done for who asked at another time, and is told why',
    async (path) => {
      const { ledger } = await shop();
      for (const custom of [
        { moment: minutes(-6) },
        { moment: minutes(6) },
        { moment: 'now' },
        {},
      ]) {
        const reply = await ledger.post(path, signed({}, ann, custom));
        expect([outcome(reply), reply.custom]).toEqual([
          unsigned,
          { index: 0, fault: 'moment', maxAgeSeconds: 300 },
        ]);
      }
    },
  );

  test('is nobody’s wish beside one that counts', async () => {
    const { ledger } = await shop();
    const [fresh, old] = [signed({}, bob), signed({}, ann, { moment: minutes(-60) })];
    const both = { ...fresh, meta: { proofs: [...fresh.meta.proofs, ...old.meta.proofs] } };
    const reply = await ledger.post('/effects/e/activate', both);
    expect([outcome(reply), reply.custom['index']]).toEqual([unsigned, 1]);
  });

  test('is done in an open ledger, whoever asks and whenever', async () => {
    const ledger = await newOwnLedger(home, owner, { access: [] });
    const effect = await ledger.make('effects', { handle: 'e', ...webhook }, ann);
    for (const body of [
      stored(effect),
      signed({}, bob, { moment: minutes(-60) }),
      signed({}, bob, {}),
    ])
      expect((await ledger.post('/effects/e/activate', body)).status).toBe(202);
  });

  test('an access check speaks of nobody who did not ask it now', async () => {
    const { ledger } = await shop();
    const check = (custom: Json, key = ann) =>
      ledger.post('/wallets/w/access/!check', signed({ action: 'update' }, key, custom));
    expect((await check({ moment: now() })).items).toHaveLength(1);
    expect(outcome(await check({ moment: minutes(-6) }))).toEqual(unsigned);
    expect(outcome(await check({}))).toEqual(unsigned);
    expect((await check({ moment: now() }, bob)).items).toEqual([]);
  });
});

describe('a record that was made again with equal data', () => {
  const data = { handle: 'w', custom: { n: 1 } };
  const until = async (moment: string) => {
    while (now() <= moment) await new Promise((resolve) => setTimeout(resolve, 2));
  };

  /** A wallet of ann whose first life has ended, and what was signed in it. */
  const again = async (custom: Json = {}) => {
    const ledger = await house({ action: 'any', record: 'wallet' });
    const first = await ledger.make('wallets', data, ann);
    const signing = { moment: now(), ...custom };
    const update = signed({ ...data, custom: { n: 2 }, parent: first.hash }, ann, signing);
    const proof = proofOf(first.hash, ann, { ...signing, status: 'active' });
    const drop = signed({ parent: first.hash }, ann, { ...signing, status: 'dropped' });
    const foreign = {
      update: signed({ ...data, custom: { n: 3 }, parent: first.hash }, bob, signing),
      proof: proofOf(first.hash, bob, { ...signing, status: 'active' }),
      drop: signed({ parent: first.hash }, bob, { ...signing, status: 'dropped' }),
    };
    await ledger.send('DELETE', '/wallets/w', farewell(first, ann));
    await until(String(signing.moment));
    const second = await ledger.make('wallets', data, ann);
    expect(second.hash).toBe(first.hash);
    return { ledger, second, own: { update, proof, drop }, foreign };
  };
  const send = async (
    ledger: Client,
    { update, proof, drop }: Awaited<ReturnType<typeof again>>['own'],
  ) => [
    await ledger.put('/wallets/w', update),
    await ledger.post('/wallets/w/proofs', proof),
    await ledger.send('DELETE', '/wallets/w', drop),
  ];

  test('takes nothing that its author signed before', async () => {
    const { ledger, second, own } = await again();
    const since = second.meta.proofs[0]?.custom?.['moment'];
    for (const reply of await send(ledger, own))
      expect([outcome(reply), reply.custom]).toEqual([
        unsigned,
        { index: 0, fault: 'moment', since },
      ]);
    expect((await ledger.get('/wallets/w')).body).toEqual(second);
  });

  test('takes nothing that others signed long before', async () => {
    const { ledger, second, foreign } = await again({ moment: minutes(-11) });
    for (const reply of await send(ledger, foreign)) {
      expect([outcome(reply), reply.custom['fault']]).toEqual([unsigned, 'moment']);
      const since = Date.parse(String(second.meta.moment)) - 600_000;
      expect(reply.custom['since']).toBe(new Date(since).toISOString());
    }
    expect((await ledger.get('/wallets/w')).body).toEqual(second);
  });

  test('leaves the clocks of others some minutes', async () => {
    const { ledger, foreign } = await again({ moment: minutes(-9) });
    const { update, proof } = foreign;
    expect((await ledger.post('/wallets/w/proofs', proof)).status).toBe(200);
    expect((await ledger.put('/wallets/w', update)).status).toBe(200);
  });

  test('takes proofs that say no moment, or none that can be read', async () => {
    for (const custom of [{ moment: undefined }, { moment: 'then' }, { moment: 0 }]) {
      const ledger = await house({ action: 'any', record: 'wallet' });
      const { hash } = await ledger.make('wallets', { handle: 'x' }, ann);
      const said = JSON.parse(JSON.stringify(custom)) as Json;
      const proof = proofOf(hash, bob, said);
      expect((await ledger.post('/wallets/x/proofs', proof)).status).toBe(200);
    }
  });

  test('is another matter than an intent, which is signed ahead', async () => {
    const ledger = await house({ action: 'any', record: 'any' });
    const claims = [{ action: 'issue', target: 'w', symbol: 'x', amount: 1 }];
    const body = signed({ handle: unique('intent'), claims }, ann, { moment: minutes(-600) });
    const { body: intent } = await ledger.post('/intents', body);
    expect(await proving(ledger, 'intents', intent, bob, { moment: minutes(-900) })).toEqual([200]);
  });
});

describe('a signature over something else', () => {
  const claims = [{ action: 'issue', target: 'w', symbol: 'x', amount: 1 }];
  const server = 'https://bank.example';
  test.each<[string, Json]>([
    ['wallets', {}],
    ['circles', {}],
    ['intents', { claims }],
    ['bridges', { schema: 'rest', config: { server } }],
  ])('tells nobody which %s exist', async (group, data) => {
    const ledger = await house();
    const seen = await wallet(ledger);
    const { custom, ...stolen } = proofOf(seen.hash, owner, { moment: now() });
    const { luid } = await ledger.make(group, { handle: 'here', ...data }, owner);
    const sent = [custom, undefined, ...['active', 'committed'].map((status) => ({ status }))];
    const send = async (id: string, key?: Key) => {
      const replies = sent.map(async (said) => {
        const proof = { ...stolen, ...(said && { custom: said }) };
        return outcome(await ledger.post(`/${group}/${id}/proofs`, proof, bearing(key)));
      });
      return new Set((await Promise.all(replies)).map(String));
    };
    for (const id of ['here', luid, 'nowhere'])
      for (const key of [undefined, ann])
        expect([id, await send(id, key)]).toEqual([id, new Set([String(forbidden)])]);
    expect(await send('here', owner)).toEqual(new Set([String(unsigned)]));
    expect(await send('nowhere', owner)).toEqual(new Set(['404,record.not-found']));
  });

  test('is another matter than one over what the record was before', async () => {
    const ledger = await house();
    const first = await wallet(ledger);
    const second = await ledger.put(`/wallets/${first.luid}`, revision(first, {}, owner));
    await ledger.put(`/wallets/${first.luid}`, revision(second.body, { custom: {} }, owner));
    for (const item of [first, second.body]) {
      expect(await proving(ledger, 'wallets', item, owner)).toEqual(unsigned);
      expect(await proving(ledger, 'wallets', item, ann)).toEqual(forbidden);
    }
  });
});

describe('a token of a signer', () => {
  const rule = (bearer: Json) => house({ action: 'read', record: 'wallet', bearer });
  const asked = async (bearer: Json, key: Key, claims: object, header: object = {}) => {
    const ledger = await rule(bearer);
    const { luid } = await wallet(ledger);
    return outcome(await ledger.get(`/wallets/${luid}`, bearing(key, claims, header)));
  };

  test('is none that says it is of the provider', async () => {
    for (const iss of ['oauth-provider'])
      for (const header of [{}, { kid: 'ann' }])
        expect(await asked({ iss }, ann, { iss, sub: 'ann' }, header)).toEqual(unauthorized);
    const config = { 'oauth.provider': 'mint' };
    const ledger = await newOwnLedger(home, owner, { access: owners, config });
    const read = async (iss: string) =>
      outcome(await ledger.get('/wallets', bearing(owner, { iss })));
    expect(await read('mint')).toEqual(unauthorized);
    expect(await read('oauth-provider')).toEqual([200]);
  });

  test('is none of the provider, also where its signer had the name before', async () => {
    const access = [...owners, { action: 'any', record: 'any', bearer: { iss: 'mint' } }];
    const ledger = await newOwnLedger(home, owner, { access });
    const near = await newOwnLedger(home, owner, { access: [] });
    await signer(ledger, 'mint', ann);
    await signer(near, 'mint', ann);
    const record = await ledger.get('/ledger', bearing(owner));
    const config = { 'oauth.provider': 'mint' };
    const { status } = await ledger.put('/ledger', revision(record.body, { config }, owner));
    expect(status).toBe(200);
    for (const header of [{}, { kid: 'mint' }])
      expect(outcome(await ledger.get('/wallets', bearing(ann, { iss: 'mint' }, header)))).toEqual(
        unauthorized,
      );
    const through = await near.get(`/ledgers/${ledger.ledger}`, bearing(ann, { iss: 'mint' }));
    expect(outcome(through)).not.toEqual([200]);
  });

  test('is none of the provider of another ledger, whose record is asked for through this one', async () => {
    const access = [...owners, { action: 'read', record: 'ledger', bearer: { iss: 'mint' } }];
    const far = await newOwnLedger(home, owner, { access, config: { 'oauth.provider': 'mint' } });
    const near = await newOwnLedger(home, owner, { access: [] });
    const read = async (key: Key, iss: string) =>
      outcome(await near.get(`/ledgers/${far.ledger}`, bearing(key, { iss })));
    expect(await read(ann, 'mint')).not.toEqual([200]);
    expect(await read(ann, 'ann')).not.toEqual([200]);
    expect(await read(owner, 'owner')).toEqual([200]);
  });

  test.each<[string, Json, Key, object, object, boolean]>([
    ['its own handle', { sub: 'ann' }, ann, { sub: 'ann' }, {}, true],
    [
      'its own handle, by which it is named',
      { sub: 'ann' },
      ann,
      { sub: 'ann' },
      { kid: 'ann' },
      true,
    ],
    ['its own key', { sub: ann.public }, ann, { sub: ann.public }, { kid: 'ann' }, true],
    ['the handle of another', { sub: 'ann' }, bob, { sub: 'ann' }, {}, false],
    ['the key of another', { sub: ann.public }, bob, { sub: ann.public }, {}, false],
    [
      'any of two, one being another',
      { $in: [{ sub: 'ann' }, { sub: 'eve' }] },
      bob,
      { sub: 'ann' },
      {},
      false,
    ],
    [
      'what a rule takes from it',
      { sub: 'x', $signer: { handle: 'bob' } },
      bob,
      { sub: 'x' },
      {},
      true,
    ],
    [
      'what a rule takes from another',
      { sub: 'x', $signer: { handle: 'ann' } },
      bob,
      { sub: 'x' },
      {},
      false,
    ],
    ['nobody that it is not', { sub: { $ne: 'ann' } }, ann, { sub: 'eve' }, {}, false],
    ['nobody', { sub: { $ne: 'ann' } }, ann, {}, {}, false],
  ])('says for rules %s: %o', async (_, bearer, key, claims, header, isLetIn) => {
    expect(await asked(bearer, key, claims, header)).toEqual(isLetIn ? [200] : forbidden);
  });
});

describe('a ledger that was governed', () => {
  const rules = [{ action: 'read', record: 'symbol' }];
  const end = async (ledger: Client, group: string, item: Item, change: Json) => {
    const path = group === 'ledger' ? '/ledger' : `/${group}/${item.luid}`;
    expect((await ledger.put(path, revision(item, change, owner))).status).toBe(200);
  };
  const ways: Readonly<Record<string, (ledger: Client) => Promise<unknown>>> = {
    'a rule of its own': async (ledger) => {
      const { body } = await ledger.get('/ledger');
      const { body: item } = await ledger.put('/ledger', revision(body, { access: rules }, owner));
      await end(ledger, 'ledger', item, { access: [] });
    },
    'policies alone': async (ledger) => {
      const { body } = await ledger.get('/ledger');
      const config = { 'access.strategy': 'policy-based' };
      const { body: item } = await ledger.put('/ledger', revision(body, { config }, owner));
      await end(ledger, 'ledger', item, { config: {} });
    },
    'the rule of a circle': async (ledger) => {
      const item = await ledger.make('circles', { handle: 'staff', access: rules }, owner);
      await end(ledger, 'circles', item, { access: [] });
    },
    'the rule of a circle that is inactive': async (ledger) => {
      const item = await ledger.make('circles', { handle: 'staff', access: rules }, owner);
      await proving(ledger, 'circles', item, owner, { status: 'inactive' });
    },
    'the rule of a domain': async (ledger) => {
      const item = await ledger.make('domains', { handle: 'bank', access: rules }, owner);
      await end(ledger, 'domains', item, { access: [] });
    },
    'a policy for access': async (ledger) => {
      const policy = { handle: 'p', schema: 'access', record: 'symbol', values: rules };
      const item = await ledger.make('policies', policy, owner);
      expect((await ledger.send('DELETE', '/policies/p', farewell(item, owner))).status).toBe(204);
    },
  };

  test.each(Object.keys(ways))('by %s stays so when the last rule ends', async (way) => {
    const ledger = await newOwnLedger(home, owner, { access: [] });
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual([201]);
    await ways[way]?.(ledger);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual(forbidden);
    expect(await reading(ledger, '/wallets')).toEqual(unauthorized);
    expect(await reading(ledger, '/symbols')).toEqual(unauthorized);
    // Its owners own its record, and so can mend it.
    const { body } = await ledger.get('/ledger', bearing(owner));
    const open = [{ action: 'any', record: 'any' }];
    expect((await ledger.put('/ledger', revision(body, { access: open }, owner))).status).toBe(200);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual([201]);
  });

  test('by its owners stays so when they give it up', async () => {
    const ledger = await newOwnLedger(home, owner);
    const { body } = await ledger.get('/ledger', bearing(owner));
    await end(ledger, 'ledger', body, { access: [] });
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual(forbidden);
    expect(await creating(ledger, 'wallets', {}, owner)).toEqual(forbidden);
  });
});

describe('an access check about another kind than the record’s', () => {
  const check = async (ledger: Client, path: string, data: Json, key = ann) =>
    (await ledger.post(`${path}/access/!check`, signed(data, key))).items.map((item) => item.data);

  test('says nothing of who owns the record, and what it is', async () => {
    const rule = { action: 'create', record: 'intent' };
    const ledger = await house(
      { action: 'create', record: 'wallet' },
      { ...rule, filter: { schema: 'rent' }, ...byKey(bob) },
    );
    await wallet(ledger, { handle: 'w', schema: 'rent' }, ann);
    await wallet(ledger, { handle: 'v', schema: 'other' }, ann);
    expect(await check(ledger, '/wallets/w', { action: 'update' })).toHaveLength(1);
    expect(
      await check(ledger, '/wallets/w', { action: 'create', record: 'wallet-proof' }),
    ).toHaveLength(1);
    for (const record of ['intent', 'intent-proof', 'symbol', 'ledger'])
      expect(await check(ledger, '/wallets/w', { action: 'create', record })).toEqual([]);
    // There could be such an intent, and what is asked of it is said.
    for (const path of ['/wallets/w', '/wallets/v'])
      expect(await check(ledger, path, { action: 'create', record: 'intent' }, bob)).toEqual([
        { ...rule, filter: { schema: 'rent' } },
      ]);
  });

  test('tells what stands where such a record would lie', async () => {
    const ledger = await house();
    const rules = (record: string) => [{ action: 'create', record, ...byKey(ann) }];
    await ledger.make('domains', { handle: 'bank', access: rules('wallet') }, owner);
    await ledger.make('wallets', { handle: 'w@bank', access: rules('intent') }, owner);
    await ledger.make('signers', { handle: 'robot', access: rules('signer-factor') }, owner);
    const made = async (path: string, record: string) =>
      (await check(ledger, path, { action: 'create', record })).length;
    expect(await made('/domains/bank', 'wallet')).toBe(1);
    expect(await made('/domains/bank', 'intent')).toBe(0);
    expect(await made('/wallets/w@bank', 'intent')).toBe(0);
    expect(await made('/signers/robot', 'signer-factor')).toBe(1);
    expect(await made('/signers/ann', 'signer-factor')).toBe(0);
  });

  test('asks the policies on that kind, where policies alone speak', async () => {
    const ledger = await house();
    const values = [{ action: 'create', ...byKey(ann) }];
    const policy = { handle: 'p', schema: 'access', record: 'wallet', values };
    await ledger.make('policies', policy, owner);
    const { body } = await ledger.get('/ledger', bearing(owner));
    const config = { 'access.strategy': 'policy-based' };
    await ledger.put('/ledger', revision(body, { config }, owner));
    const made = async (record: string) =>
      (await check(ledger, '/ledger', { action: 'create', record })).length;
    expect(await made('wallet')).toBe(1);
    expect(await made('symbol')).toBe(0);
  });
});

describe('a list without an identity', () => {
  test('is that of a domain where the rules of the domain let everyone read', async () => {
    const ledger = await house();
    const access = [{ action: 'read', record: 'wallet' }];
    await ledger.make('domains', { handle: 'bank', access }, owner);
    await ledger.make('domains', { handle: 'north', domain: 'bank' }, owner);
    await ledger.make('domains', { handle: 'south' }, owner);
    for (const handle of ['a@bank', 'b@north', 'c@south'])
      await ledger.make('wallets', { handle }, owner);
    const listed = async (query: string) => {
      const reply = await ledger.get(`/wallets?${query}`);
      return [reply.status, ...reply.items.map(({ data }) => data.handle)];
    };
    expect(await listed('meta.domain=bank')).toEqual([200, 'a@bank']);
    expect(await listed('meta.domain.$eq=north')).toEqual([200, 'b@north']);
    expect(await listed('meta.domain=bank&data.handle=c')).toEqual([200]);
    const others = [
      '',
      'meta.domain=south',
      'meta.domain=',
      'meta.domain=%23%0a',
      'meta.domain.$in=bank',
    ];
    for (const query of [...others, 'meta.domain.$ne=south'])
      expect(await listed(query)).toEqual([401]);
    expect((await ledger.get('/symbols?meta.domain=bank')).status).toBe(401);
  });
});

describe('a quorum', () => {
  test.each([{ $ne: 'bob' }, { $nin: ['bob'] }, { $exists: true }])(
    'of whose handle is %o is not met by a key of nobody',
    async (handle) => {
      const ledger = await newOwnLedger(home, owner, { access: [] });
      await signer(ledger, 'ann', ann);
      const values = [{ status: 'active', quorum: [{ handle }] }];
      const policy = { handle: 'p', schema: 'status', record: 'wallet', values };
      await ledger.make('policies', policy, owner);
      const { luid, hash } = await wallet(ledger);
      const statusBy = async (key: Key) => {
        const proof = proofOf(hash, key, { moment: now(), status: 'active' });
        return (await ledger.post(`/wallets/${luid}/proofs`, proof)).body.meta.status;
      };
      expect(await statusBy(bob)).toBe('created');
      expect(await statusBy(ann)).toBe('active');
    },
  );
});

describe('whoever may update a record', () => {
  const wide = [{ action: 'any', record: 'any', ...byKey(ann) }];
  const groups: readonly (readonly [group: string, record: string, data: Json])[] = [
    ['circles', 'circle', {}],
    ['domains', 'domain', {}],
    ['wallets', 'wallet', {}],
    ['signers', 'signer', {}],
  ];

  test.each(groups)(
    'of the %s may give away rights, unless the rule keeps that out',
    async (group, record, data) => {
      const change = { access: { $exists: false } };
      const ledger = await house(
        { action: 'read', record },
        { action: 'update', record, change, ...byKey(ann) },
        { action: 'update', record, filter: { 'custom.is': 'free' }, ...byKey(bob) },
      );
      const item = await ledger.make(
        group,
        { handle: 'x', custom: { is: 'free' }, ...data },
        owner,
      );
      const ruled = await ledger.make(
        group,
        {
          handle: 'y',
          custom: { is: 'free' },
          access: [{ action: 'read', ...byKey(bob) }],
          ...data,
        },
        owner,
      );
      expect(await updating(ledger, group, item, { access: wide }, ann)).toEqual(forbidden);
      expect(await updating(ledger, group, item, { access: [] }, ann)).toEqual(forbidden);
      for (const access of [wide, [], undefined])
        expect(await updating(ledger, group, ruled, { access }, ann)).toEqual(forbidden);
      expect(await updating(ledger, group, ruled, { custom: { n: 1 } }, ann)).toEqual([200]);
      expect(await updating(ledger, group, item, { access: wide }, bob)).toEqual([200]);
    },
  );

  test('that is the ledger may give away all rights, unless the rule keeps that out', async () => {
    const change = { access: { $exists: false }, 'config.access.strategy': { $exists: false } };
    const ledger = await house(
      { action: 'read', record: 'ledger' },
      {
        action: 'update',
        record: 'ledger',
        change: { access: change.access, config: { $exists: false } },
        ...byKey(ann),
      },
    );
    const { body } = await ledger.get('/ledger');
    const by = async (change: Json) =>
      outcome(await ledger.put('/ledger', revision(body, change, ann)));
    expect(await by({ access: wide })).toEqual(forbidden);
    expect(await by({ config: { 'access.strategy': 'policy-based' } })).toEqual(forbidden);
    expect(await by({ custom: { n: 1 } })).toEqual([200]);
  });
});

describe('a proof that names a ledger', () => {
  const custom = (ledger: string, more: Json = {}) => ({ moment: now(), ledger, ...more });

  test('counts in no other one, whatever it is for', async () => {
    const ledger = await newOwnLedger(home, owner, { access: [] });
    const effect = await ledger.make('effects', { handle: 'e', ...webhook }, ann);
    const bodies = (name: string): [method: string, path: string, body: object][] => [
      ['POST', '/wallets', signed({ handle: unique('w') }, ann, custom(name))],
      [
        'POST',
        '/intents',
        signed(
          {
            handle: unique('i'),
            claims: [{ action: 'issue', target: 'w', symbol: 's', amount: 1 }],
          },
          ann,
          custom(name),
        ),
      ],
      ['POST', '/effects/e/activate', signed({}, ann, custom(name))],
      ['POST', '/effects/e/events/retry', signed({}, ann, custom(name))],
      ['POST', '/effects/e/access/!check', signed({ action: 'read' }, ann, custom(name))],
      ['POST', '/effects/e/proofs', proofOf(effect.hash, ann, custom(name))],
      [
        'PUT',
        '/effects/e',
        signed({ ...effect.data, custom: { n: 1 }, parent: effect.hash }, ann, custom(name)),
      ],
    ];
    const all = async (name: string) => {
      const replies: Json[] = [];
      for (const [method, path, body] of bodies(name)) {
        const reply = await ledger.send(method, path, body);
        replies.push({ status: reply.status, fault: reply.custom['fault'] });
      }
      return replies;
    };
    for (const reply of await all(unique('other')))
      expect(reply).toEqual({ status: 422, fault: 'ledger' });
    for (const { status } of await all(String(ledger.ledger)))
      expect([200, 201, 202]).toContain(status);
    const { body: current } = await ledger.get('/effects/e');
    const drop = (name: string) =>
      ledger.send(
        'DELETE',
        '/effects/e',
        signed({ parent: current.hash }, ann, custom(name, { status: 'dropped' })),
      );
    expect((await drop('other')).custom['fault']).toBe('ledger');
    expect((await drop(String(ledger.ledger))).status).toBe(204);
    const far = signed({ handle: unique('ledger') }, owner, custom('other'));
    expect((await home.post('/ledgers', far)).custom['fault']).toBe('ledger');
  });
});
