/** Goal: nobody is shown, or told of, what no rule lets them read. Rulings 22 and 30 to 36. */
import { describe, expect, test } from 'vitest';
import {
  type Client,
  farewell,
  handlesIn,
  hashOf,
  type Json,
  type Key,
  newKey,
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
  owners,
  proving,
  reading,
  signer,
  unauthorized,
  wallet,
} from '../fixture/house.ts';
import { newFactor } from '../fixture/oauth.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing, tokenOf } from '../fixture/token.ts';

const home = await sharedHome();

const house = (...access: Json[]) => houseOf(home, ...access);
const check = async (ledger: Client, path: string, key: Key, data: Json) => {
  const { status, items } = await ledger.post(`${path}/access/!check`, signed(data, key));
  return [status, ...items.map((item) => item.data)];
};

describe('a list', () => {
  const filter = { 'custom.tier': 'gold' };
  const claims = [{ action: 'issue', target: 'nobody', symbol: 'none', amount: 1 }];

  test.each([
    ['wallets', '', {}],
    ['wallets', '&data.custom.word=common', {}],
    ['wallets', '&meta.status=created', {}],
    ['intents', '', { claims }],
    ['intents', '&$plainTextQuery=issue', { claims }],
  ])(
    'of %s%s leaves out what may not be read, and its pages are full',
    async (group, query, more) => {
      const record = group.slice(0, -1);
      const ledger = await house({ action: 'read', record, filter, ...byToken(ann) });
      const handles: string[] = [];
      for (let n = 0; n < 12; n += 1) {
        const tier = n % 3 === 0 ? 'gold' : 'tin';
        const custom = { tier, word: 'common' };
        const { data } = await ledger.make(
          group,
          { handle: unique(record), custom, ...more },
          owner,
        );
        if (tier === 'gold') handles.unshift(data.handle);
      }
      const page = (index: number, key?: Key) =>
        ledger.get(`/${group}?page.limit=2&page.index=${index}${query}`, bearing(key));
      expect(handlesIn((await page(0, ann)).items)).toEqual(handles.slice(0, 2));
      expect(handlesIn((await page(1, ann)).items)).toEqual(handles.slice(2));
      expect(handlesIn((await page(2, ann)).items)).toEqual([]);
      expect(outcome(await page(0, bob))).toEqual(forbidden);
      expect((await page(0, owner)).items).toHaveLength(2);
      expect(outcome(await page(0))).toEqual(unauthorized);
      const tin = await ledger.get(`/${group}?data.custom.tier=tin`, bearing(ann));
      expect(tin.items).toEqual([]);
    },
  );

  test('is asked for by those who may query or read, and shows what they may read', async () => {
    const ledger = await house({ action: 'query', record: 'wallet' });
    await wallet(ledger);
    expect((await ledger.get('/wallets')).items).toEqual([]);
    expect(await reading(ledger, '/symbols')).toEqual(unauthorized);
    const open = await house({ action: 'read', record: 'wallet' });
    await wallet(open);
    expect((await open.get('/wallets')).items).toHaveLength(1);
  });
});

test('what may not be read is refused like what is not there, on every way to it', async () => {
  const ledger = await house();
  const item = await wallet(ledger, { handle: 'w' });
  await ledger.make('bridges', { handle: 'b', config: { server: 'https://a.example' } }, owner);
  await ledger.make('reports', { handle: 'r', schema: 'monthly' }, owner);
  await ledger.make('circles', { handle: 'c' }, owner);
  const paths = [
    ...['', '/balances', '/limits', '/anchors', '/domains', '/changes', '/changes/1'].map(
      (more) => ['wallets', 'w', more] as const,
    ),
    ['bridges', 'b', '/events'] as const,
    ['bridges', 'b', '/events/evt_0'] as const,
    ['reports', 'r', '/assets/a'] as const,
    ['circles', 'c', ''] as const,
    ['signers', 'ann', ''] as const,
  ];
  const without = (text: string) => text.replaceAll(/"(digest|result|moment)":"[^"]*"/g, '');
  for (const [group, handle, more] of paths)
    for (const key of [bob, undefined]) {
      const [hidden, none] = await Promise.all(
        [handle, 'nobody'].map((id) => ledger.get(`/${group}/${id}${more}`, bearing(key))),
      );
      const expected = key ? forbidden : unauthorized;
      expect([group, more, outcome(hidden as never)]).toEqual([group, more, expected]);
      expect(without(hidden?.text ?? '')).toBe(without(none?.text ?? '?'));
    }
  const bodyFor = (luid: string, hash: string): [string, string, object][] => [
    ['PUT', '', revision({ ...item, luid, hash }, { custom: {} }, bob)],
    ['DELETE', '', farewell({ luid, hash }, bob)],
    ['POST', '/drop', farewell({ luid, hash }, bob)],
    ['POST', '/proofs', proofOf(hash, bob, { moment: now() })],
    ['POST', '/anchors/!lookup', signed({}, bob)],
  ];
  const [there, nowhere] = [bodyFor(item.luid, item.hash), bodyFor('w', hashOf({}))];
  for (const [index, [method, more, body]] of there.entries()) {
    const hidden = await ledger.send(method, `/wallets/w${more}`, body);
    const none = await ledger.send(method, `/wallets/nobody${more}`, nowhere[index]?.[2]);
    expect([method, more, outcome(hidden)]).toEqual([method, more, forbidden]);
    expect(without(hidden.text)).toBe(without(none.text));
  }
});

test('the handle of an intent is taken, and its status is told to those who may read it', async () => {
  const ledger = await house({ action: 'create', record: 'intent' });
  const claims = [{ action: 'issue', target: 'none', symbol: 'none', amount: 1 }];
  const { body: made } = await ledger.post('/intents', signed({ handle: 'pay', claims }, ann));
  const again = (by: Key) => ledger.post('/intents', signed({ handle: 'pay', claims }, by));
  const { luid, hash, meta } = made;
  expect((await again(ann)).custom).toEqual({ luid, hash, status: meta.status });
  expect((await again(bob)).custom).toEqual({});
});

test('a handle is taken, and by whom is told to those who may read it', async () => {
  const ledger = await house({ action: 'create', record: 'wallet' });
  const body = signed({ handle: 'w' }, ann);
  const { body: made } = await ledger.post('/wallets', body);
  const [again, other] = [
    await ledger.post('/wallets', body),
    await ledger.post('/wallets', signed({ handle: 'w' }, bob)),
  ];
  expect([again.status, again.custom]).toEqual([409, { luid: made.luid, hash: made.hash }]);
  expect([other.status, other.custom]).toEqual([409, {}]);
  expect(other.text).not.toContain(made.luid);
});

test.each([
  ['circles', 'c', 'signers'],
  ['circles', 'c', 'signers/x'],
  ['signers', 'ann', 'factors'],
  ['signers', 'ann', 'factors/x'],
  ['signers', 'ann', 'factors/x/changes'],
])(
  'what belongs to one of the %s that may not be read does not tell of it: %s/%s',
  async (group, id, more) => {
    const ledger = await house();
    await ledger.make('circles', { handle: 'c' }, owner);
    for (const key of [bob, undefined]) {
      const hidden = await ledger.get(`/${group}/${id}/${more}`, bearing(key));
      const none = await ledger.get(`/${group}/nobody/${more}`, bearing(key));
      expect(outcome(hidden)).toEqual(key ? forbidden : unauthorized);
      expect([...outcome(hidden), hidden.detail]).toEqual([...outcome(none), none.detail]);
    }
  },
);

test('effects and bridges are activated, and tell again, for whom the rules let', async () => {
  const ledger = await house(
    { action: 'activate', record: 'bridge', ...byKey(ann) },
    { action: 'retry-event', record: 'bridge', ...byKey(bob) },
    { action: 'read', record: 'bridge' },
  );
  await ledger.make('bridges', { handle: 'b', config: { server: 'https://a.example' } }, owner);
  const asking = async (what: string, key: Key) =>
    outcome(await ledger.post(`/bridges/b/${what}`, signed({}, key)));
  expect(await asking('activate', ann)).toEqual([202]);
  expect(await asking('activate', bob)).toEqual(forbidden);
  expect(await asking('events/retry', bob)).toEqual([202]);
  expect(await asking('events/retry', ann)).toEqual(forbidden);
});

test('a lookup shows the anchors that may be read', async () => {
  const filter = { 'custom.is': 'public' };
  const ledger = await house(
    { action: 'lookup', record: 'anchor' },
    { action: 'read', record: 'wallet' },
    { action: 'read', record: 'anchor', filter },
  );
  await wallet(ledger, { handle: 'w' });
  for (const is of ['public', 'secret'])
    await ledger.make('anchors', { handle: is, target: 'w@b', wallet: 'w', custom: { is } }, owner);
  const asked = (key: Key) => ledger.post('/wallets/w/anchors/!lookup', signed({}, key));
  expect(handlesIn((await asked(bob)).items)).toEqual(['public']);
  expect(handlesIn((await asked(owner)).items).sort()).toEqual(['public', 'secret']);
  expect(handlesIn((await ledger.get('/wallets/w/anchors')).items)).toEqual(['public']);
});

describe('an explained check', () => {
  const drop = { action: 'drop', record: 'wallet' };
  const filter = { 'custom.tier': 'gold' };
  const explained = async (ledger: Client, path: string, key: Key) => {
    const body = signed({ action: 'drop', explain: true }, key);
    const { status, items } = await ledger.post(`${path}/access/!check`, body);
    expect(status).toBe(200);
    return items.map((item) => item.data);
  };
  /** A rule of this place that lacks this. */
  const lacking = (place: string, why: string) =>
    expect.objectContaining({ missing: why, source: expect.objectContaining({ place }) });
  const ofOwners = [
    lacking('server', 'signer'),
    lacking('ledger', 'signer'),
    lacking('ledger', 'bearer'),
  ];

  test('goes on with the rules that do not grant it, and what is missing of each', async () => {
    const ledger = await house(
      { ...drop, ...byKey(ann) },
      { ...drop, filter },
      { action: 'read', record: { $in: ['wallet', 'ledger'] } },
    );
    const { luid } = await wallet(ledger);
    const path = `/wallets/${luid}`;
    expect(await check(ledger, path, bob, { action: 'drop' })).toEqual([200]);
    const source = { place: 'ledger', handle: ledger.ledger };
    const lacksFilter = { ...drop, filter, missing: 'filter', source };
    expect(await explained(ledger, path, bob)).toEqual([
      ...ofOwners,
      { ...drop, ...byKey(ann), missing: 'signer', source },
      lacksFilter,
    ]);
    expect(await explained(ledger, path, ann)).toEqual([drop, ...ofOwners, lacksFilter]);
  });

  test('shows rules of places that may be read alone', async () => {
    const ledger = await house({ ...drop, ...byKey(ann) }, { action: 'read', record: 'wallet' });
    const { luid } = await wallet(ledger, { access: [{ ...drop, ...byKey(ann) }] });
    const shown = await explained(ledger, `/wallets/${luid}`, bob);
    expect(shown).toEqual([lacking('server', 'signer'), lacking('record', 'signer')]);
  });

  test('shows the rules of a policy to who may read it, unless they are also those of others', async () => {
    const ledger = await house(
      { policy: { $in: ['own', 'extending'] } },
      { action: 'read', record: { $in: ['wallet', 'policy'] } },
    );
    const policy = {
      schema: 'access',
      record: 'wallet',
      values: [{ action: 'drop', ...byKey(ann) }],
    };
    for (const handle of ['own', 'other'])
      await ledger.make('policies', { handle, ...policy }, owner);
    await ledger.make('policies', { handle: 'extending', ...policy, extend: 'other' }, owner);
    const { luid } = await wallet(ledger);
    const shown = await explained(ledger, `/wallets/${luid}`, bob);
    expect(shown).toEqual([lacking('server', 'signer'), lacking('policy', 'signer')]);
  });

  test('says of a hidden record what it says of a missing one', async () => {
    const ledger = await house({ ...drop, filter }, { action: 'read', record: 'ledger' });
    await wallet(ledger, { handle: 'w' });
    expect(await explained(ledger, '/wallets/w', bob)).toEqual([]);
    expect(await explained(ledger, '/wallets/nobody', bob)).toEqual([]);
  });
});

describe('a token', () => {
  const rule = (bearer: Json) => house({ action: 'read', record: 'wallet', bearer });

  test.each<[string, Json, Key, object, boolean]>([
    ['of its signer', { $signer: { handle: 'ann' } }, ann, {}, true],
    ['of another signer', { $signer: { handle: 'ann' } }, bob, {}, false],
    [
      'that says what is asked',
      { iss: 'x', sub: 'y', aud: 'z', $signer: { handle: 'ann' } },
      ann,
      { iss: 'x', sub: 'y', aud: 'z' },
      true,
    ],
    ['that says something else', { iss: 'x', $signer: { handle: 'ann' } }, ann, {}, false],
    [
      'of another signer that says the same',
      { sub: 'ann', $signer: { handle: 'ann' } },
      bob,
      { sub: 'ann' },
      false,
    ],
    ['that is bound to no request', { hsh: true, $signer: { handle: 'ann' } }, ann, {}, false],
  ])('%s is let in as the rule says', async (_, bearer, key, claims, isLetIn) => {
    const ledger = await rule(bearer);
    const { luid } = await wallet(ledger);
    const reply = await ledger.get(`/wallets/${luid}`, bearing(key, claims));
    expect(outcome(reply)).toEqual(isLetIn ? [200] : forbidden);
  });

  test('that is bound to the request is let in where it must be', async () => {
    const ledger = await rule({ hsh: true, $signer: { handle: 'ann' } });
    const { luid } = await wallet(ledger);
    const url = `${home.url}/wallets/${luid}`;
    const hsh = hashOf({ method: 'GET', url, body: null, headers: null });
    expect((await ledger.get(`/wallets/${luid}`, bearing(ann, { hsh }))).status).toBe(200);
  });

  test('signs no body, and where a rule asks for both, both have to be there', async () => {
    const ledger = await house(
      { action: 'create', record: 'wallet', ...byKey(ann), ...byToken(bob) },
      { action: 'create', record: 'symbol', ...byKey(ann) },
    );
    const making = async (group: string, data: Json, key: Key, token?: Key) =>
      outcome(
        await ledger.post(
          `/${group}`,
          signed({ handle: unique('new'), ...data }, key),
          bearing(token),
        ),
      );
    expect(await making('symbols', { factor: 1 }, bob, ann)).toEqual(forbidden);
    expect(await making('symbols', { factor: 1 }, ann, bob)).toEqual([201]);
    expect(await making('wallets', {}, ann)).toEqual(forbidden);
    expect(await making('wallets', {}, bob, ann)).toEqual(forbidden);
    expect(await making('wallets', {}, ann, bob)).toEqual([201]);
  });

  test('that is wrong is refused even where everyone may', async () => {
    const ledger = await house({ action: 'any', record: 'any' });
    const wrong = { headers: { authorization: `Bearer ${tokenOf(ann, { exp: 1 })}` } };
    for (const path of ['/wallets', '/ledger', '/signers/system'])
      expect(outcome(await ledger.get(path, wrong))).toEqual(unauthorized);
    expect(outcome(await ledger.post('/wallets', signed({ handle: 'w' }, ann), wrong))).toEqual(
      unauthorized,
    );
  });

  test('of one ledger’s provider means nobody to the rules of another ledger', async () => {
    const bearer = { iss: 'oauth-provider', sub: 'boss' };
    const far = await house({ action: 'any', record: 'any', bearer });
    const near = await house({ action: 'any', record: 'any' });
    const factor = await newFactor(near, owner, 'boss');
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: factor.id,
      client_secret: factor.secret,
    });
    const response = await fetch(`${home.url}/oauth/token`, {
      method: 'POST',
      headers: { 'x-ledger': String(near.ledger) },
      body: form,
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${token}` };
    expect((await near.get('/wallets', { headers })).status).toBe(200);
    expect((await far.get('/wallets', { headers })).status).toBe(401);
    expect(outcome(await near.get(`/ledgers/${far.ledger}`, { headers }))).toEqual(missing);
  });
});

describe('a policy', () => {
  const values = [{ action: 'create', ...byKey(ann) }];
  const policy = { schema: 'access', record: 'wallet', values };

  test('grants where it is named, as long as it is active', async () => {
    const ledger = await house({ policy: 'p' });
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual(forbidden);
    const made = await ledger.make('policies', { handle: 'p', ...policy }, owner);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual([201]);
    expect(await creating(ledger, 'symbols', { factor: 1 }, ann)).toEqual(forbidden);
    await proving(ledger, 'policies', made, owner, { status: 'inactive' });
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual(forbidden);
  });

  // Ruling 73.
  test('is one of several, and its rules are about several kinds and actions', async () => {
    const several = { action: { $in: ['read', 'query'] }, record: { $in: ['symbol', 'wallet'] } };
    const ledger = await house(
      { policy: { $in: ['nothing', 'p'] } },
      { ...several, ...byToken(ann) },
    );
    const { luid } = await wallet(ledger);
    expect(await reading(ledger, `/wallets/${luid}`, ann)).toEqual([200]);
    expect(await reading(ledger, '/symbols', ann)).toEqual([200]);
    expect(await reading(ledger, '/circles', ann)).toEqual(forbidden);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual(forbidden);
    const rules = [{ action: { $in: ['create', 'drop'] }, ...byKey(ann) }];
    await ledger.make('policies', { handle: 'p', ...policy, values: rules }, owner);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual([201]);
    const shown = await check(ledger, `/wallets/${luid}`, ann, { action: 'drop' });
    expect(shown).toEqual([200, { action: { $in: ['create', 'drop'] }, record: 'wallet' }]);
  });

  test('is about what its filter says, whatever its rules say', async () => {
    const filter = { 'data.custom.tier': 'gold' };
    const ledger = await house({ policy: 'p' });
    const rules = [{ action: 'create', filter: { 'custom.tier': { $in: ['gold', 'tin'] } } }];
    const narrow = { handle: 'p', schema: 'access', record: 'wallet', values: rules, filter };
    await ledger.make('policies', narrow, owner);
    expect(await creating(ledger, 'wallets', { custom: { tier: 'gold' } }, ann)).toEqual([201]);
    expect(await creating(ledger, 'wallets', { custom: { tier: 'tin' } }, ann)).toEqual(forbidden);
  });

  test.each([{ $ne: 'secret' }, 'open'])(
    'is about the domain of what is created: %j',
    async (is) => {
      const ledger = await house({ policy: 'p' });
      for (const handle of ['secret', 'open']) await ledger.make('domains', { handle }, owner);
      const filter = { 'meta.domain': is };
      await ledger.make('policies', { handle: 'p', ...policy, filter }, owner);
      expect(await creating(ledger, 'wallets', { domain: 'open' }, ann)).toEqual([201]);
      expect(await creating(ledger, 'wallets', { domain: 'secret' }, ann)).toEqual(forbidden);
    },
  );

  test('alone speaks where the ledger is ruled by policies', async () => {
    const ledger = await house();
    await ledger.make('policies', { handle: 'p', ...policy }, owner);
    await ledger.make('policies', { handle: 'q', ...policy, record: 'symbol', extend: 'p' }, owner);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual(forbidden);
    const { body } = await ledger.get('/ledger', bearing(owner));
    const config = { 'access.strategy': 'policy-based' };
    expect((await ledger.put('/ledger', revision(body, { config }, owner))).status).toBe(200);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual([201]);
    expect(await creating(ledger, 'wallets', {}, owner)).toEqual(forbidden);
    expect(await creating(ledger, 'symbols', { factor: 1 }, ann)).toEqual([201]);
  });

  test('may be about the proofs that are added to a kind, and grants no more than those', async () => {
    const ledger = await house();
    const values = [{ action: 'any', ...byKey(ann) }];
    const about = { schema: 'access', record: 'wallet-proof', values };
    await ledger.make('policies', { handle: 'p', ...about }, owner);
    const { luid, hash } = await ledger.make('wallets', { handle: unique('w') }, owner);
    const { body } = await ledger.get('/ledger', bearing(owner));
    const config = { 'access.strategy': 'policy-based' };
    expect((await ledger.put('/ledger', revision(body, { config }, owner))).status).toBe(200);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual(forbidden);
    const said = proofOf(hash, ann, { moment: now() });
    expect(outcome(await ledger.post(`/wallets/${luid}/proofs`, said))).toEqual([200]);
    const other = proofOf(hash, bob, { moment: now() });
    expect([403, 404]).toContain((await ledger.post(`/wallets/${luid}/proofs`, other)).status);
  });

  test('whose rules cannot be judged is refused', async () => {
    const ledger = await house();
    for (const bad of [{ action: 'fly' }, { action: 'read', singer: {} }, { record: 'wallet' }])
      expect(await creating(ledger, 'policies', { ...policy, values: [bad] }, owner)).toEqual(
        'action' in bad || 'record' in bad ? [422, 'record.schema-invalid'] : [],
      );
    const odd = [{ action: 'read', filter: { a: { $like: 'b' } } }];
    expect(await creating(ledger, 'policies', { ...policy, values: odd }, owner)).toEqual([
      422,
      'record.invalid',
    ]);
  });
});

test('an access check lists what grants, to those who may not even read', async () => {
  const filter = { 'custom.tier': 'gold' };
  const ledger = await house({ action: 'update', record: 'wallet', filter, ...byKey(ann) });
  const { luid } = await wallet(ledger, { custom: { tier: 'gold' } });
  const path = `/wallets/${luid}`;
  expect(await reading(ledger, path, ann)).toEqual(forbidden);
  const granted = { action: 'update', record: 'wallet', filter };
  expect(await check(ledger, path, ann, { action: 'update' })).toEqual([200, granted]);
  expect(await check(ledger, path, bob, { action: 'update' })).toEqual([200]);
  expect(await check(ledger, path, ann, { action: 'read' })).toEqual([200]);
  // Of a wallet that is not known it could be granted, and what is asked of it is said. Decision 48.
  const asked = { action: 'update', record: 'wallet' };
  expect(await check(ledger, '/ledger', ann, asked)).toEqual([200, granted]);
  expect(await check(ledger, '/ledger', bob, asked)).toEqual([200]);
  expect(await check(ledger, path, owner, { action: 'drop' })).toEqual([
    200,
    { action: 'any', record: 'wallet' },
    { action: 'any', record: 'any' },
  ]);
  expect(owners).toHaveLength(2);
});

test('a key that another signer shows makes nobody of that signer', async () => {
  const ledger = await house(
    { action: 'create', record: 'signer' },
    { action: 'create', record: 'wallet', signer: { handle: 'ann' } },
  );
  const mallory = newKey();
  const shown = { public: ann.public, format: 'ed25519-raw' };
  expect(await creating(ledger, 'signers', shown, mallory)).toEqual([201]);
  expect(await creating(ledger, 'wallets', {}, mallory)).toEqual(forbidden);
  expect(await creating(ledger, 'wallets', {}, ann)).toEqual([201]);
  await signer(ledger, 'mallory', mallory);
  expect(await creating(ledger, 'wallets', {}, mallory)).toEqual(forbidden);
});

describe('a rule on labels', () => {
  const notVip = { labels: { $nin: ['vip'] } };
  const audited = { labels: 'audited' };
  test.each([
    [['vip'], notVip, forbidden],
    [{ $push: 'vip' }, notVip, forbidden],
    [{ $addToSet: 'vip' }, notVip, forbidden],
    [{ $push: { $each: ['blue', 'vip'] } }, notVip, forbidden],
    [{ $push: 'blue' }, notVip, [200]],
    [{ $push: 'blue' }, audited, [200]],
    [{ $pull: 'audited' }, audited, forbidden],
    [{ $pop: 1 }, audited, forbidden],
    [['blue'], audited, forbidden],
    [{ $push: 5 }, audited, forbidden],
  ])('weighs them as they would be: %j after %j', async (labels, change, expected) => {
    const ledger = await house({ action: 'update', record: 'wallet', ...byKey(ann), change });
    const made = await wallet(ledger);
    await proving(ledger, 'wallets', made, owner, { labels: ['audited'] });
    expect(await proving(ledger, 'wallets', made, ann, { labels })).toEqual(expected);
  });
});
