/** Goal: the life of an effect over HTTP, and what no effect may be. Rulings 12, 59 and 62. */
import type { LedgerSdk } from '@minka/ledger-sdk';
import { createKeyPair } from '@minka/ledger-sdk/crypto/src/index.js';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  farewell,
  type Json,
  newKey,
  newLedger,
  revision,
  signed,
  titled,
  unique,
} from '../fixture/client.ts';
import { loose, sdkOf } from '../fixture/sdk.ts';
import { sharedHome } from '../fixture/served.ts';
import vectors from '../vectors/outgoing.json' with { type: 'json' };

const key = newKey();

const home = await sharedHome();
const ledger = await newLedger(home, key);

const webhook = (endpoint = 'https://hooks.example.com/') => ({ schema: 'webhook', endpoint });

/** The data of an effect; a member that is undefined is left out. */
function dataOf(change: Json = {}): Json {
  const data = {
    handle: unique('effect'),
    signal: 'wallet-created',
    action: webhook(),
    ...change,
  };
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}

const newEffect = (change: Json = {}) => ledger.make('effects', dataOf(change), key);
const refusalOf = async (change: Json) => {
  const reply = await ledger.post('/effects', signed(dataOf(change), key));
  return [reply.status, reply.reason];
};

describe('the life of an effect', () => {
  test('it is made, and read by handle and by luid', async () => {
    const filter = { 'wallet.data.handle': { $regex: '^a' }, 'wallet.data.custom.n': { $gte: 1 } };
    const data = dataOf({ filter, custom: { for: 'tests' }, access: [] });
    const { status, body } = await ledger.post('/effects', signed(data, key));
    expect(status).toBe(201);
    expect(body.luid).toMatch(/^\$eff\.[-\w]{17}$/);
    expect(body).toMatchObject({ data, meta: { status: 'created', owners: [key.public] } });
    expect((await ledger.get(`/effects/${data['handle']}`)).body).toEqual(body);
    expect((await ledger.get(`/effects/${body.luid}`)).body).toEqual(body);
  });

  test('it is in the list of its ledger, and of no other', async () => {
    const [one, two] = [await newEffect(), await newEffect()];
    const { items } = await ledger.get('/effects?page.limit=2');
    expect(items).toEqual([two, one]);
    expect((await home.get('/effects')).items).toEqual([]);
    expect((await home.get(`/effects/${one.luid}`)).status).toBe(404);
    expect((await home.get(`/effects/${one.data.handle}`)).status).toBe(404);
  });

  test('it is given another endpoint, signal, filter and handle', async () => {
    const first = await newEffect({ filter: { 'wallet.data.handle': 'a' } });
    const handle = unique('moved');
    const change = { handle, signal: 'intent-created', action: webhook('https://a.example.com/b') };
    const body = revision(
      first,
      { ...change, filter: { 'intent.data.claims.amount': { $gt: 5 } } },
      key,
    );
    const { status, body: second } = await ledger.put(`/effects/${first.luid}`, body);
    expect(status).toBe(200);
    expect(second).toMatchObject({ luid: first.luid, data: body.data });
    expect((await ledger.get(`/effects/${handle}`)).body).toEqual(second);
    expect((await ledger.get(`/effects/${first.data.handle}`)).status).toBe(404);
  });

  test('it takes proofs, and tells its changes', async () => {
    const first = await newEffect();
    const proven = await ledger.prove('effects', first, key, { status: 'active' });
    expect(proven.status).toBe(200);
    expect(proven.body.meta.status).toBe('active');
    const body = revision(proven.body, { action: webhook('https://b.example.com/') }, key);
    await ledger.put(`/effects/${first.data.handle}`, body);
    const { items } = await ledger.get(`/effects/${first.luid}/changes`);
    expect(items.map(({ meta }) => meta.change).sort()).toEqual([1, 2, 3]);
    const change = await ledger.get(`/effects/${first.luid}/changes/1`);
    expect(change.body).toMatchObject({ luid: first.luid, hash: first.hash, data: first.data });
  });

  test.each([
    ['DELETE', ''],
    ['POST', '/drop'],
  ])('%s %s drops it, and its handle is free again', async (method, end) => {
    const first = await newEffect();
    const path = `/effects/${first.data.handle}`;
    const reply = await ledger.send(method, `${path}${end}`, farewell(first, key));
    expect([reply.status, reply.text]).toEqual([204, '']);
    for (const gone of [path, `/effects/${first.luid}`, `${path}/events`])
      expect((await ledger.get(gone)).status).toBe(404);
    expect((await ledger.get(`/effects/${first.luid}/changes`)).items).toHaveLength(2);
    const again = await ledger.send(method, `${path}${end}`, farewell(first, key));
    expect([again.status, again.reason]).toEqual([404, 'record.not-found']);
    const heir = await newEffect({ handle: first.data.handle });
    expect(heir.luid).not.toBe(first.luid);
  });

  test('it is not activated past a policy about its status', async () => {
    const own = await newLedger(home, key);
    const make = async (name: string) => {
      const made = await own.make('effects', { ...dataOf(), handle: name }, key);
      expect((await own.prove('effects', made, key, { status: 'inactive' })).status).toBe(200);
    };
    await make('ended');
    await make('shared');
    const activate = async (name: string) => {
      const { status, reason } = await own.post(`/effects/${name}/activate`, signed({}, key));
      return [status, reason];
    };
    const policy = { schema: 'status', record: 'effect' };
    const statuses = { handle: 'statuses', values: [{ status: 'inactive' }] };
    await own.make('policies', { ...policy, ...statuses }, key);
    expect(await activate('ended')).toEqual([422, 'record.status-policy-violation']);
    expect((await own.get('/effects/ended')).body.meta.status).toBe('inactive');
    const quorum = [{ handle: 'ann' }, { handle: 'cat' }];
    const eyes = { handle: 'eyes', values: [{ status: 'active', quorum }] };
    await own.make('policies', { ...policy, ...eyes }, key);
    expect(await activate('shared')).toEqual([422, 'record.status-policy-violation']);
  });

  test('what is not there is not found', async () => {
    const wish = signed({}, key);
    const replies = [
      await ledger.get('/effects/nobody'),
      await ledger.get('/effects/nobody/events'),
      await ledger.get('/effects/nobody/events/evt_--------0--------'),
      await ledger.post('/effects/nobody/events/retry', wish),
      await ledger.post('/effects/nobody/activate', wish),
    ];
    for (const reply of replies)
      expect([reply.status, reply.reason]).toEqual([404, 'record.not-found']);
    const { data } = await newEffect();
    for (const id of ['evt_-1nBlVBZ-0123456-', '$evd.-1nBlVBZ-0123456-', 'nonsense']) {
      const reply = await ledger.get(`/effects/${data.handle}/events/${id}`);
      expect([id, reply.status, reply.reason]).toEqual([id, 404, 'record.not-found']);
    }
    const none = await ledger.get(`/effects/${data.handle}/events`);
    expect([none.status, none.items]).toEqual([200, []]);
  });

  test('a handle is taken once', async () => {
    const { data } = await newEffect();
    const reply = await ledger.post('/effects', signed(dataOf({ handle: data.handle }), key));
    expect([reply.status, reply.reason]).toEqual([409, 'record.duplicated']);
  });
});

describe('an effect that is refused', () => {
  test.each([
    ['an unknown signal', { signal: 'wallet-painted' }],
    ['no signal', { signal: undefined }],
    ['no action', { action: undefined }],
    ['an unknown action', { action: { schema: 'pigeon', endpoint: 'https://hooks.example.com' } }],
    ['a webhook without an endpoint', { action: { schema: 'webhook' } }],
    ['a bridge without a name', { action: { schema: 'bridge' } }],
    ['an action with more', { action: { ...webhook(), secret: 'x' } }],
    ['an unknown member', { singal: 'wallet-created' }],
    ['a filter that is a text', { filter: 'all' }],
    ['a filter that is a list', { filter: [] }],
    ['an endpoint that is too long', { action: webhook(`https://a.io/${'a'.repeat(2048)}`) }],
  ])('%s does not fit', async (_, change) => {
    expect(await refusalOf(change)).toEqual([422, 'record.schema-invalid']);
  });

  test.each([
    ['an unknown operator', { amount: { $near: 5 } }],
    ['an operator in the place of a path', { $or: [{ amount: 5 }, { amount: 6 }] }],
    ['an operator beside a name', { amount: { $gt: 5, lt: 7 } }],
    ['an operator as a path', { 'amount.$gt': 5 }],
    ['a path with an empty name', { 'wallet..handle': 'a' }],
    ['$regex without a text', { signal: { $regex: 5 } }],
    ['$regex that does not close', { signal: { $regex: '(' } }],
    ['$regex that looks ahead', { signal: { $regex: 'a(?=b)' } }],
    ['$regex that refers back', { signal: { $regex: '(a)\\1' } }],
    ['$regex that is too long', { signal: { $regex: 'a'.repeat(257) } }],
    ['$in without a list', { signal: { $in: 'a' } }],
    ['$exists without a truth', { amount: { $exists: 1 } }],
    ['$gt of an object', { amount: { $gt: {} } }],
  ])('%s is no condition', async (_, filter) => {
    expect(await refusalOf({ filter })).toEqual([422, 'record.invalid']);
  });

  test.each([
    [
      'wallet.handle',
      'leads to no member of wallet in the event wallet-created, only luid, hash, data, meta.',
    ],
    [
      'wallet.dat.handle',
      "leads to no member of wallet in the event wallet-created; the nearest is 'data'.",
    ],
    [
      'walet.data.handle',
      "begins with no member of the event wallet-created; the nearest is 'wallet'.",
    ],
    [
      'data.wallet.data.handle',
      "begins with no member of the event wallet-created; the nearest is 'wallet'.",
    ],
  ])('a condition on %s, which no event of it has, is refused', async (path, why) => {
    for (const operand of ['a', { $ne: 'a' }, { $exists: false }]) {
      const data = dataOf({ signal: 'wallet-created', filter: { [path]: operand } });
      const reply = await ledger.post('/effects', signed(data, key));
      expect([reply.status, reply.reason, reply.detail]).toEqual([
        422,
        'record.invalid',
        `Filter '${path}' ${why}`,
      ]);
    }
  });

  test('a bridge must be there', async () => {
    const change = { action: { schema: 'bridge', bridge: 'nobody' } };
    expect(await refusalOf(change)).toEqual([422, 'record.relation-not-found']);
  });

  const refused = vectors.endpoints.inside.refused.map(([text = '']) => text);
  test.each(titled(refused))('the endpoint %s leads nowhere good', async (_, endpoint) => {
    const [status, reason] = await refusalOf({ action: webhook(endpoint) });
    // An empty text already has the wrong shape.
    const expected = endpoint === '' ? 'record.schema-invalid' : 'record.invalid';
    expect([status, reason]).toEqual([422, expected]);
  });

  test.each([
    'ftp://hooks.example.com/',
    'https://user:word@hooks.example.com/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'https://[::ffff:127.0.0.1]/',
    'https://hooks.example.com/#part',
  ])('%s is refused, and an update to it too', async (endpoint) => {
    expect(await refusalOf({ action: webhook(endpoint) })).toEqual([422, 'record.invalid']);
    const effect = await newEffect();
    const body = revision(effect, { action: webhook(endpoint) }, key);
    const reply = await ledger.put(`/effects/${effect.luid}`, body);
    expect([reply.status, reply.reason]).toEqual([422, 'record.invalid']);
    expect((await ledger.get(`/effects/${effect.luid}`)).body).toEqual(effect);
  });
});

describe('the public client', () => {
  type KeyPair = Awaited<ReturnType<typeof createKeyPair>>;
  let sdk: LedgerSdk;
  let keyPair: KeyPair;
  beforeAll(async () => {
    sdk = sdkOf(home.url, ledger.key, ledger.ledger);
    keyPair = await createKeyPair();
  });

  test('makes, reads, lists and changes an effect', async () => {
    const data = dataOf({ filter: { 'wallet.data.handle': 'a' } });
    const builder = sdk.effect.init().data(loose(data));
    const { response } = await builder.hash().sign([{ keyPair }]).send();
    expect(response.status).toBe(201);
    const { effect, response: read } = await sdk.effect.read(String(data['handle']));
    expect(effect).toEqual(data);
    const { effects } = await sdk.effect.list({ page: { index: 0, limit: 10 } });
    expect(effects).toContainEqual(data);
    const action = webhook('https://c.example.com/');
    const changed = await sdk.effect
      .from(read.data)
      .data(loose({ ...data, action }))
      .hash()
      .sign([{ keyPair }])
      .send();
    expect(changed.effect).toMatchObject({ ...data, action });
  });
});
