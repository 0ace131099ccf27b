/**
 * Goal: what every answer has, whatever was asked: its status, its content type, its hash and the proof
 * of the right key. The client of these tests checks hash and proofs of every answer by itself.
 */
import { describe, expect, test } from 'vitest';
import {
  assertAnswer,
  clientOf,
  farewell,
  type Item,
  newKey,
  newLedger,
  signed,
  titled,
  unique,
} from '../fixture/client.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();
const isoMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const home = await sharedHome();
const ledger = await newLedger(home, key);

describe('answers', () => {
  test('a read is 200, a create 201 and a drop 204', async () => {
    const body = signed({ handle: unique('wallet') }, key);
    const created = await ledger.post('/wallets', body);
    expect([created.status, created.type]).toEqual([201, 'application/json']);
    const path = `/wallets/${created.body.luid}`;
    const read = await ledger.get(path);
    expect([read.status, read.type]).toEqual([200, 'application/json']);
    expect(read.text).toBe(created.text);
    const dropped = await ledger.send('DELETE', path, farewell(created.body, key));
    expect([dropped.status, dropped.type, dropped.text]).toEqual([204, 'text/plain', '']);
  });

  test('every answer names its request', async () => {
    const ids = new Set<string | null>();
    for (const path of ['/wallets', '/wallets/nobody', '/', '/nothing'])
      ids.add((await ledger.get(path)).headers.get('x-request-id'));
    expect(ids.size).toBe(4);
    expect(ids).not.toContain(null);
  });

  test('an error is hashed, signed and dated', async () => {
    const { status, type, body } = await ledger.get('/wallets/nobody');
    expect([status, type]).toEqual([404, 'application/json']);
    expect(body.data).toEqual({ reason: 'record.not-found', detail: 'Wallet not found' });
    expect(Object.keys(body).sort()).toEqual(['data', 'hash', 'meta']);
    expect(body.meta.proofs).toHaveLength(1);
    expect(body.meta.proofs[0]).toMatchObject({ signer: 'system', public: ledger.key });
    expect(body.meta.proofs[0]?.custom).toEqual({ moment: expect.stringMatching(isoMoment) });
  });

  test('the status tells which ledger answers, with and without a slash', async () => {
    for (const path of ['', '/']) {
      const { status, body } = await ledger.get(path);
      expect(status).toBe(200);
      expect(body.data).toEqual({
        handle: ledger.ledger,
        ledger: ledger.ledger,
        server: home.url,
        semver: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        status: 'UP',
        uptime: expect.any(Number),
        dependencies: { db: 'CONNECTED' },
      });
    }
  });
});

// The client of these tests must be able to say no, or all that it believes means nothing.
test('an answer that was changed on its way is not believed', async () => {
  const { body } = await ledger.get('/signers/system');
  assertAnswer(body, ledger.key, 'as it came');
  const [proof] = body.meta.proofs;
  const changed = [
    { ...body, data: { ...body.data, handle: 'other' } },
    { ...body, hash: '0'.repeat(64) },
    { ...body, meta: { ...body.meta, proofs: [] } },
    { ...body, meta: { ...body.meta, proofs: [{ ...proof, custom: {} }] } },
    { ...body, meta: { ...body.meta, proofs: [{ ...proof, public: key.public }] } },
    { ...body, meta: { ...body.meta, proofs: [{ ...proof, result: btoa('x'.repeat(64)) }] } },
  ];
  for (const answer of changed)
    expect(() => assertAnswer(answer as Item, ledger.key, 'changed')).toThrow();
  expect(() => assertAnswer(body, home.key, 'of another ledger')).toThrow();
});

describe('ledgers and routes', () => {
  test.each(
    titled(['nowhere', 'not a handle', '', 'x'.repeat(3000), 'a#b', '$ldg.00000000000000000']),
  )('the unknown ledger %j is refused by the server', async (_, handle) => {
    const headers = { 'x-ledger': handle };
    const reply = await home.get('/wallets', { headers });
    expect([reply.status, reply.reason]).toEqual([404, 'api.route-not-found']);
    expect(reply.detail).toBe('Server does not host requested ledger');
    expect(reply.body.meta.proofs[0]?.public).toBe(home.key);
  });

  test('a ledger is named by its luid as well, and by nothing else’s', async () => {
    const { body } = await ledger.get('/ledger');
    for (const path of ['/ledger', '/signers/system', '/wallets']) {
      const reply = await home.get(path, {
        headers: { 'x-ledger': body.luid },
        signer: ledger.key,
      });
      expect([path, reply.status]).toEqual([path, 200]);
    }
    const made = await home.post('/wallets', signed({ handle: unique('wallet') }, key), {
      headers: { 'x-ledger': body.luid },
      signer: ledger.key,
    });
    expect(made.status).toBe(201);
    expect((await ledger.get(`/wallets/${made.body.luid}`)).status).toBe(200);
    expect((await home.get(`/wallets/${made.body.luid}`)).status).toBe(404);
    const { body: other } = await ledger.get('/signers/system');
    const reply = await home.get('/wallets', { headers: { 'x-ledger': other.luid } });
    expect([reply.status, reply.reason]).toEqual([404, 'api.route-not-found']);
  });

  test('a ledger is named without regard to the case of the header', async () => {
    const headers = { 'X-LEDGER': ledger.ledger ?? '' };
    expect((await home.get('/wallets', { headers, signer: ledger.key })).status).toBe(200);
  });

  test.each([
    ['GET', '/nothing'],
    ['GET', '/wallets/a/b/c'],
    ['GET', '//wallets'],
    ['GET', '/wallets/%'],
    ['GET', '/wallets/%FF'],
  ])('%s %s is no endpoint', async (method, path) => {
    const body = method === 'GET' ? undefined : {};
    const reply = await ledger.send(method, path, body);
    expect([reply.status, reply.reason]).toEqual([404, 'api.route-not-found']);
  });

  test('a path outside of the version is no endpoint', async () => {
    const bare = clientOf(home.url.replace('/v2', ''), home.key);
    for (const path of ['', '/wallets', '/v1/wallets', '/v2x/wallets']) {
      const reply = await bare.get(path);
      expect([path, reply.status, reply.reason]).toEqual([path, 404, 'api.route-not-found']);
    }
    const { detail } = await bare.get('');
    expect(detail).toBe('There is no GET /: the ledger is at /v2, its reference at /v2/docs.');
  });

  test.each(
    titled([
      'x'.repeat(3000),
      '%00',
      '%20',
      '%25',
      '100%25',
      '..%2F..',
      '%2F',
      '%F0%9F%92%B0',
      '__proto__',
      'a%23b',
    ]),
  )('no wallet has the handle %j', async (_, handle) => {
    for (const tail of ['', '/balances', '/changes', '/changes/1']) {
      const reply = await ledger.get(`/wallets/${handle}${tail}`);
      expect([tail, reply.status, reply.reason]).toEqual([tail, 404, 'record.not-found']);
    }
  });

  test.each(
    titled([
      '$wlt.',
      '$wlt.short',
      `$wlt.${'0'.repeat(17)}`,
      `$sym.${'0'.repeat(17)}`,
      `$wlt.${'x'.repeat(3000)}`,
    ]),
  )('no wallet has the luid %j', async (_, luid) => {
    for (const tail of ['', '/balances', '/changes', '/changes/1']) {
      const reply = await ledger.get(`/wallets/${luid}${tail}`);
      expect([tail, reply.status, reply.reason]).toEqual([tail, 404, 'record.not-found']);
    }
  });

  test('a luid of another kind is not found', async () => {
    const symbol = await ledger.make('symbols', { handle: unique('usd'), factor: 1 }, key);
    expect((await ledger.get(`/symbols/${symbol.luid}`)).status).toBe(200);
    expect((await ledger.get(`/wallets/${symbol.luid}`)).reason).toBe('record.not-found');
  });
});

describe('who signs what went wrong with a new ledger', () => {
  test.each([
    ['malformed', '{', 400, 'api.body-malformed'],
    ['of the wrong shape', {}, 422, 'record.schema-invalid'],
    ['of a taken handle', signed({ handle: 'main' }, key), 409, 'record.duplicated'],
  ])(
    'a create of a ledger that is %s is refused by the server',
    async (_, body, status, reason) => {
      const reply = await ledger.send('POST', '/ledgers', body, { signer: home.key });
      expect([reply.status, reply.reason]).toEqual([status, reason]);
      expect(reply.body.meta.proofs[0]?.custom).toHaveProperty('moment');
    },
  );
});
