/**
 * Goal: every kind lives the same life: it is made, read, listed, updated, proved, asked about and,
 * where its kind says so, dropped. The lives come from the table of kinds. Rulings 12 to 18.
 */
import { describe, expect, test } from 'vitest';
import { type Kind, kinds, lineOf } from '../../shared/ledger/kind.ts';
import {
  claimOf,
  farewell,
  hashOf,
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  proofOf,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();
const author = newKey();
/** The records that others are within, or name. */
const parents = { signer: 'ann', circle: 'staff', wallet: 'alice', bridge: 'bank' } as const;

const home = await sharedHome();
const ledger = await newLedger(home, key);
await ledger.make('signers', { handle: 'ann' }, key);
await ledger.make('circles', { handle: 'staff' }, key);
await ledger.make('wallets', { handle: 'alice' }, key);
await ledger.make('symbols', { handle: 'usd', factor: 100 }, key);
await ledger.make('bridges', { handle: 'bank', config: { server: 'https://a.example' } }, key);

const webhook = { schema: 'webhook', endpoint: 'https://a.example/events' };
/** The data of a new record, less its name. */
const dataOf: Readonly<Record<Kind, () => Json>> = {
  ledger: () => ({}),
  signer: () => ({ public: newKey().public, format: 'ed25519-raw' }),
  symbol: () => ({ factor: 100 }),
  wallet: () => ({ bridge: parents.bridge }),
  intent: () => ({ claims: [claimOf('issue alice 5 usd')] }),
  effect: () => ({ signal: 'wallet-created', action: webhook }),
  'signer-factor': () => ({
    signer: parents.signer,
    schema: 'key-pair',
    public: newKey().public,
    format: 'ed25519-raw',
  }),
  circle: () => ({ access: [{ action: 'read', record: 'wallet' }] }),
  'circle-signer': () => ({ circle: parents.circle }),
  bridge: () => ({ schema: 'rest', config: { server: 'https://a.example' }, secure: [] }),
  domain: () => ({}),
  anchor: () => ({ target: 'alice@bank', wallet: parents.wallet }),
  // Policies have schemas of their own, so that this one asks nothing of the others; nor does the policy.
  schema: () => ({ record: 'policy', format: 'json-schema', schema: { type: 'object' } }),
  policy: () => ({ schema: 'labels', record: 'ledger', values: [] }),
  report: () => ({ schema: 'monthly' }),
};

/** A new name for a record of the kind; a link is named by a signer, who must be there. */
async function newData(kind: Kind): Promise<Json> {
  const name = unique(kind);
  const { naming = 'handle' } = lineOf(kind);
  if (naming === 'signer') await ledger.make('signers', { handle: name }, key);
  return { ...dataOf[kind](), [naming]: name };
}

function pathOf(kind: Kind): string {
  const { within, group } = lineOf(kind);
  return within ? `/${lineOf(within).group}/${parents[within]}/${group}` : `/${group}`;
}

async function made(kind: Kind): Promise<Item> {
  const reply = await ledger.post(pathOf(kind), signed(await newData(kind), author));
  expect(reply.status, reply.text).toBe(kind === 'circle-signer' ? 200 : 201);
  return reply.body;
}

const nameIn = (kind: Kind, { data }: Item) => String(data[lineOf(kind).naming ?? 'handle']);
const isLink = (kind: Kind) => kind === 'circle-signer';
const all = (Object.keys(kinds) as Kind[]).filter((kind) => kind !== 'ledger');
const updated = all.filter((kind) => kinds[kind].updates);
const dropped = all.filter((kind) => kinds[kind].drops);
const renamed = updated.filter((kind) => kinds[kind].renames);

describe.each(all)('%s', (kind) => {
  const path = pathOf(kind);

  test('what is made is read by its name and by its luid', async () => {
    const record = await made(kind);
    expect(record.luid).toMatch(new RegExp(`^\\$${lineOf(kind).prefix}\\.[-0-9A-Z_a-z]{17}$`));
    for (const id of [record.luid, nameIn(kind, record)]) {
      const { status, body } = await ledger.get(`${path}/${encodeURIComponent(id)}`);
      expect([status, body.hash, body.data]).toEqual([200, record.hash, record.data]);
    }
  });

  test('a list shows the newest first, and each once', async () => {
    const [older, newer] = [await made(kind), await made(kind)];
    const { items } = await ledger.get(`${path}?page.limit=100`);
    const luids = items.map(({ luid }) => luid);
    expect(luids.indexOf(newer.luid)).toBeLessThan(luids.indexOf(older.luid));
    expect(luids).toContain(older.luid);
    expect(new Set(luids).size).toBe(luids.length);
  });

  test('a name is taken once, and the refusal says by whom', async () => {
    const record = await made(kind);
    const again = signed({ ...record.data }, newKey());
    const reply = await ledger.post(path, again);
    expect([reply.status, reply.reason]).toEqual([409, 'record.duplicated']);
    // A client that lost the answer wants to know how its intent ended.
    const status = kind === 'intent' ? { status: record.meta.status } : {};
    expect(reply.custom).toEqual({ luid: record.luid, hash: record.hash, ...status });
  });

  test('what is not there is not found, and says of which kind', async () => {
    for (const id of ['nobody', `$${lineOf(kind).prefix}.00000000000000000`, '$xyz.1', 'a%2Fb']) {
      const reply = await ledger.get(`${path}/${id}`);
      expect([reply.status, reply.reason]).toEqual([404, 'record.not-found']);
      expect(reply.detail).toBe(`${lineOf(kind).title} not found`);
    }
  });

  test('a body that breaks its shape is refused with every violation, and leaves nothing', async () => {
    const { [lineOf(kind).naming ?? 'handle']: _name, ...data } = await newData(kind);
    const reply = await ledger.post(path, signed({ ...data, custom: 5, typo: true }, author));
    expect([reply.status, reply.reason]).toEqual([422, 'record.schema-invalid']);
    const errors = reply.custom['errors'] as { instancePath: string; keyword: string }[];
    expect(errors.map((one) => `${one.instancePath} ${one.keyword}`).sort()).toEqual([
      '/data additionalProperties',
      '/data required',
      '/data/custom type',
    ]);
  });

  test('a hash of other data, and a body that nobody signed, are refused', async () => {
    const body = signed(await newData(kind), author);
    const wrong = { ...body, hash: hashOf({ other: true }) };
    expect((await ledger.post(path, wrong)).reason).toBe('crypto.hash-invalid');
    const unsigned = { ...body, meta: { proofs: [] } };
    expect((await ledger.post(path, unsigned)).reason).toBe('crypto.signature-missing');
  });
});

describe.each(all.filter((kind) => !isLink(kind)))('%s', (kind) => {
  const path = pathOf(kind);

  test('its proofs bring a status and labels, and its history tells each', async () => {
    const record = await made(kind);
    const before = (await ledger.get(`${path}/${record.luid}/changes`)).page.total ?? 0;
    const custom = { moment: now(), status: 'pending', labels: ['first', 'vip'] };
    const proved = await ledger.post(
      `${path}/${record.luid}/proofs`,
      proofOf(record.hash, author, custom),
    );
    expect(proved.status, proved.text).toBe(200);
    expect(proved.body.meta['labels']).toEqual(['first', 'vip']);
    if (kind !== 'intent') expect(proved.body.meta.status).toBe('pending');
    const history = await ledger.get(`${path}/${record.luid}/changes`);
    expect(history.page.total).toBe(before + 1);
    const numbers = history.items.map(({ meta }) => meta['change']);
    expect(numbers).toEqual(Array.from({ length: before + 1 }, (_, index) => before + 1 - index));
    expect(history.items.at(-1)?.meta['action']).toBe('create');
    for (const item of history.items) {
      const one = await ledger.get(`${path}/${record.luid}/changes/${item.meta['change']}`);
      expect(one.body).toEqual(item);
    }
    expect((await ledger.get(`${path}/${record.luid}/changes/999`)).reason).toBe(
      'record.not-found',
    );
  });

  test('an access check lists the rules that grant what is asked, and needs no right', async () => {
    const record = await made(kind);
    const asked = signed({ action: 'read' }, author);
    const reply = await ledger.post(`${path}/${record.luid}/access/!check`, asked);
    // The one that lets owners do anything, and the one by which this ledger is open.
    const granted = [
      { action: 'any', record: kind },
      { action: 'any', record: 'any' },
    ];
    expect([reply.status, reply.items.map(({ data }) => data)]).toEqual([200, granted]);
    const stranger = await ledger.post(
      `${path}/${record.luid}/access/!check`,
      signed({ action: 'read' }, newKey()),
    );
    expect(stranger.items.map(({ data }) => data)).toEqual(granted.slice(1));
    expect(reply.page).toBeUndefined();
    const unknown = signed({ action: 'fly' }, author);
    const refused = await ledger.post(`${path}/${record.luid}/access/!check`, unknown);
    expect(refused.reason).toBe('record.schema-invalid');
    const nobody = await ledger.post(`${path}/nobody/access/!check`, asked);
    expect(nobody.reason).toBe('record.not-found');
  });
});

describe.each(updated)('%s', (kind) => {
  const path = pathOf(kind);

  test('new data takes the place of the old, once', async () => {
    const record = await made(kind);
    const body = revision(record, { custom: { note: 2 } }, author);
    const reply = await ledger.put(`${path}/${record.luid}`, body);
    expect(reply.status, reply.text).toBe(200);
    expect([reply.body.hash, reply.body.meta.status]).toEqual([body.hash, 'created']);
    const stale = await ledger.put(
      `${path}/${record.luid}`,
      revision(record, { custom: { note: 3 } }, author),
    );
    expect([stale.status, stale.reason]).toEqual([422, 'crypto.parent-hash-invalid']);
    const other = await made(kind);
    const wrong = { ...revision(reply.body, { custom: {} }, author), luid: other.luid };
    expect((await ledger.put(`${path}/${record.luid}`, wrong)).reason).toBe('record.invalid');
  });
});

describe.each(renamed)('%s', (kind) => {
  const path = pathOf(kind);

  test('a new handle is found, the old one is free, a taken one is refused', async () => {
    const [record, other] = [await made(kind), await made(kind)];
    const taken = revision(record, { handle: other.data.handle }, author);
    expect((await ledger.put(`${path}/${record.luid}`, taken)).status).toBe(409);
    const handle = unique('renamed');
    const reply = await ledger.put(`${path}/${record.luid}`, revision(record, { handle }, author));
    expect(reply.status, reply.text).toBe(200);
    expect((await ledger.get(`${path}/${handle}`)).body.luid).toBe(record.luid);
    expect((await ledger.get(`${path}/${record.data.handle}`)).status).toBe(404);
    expect((await ledger.get(`${path}/${record.luid}`)).body.data.handle).toBe(handle);
  });
});

describe.each(updated.filter((kind) => !kinds[kind].renames))('%s', (kind) => {
  test('keeps its handle', async () => {
    const record = await made(kind);
    const body = revision(record, { handle: unique('other') }, author);
    const reply = await ledger.put(`${pathOf(kind)}/${record.luid}`, body);
    expect([reply.status, reply.reason]).toEqual([422, 'record.update-rejected']);
  });
});

describe.each(dropped)('%s', (kind) => {
  const path = pathOf(kind);

  test.each(['DELETE', 'POST'])('%s ends it, and its history stays', async (method) => {
    const data = await newData(kind);
    const creating = signed(data, author);
    const { body: record } = await ledger.post(path, creating);
    const at = method === 'POST' ? `${path}/${record.luid}/drop` : `${path}/${record.luid}`;
    const undated = { luid: record.luid, ...signed({ parent: record.hash }, author, {}) };
    expect((await ledger.send(method, at, undated)).reason).toBe('record.schema-invalid');
    const reply = await ledger.send(method, at, farewell(record, author));
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await ledger.get(`${path}/${record.luid}`)).status).toBe(404);
    expect((await ledger.get(`${path}/${nameIn(kind, record)}`)).status).toBe(404);
    const { items } = await ledger.get(`${path}?page.limit=100`);
    expect(items.map(({ luid }) => luid)).not.toContain(record.luid);
    if (!isLink(kind)) {
      const history = await ledger.get(`${path}/${record.luid}/changes`);
      expect(history.items.map(({ meta }) => meta['action'])).toEqual(['drop', 'create']);
    }
    expect((await ledger.post(path, creating)).reason).toBe('record.duplicated');
    const anew = await ledger.post(path, signed(data, author));
    expect([200, 201]).toContain(anew.status);
    expect(anew.body.luid).not.toBe(record.luid);
    expect((await ledger.send(method, at, farewell(record, author))).status).toBe(404);
  });
});

describe('what others name', () => {
  test.each([
    ['wallets', { bridge: 'nobody' }, { bridge: 'nobody' }],
    [
      'effects',
      { signal: 'wallet-created', action: { schema: 'bridge', bridge: 'no' } },
      { bridge: 'no' },
    ],
    ['anchors', { target: 'x', wallet: 'nobody' }, { wallet: 'nobody' }],
    ['domains', { domain: 'nobody' }, { domain: 'nobody' }],
    [
      'schemas',
      { record: 'report', format: 'json-schema', schema: {}, extend: 'no' },
      { schema: 'no' },
    ],
    [
      'policies',
      { schema: 'labels', record: 'report', values: [], extend: 'no' },
      { policy: 'no' },
    ],
  ])('must be there: %s %j', async (group, data, custom) => {
    const handle = unique('naming');
    const reply = await ledger.post(`/${group}`, signed({ handle, ...data }, author));
    expect([reply.status, reply.reason]).toEqual([422, 'record.relation-not-found']);
    expect(reply.custom).toEqual(custom);
    expect((await ledger.get(`/${group}/${handle}`)).status).toBe(404);
  });

  test('a link names a circle that is in its path, and a signer that is there', async () => {
    const lost = signed({ circle: 'staff', signer: 'nobody' }, author);
    expect((await ledger.post('/circles/staff/signers', lost)).custom).toEqual({
      signer: 'nobody',
    });
    const other = signed({ circle: 'other', signer: 'ann' }, author);
    expect((await ledger.post('/circles/staff/signers', other)).reason).toBe('record.invalid');
    expect((await ledger.post('/circles/other/signers', other)).reason).toBe('record.not-found');
  });

  test('a bridge in use keeps its handle and its life until nobody names it', async () => {
    const config = { server: 'https://a.example' };
    const bridge = await ledger.make('bridges', { handle: unique('bridge'), config }, author);
    const wallet = await ledger.make(
      'wallets',
      { handle: unique('wallet'), bridge: bridge.data.handle },
      author,
    );
    const path = `/bridges/${bridge.luid}`;
    const rename = revision(bridge, { handle: unique('bridge') }, author);
    expect((await ledger.put(path, rename)).reason).toBe('record.update-rejected');
    const kept = await ledger.send('DELETE', path, farewell(bridge, author));
    expect([kept.status, kept.reason]).toEqual([422, 'record.drop-rejected']);
    const { bridge: _bridge, ...data } = wallet.data;
    const freed = signed({ ...data, parent: wallet.hash }, author);
    expect((await ledger.put(`/wallets/${wallet.luid}`, freed)).status).toBe(200);
    expect((await ledger.send('DELETE', path, farewell(bridge, author))).status).toBe(204);
  });

  test('an anchor that a ledger requires keeps its wallet', async () => {
    const config = { 'anchor.walletRequired': true };
    const strict = await newLedger(home, key, { config });
    const wallet = await strict.make('wallets', { handle: 'bob' }, author);
    const anchor = await strict.make(
      'anchors',
      { handle: '555', target: 'bob', wallet: 'bob' },
      author,
    );
    const lonely = signed({ handle: '556', target: 'bob' }, author);
    expect((await strict.post('/anchors', lonely)).status).toBe(422);
    const kept = await strict.send('DELETE', '/wallets/bob', farewell(wallet, author));
    expect([kept.status, kept.custom]).toEqual([422, { anchors: ['555'] }]);
    await strict.send('DELETE', '/anchors/555', farewell(anchor, author));
    expect((await strict.send('DELETE', '/wallets/bob', farewell(wallet, author))).status).toBe(
      204,
    );
  });

  test('once a ledger has a domain, the domains of others must be there', async () => {
    const own = await newLedger(home, key);
    const free = await own.make('wallets', { handle: 'ann@any' }, author);
    expect(free.meta['domain']).toBe('any');
    await own.make('domains', { handle: 'bank' }, author);
    await own.make('domains', { handle: 'bank.north', domain: 'bank' }, author);
    const lost = await own.post('/wallets', signed({ handle: 'bob@any' }, author));
    expect([lost.status, lost.reason, lost.custom]).toEqual([
      422,
      'record.relation-not-found',
      { domain: 'any' },
    ]);
    expect((await own.make('wallets', { handle: 'bob@bank' }, author)).meta['domain']).toBe('bank');
    const said = signed({ handle: 'carl' }, author, { moment: now(), domain: 'bank.north' });
    expect((await own.post('/wallets', said)).body.meta['domain']).toBe('bank.north');
    const plain = await own.make('wallets', { handle: 'dora' }, author);
    expect(plain.meta['domain']).toBeUndefined();
    const moved = revision(plain, { domain: 'bank' }, author);
    expect((await own.put(`/wallets/${plain.luid}`, moved)).reason).toBe('record.update-rejected');
    const { items } = await own.get('/wallets/carl/domains');
    expect(items.map(({ data }) => data.handle)).toEqual(['bank.north', 'bank']);
  });
});

test('a key of a factor proves as its signer until the factor ends', async () => {
  const phone = newKey();
  const signer = await ledger.make('signers', { handle: unique('signer') }, key);
  const path = `/signers/${signer.data.handle}/factors`;
  const data = { handle: 'phone', signer: signer.data.handle, schema: 'key-pair' };
  const pair = { ...data, public: phone.public, format: 'ed25519-raw' };
  const factor = await ledger.post(path, signed(pair, phone));
  expect(factor.body.meta.proofs[0]?.signer).toBe(signer.data.handle);
  const twice = signed({ ...pair, handle: 'tablet' }, phone);
  expect((await ledger.post(path, twice)).reason).toBe('record.invalid');
  const proved = await ledger.make('wallets', { handle: unique('wallet') }, phone);
  expect(proved.meta.proofs[0]?.signer).toBe(signer.data.handle);
  await ledger.send('DELETE', `${path}/phone`, farewell(factor.body, phone));
  const after = await ledger.make('wallets', { handle: unique('wallet') }, phone);
  expect(after.meta.proofs[0]?.signer).toBeUndefined();
});

test('a wallet finds its anchors, all of them or those that a lookup asks for', async () => {
  const wallet = unique('wallet');
  await ledger.make('wallets', { handle: wallet }, key);
  const path = `/wallets/${wallet}/anchors`;
  for (const [handle, city] of [
    ['one', 'Bonn'],
    ['two', 'Oslo'],
    ['three', 'Bonn'],
  ])
    await ledger.make(
      'anchors',
      { handle: unique(String(handle)), target: 'x', wallet, custom: { city } },
      key,
    );
  const citiesOf = (items: readonly Item[]) =>
    items.map(({ data }) => (data['custom'] as Json)['city']);
  expect(citiesOf((await ledger.get(path)).items)).toEqual(['Bonn', 'Oslo', 'Bonn']);
  expect((await ledger.get(`${path}?page.limit=1&page.index=1`)).items).toHaveLength(1);
  expect(citiesOf((await ledger.get(`${path}?data.custom.city=Oslo`)).items)).toEqual(['Oslo']);
  const look = (data: Json) => ledger.post(`${path}/!lookup`, signed(data, author));
  expect((await look({ 'custom.city': 'Bonn', target: 'x' })).items).toHaveLength(2);
  expect((await look({ 'custom.city': { $in: ['Oslo', 'Rome'] } })).items).toHaveLength(1);
  expect((await look({})).items).toHaveLength(3);
  expect((await look({ 'target.handle': 'x' })).items).toHaveLength(3);
  expect((await look({ target: { handle: 'x' }, wallet: { $ne: 'x' } })).items).toHaveLength(3);
  expect((await look({ 'target.handle': { $ne: 'x' } })).items).toEqual([]);
  expect((await ledger.post('/wallets/nobody/anchors/!lookup', signed({}, author))).status).toBe(
    404,
  );
  expect((await ledger.get(`/wallets/${wallet}/limits`)).items).toEqual([]);
});

test.each<[string, Json, string]>([
  ['an unknown operator', { 'custom.city': { $fly: 1 } }, 'knows no operator $fly'],
  ['an operator for a path', { $or: [{ target: 'x' }] }, 'is an operator in the place of a path'],
  ['what no anchor has', { city: 'Bonn' }, 'begins with no member of the data of an anchor'],
  ['a path of the record', { 'data.target': 'x' }, "the nearest is 'target'"],
])('a lookup of anchors by %s is refused', async (_, data, why) => {
  const wallet = unique('wallet');
  await ledger.make('wallets', { handle: wallet }, key);
  const reply = await ledger.post(`/wallets/${wallet}/anchors/!lookup`, signed(data, author));
  expect([reply.status, reply.reason]).toEqual([422, 'record.invalid']);
  expect(reply.detail).toContain(why);
});
