/**
 * Goal: a client gets a token for its credentials, and the token speaks for its signer until it ends or is
 * ended. Rulings 26 and 28, RFC 6749, Decisions 33 to 35.
 */
import { createPublicKey } from 'node:crypto';
import { rmSync } from 'node:fs';
import { decodeJwt, decodeProtectedHeader, type JWK, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Client,
  clientOf,
  farewell,
  type Item,
  newKey,
  newLedger,
  now,
  proofOf,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { ask, basicOf, type Factor, keysOf, newFactor, tokenFor } from '../fixture/oauth.ts';
import { filesHolding } from '../fixture/plaintext.ts';
import { audit, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';
import { tokenOf } from '../fixture/token.ts';

const data = newDataFolder();
let runtime: Runtime;
let home: Client;
let ledger: Client;
let factor: Factor;
const key = newKey();
const grant = { grant_type: 'client_credentials' };

beforeAll(async () => {
  runtime = await start({ data, env: { LEDGER_LOG: 'info' } });
  home = clientOf(runtime.url, runtime.key);
  ledger = await newLedger(home, key);
  factor = await newFactor(ledger, key);
});
afterAll(async () => {
  await runtime.stop();
  expect(runtime.complaints.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  const { code, said } = await audit(data);
  expect([code, said]).toEqual([0, said]);
  rmSync(data, { recursive: true });
});

const statusWith = async (token: string, client = ledger, path = '/wallets') =>
  (await client.get(path, { headers: { authorization: `Bearer ${token}` } })).status;

/** The current record at a path. */
const current = async (path: string, client = ledger): Promise<Item> =>
  (await client.get(path)).body;

async function dropAt(path: string, client = ledger): Promise<void> {
  const item = await current(path, client);
  const reply = await client.send('DELETE', `${path}`, farewell(item, key));
  expect([reply.status, reply.text]).toEqual([204, '']);
}

async function mark(path: string, status: string): Promise<void> {
  const { hash } = await current(path);
  const reply = await ledger.post(`${path}/proofs`, proofOf(hash, key, { moment: now(), status }));
  expect(reply.status).toBe(200);
}

describe('a token', () => {
  test.each([
    ['in a header', () => ask(ledger, grant, { authorization: basicOf(factor) })],
    [
      'in the form',
      () => ask(ledger, { ...grant, client_id: factor.id, client_secret: factor.secret }),
    ],
  ])('is given for credentials %s', async (_, request) => {
    const { status, headers, body } = await request();
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
    expect(await statusWith(String(body['access_token']))).toBe(200);
  });

  test('says who made it, whom it speaks for and which factor asked, Ruling 28', async () => {
    const token = await tokenFor(ledger, factor);
    const { kid, ...header } = decodeProtectedHeader(token);
    const { iat = 0, exp = 0, jti, ...claims } = decodeJwt(token);
    expect(header).toEqual({ alg: 'RS256', typ: 'JWT' });
    expect(claims).toEqual({
      iss: 'oauth-provider',
      sub: factor.signer,
      cid: factor.item.data.handle,
      client_id: factor.id,
      aud: runtime.url,
    });
    expect(exp - iat).toBe(3600);
    expect(jti).toMatch(/^[\w-]{43}$/);
    const made = await current(`/signers/oauth-provider/factors/${kid}`);
    expect(made.data).toMatchObject({ schema: 'key-pair', format: 'rsa-2048' });
  });

  test('is verified by whoever has the published keys', async () => {
    const token = await tokenFor(ledger, factor);
    const { kid } = decodeProtectedHeader(token);
    const jwk = (await keysOf(ledger)).find((one) => one['kid'] === kid);
    const publicKey = createPublicKey({ key: jwk as JWK, format: 'jwk' });
    expect((await jwtVerify(token, publicKey)).payload.sub).toBe(factor.signer);
  });

  test('is used again and again, with every kind of request', async () => {
    const token = await tokenFor(ledger, factor);
    const headers = { authorization: `Bearer ${token}` };
    for (const path of ['/wallets', '/', '/ledger', '/signers/system', '/oauth/jwks'])
      expect([path, (await fetchOf(path, headers)).status]).toEqual([path, 200]);
    const body = signed({ handle: unique('wallet') }, key);
    expect((await ledger.post('/wallets', body, { headers })).status).toBe(201);
  });

  test('of one ledger is none of another', async () => {
    const token = await tokenFor(ledger, factor);
    const other = await newLedger(home, key);
    const twin = await newFactor(other, key, factor.signer, factor.item.data.handle);
    expect(await statusWith(token, other)).toBe(401);
    expect(await statusWith(token, home)).toBe(401);
    expect(await statusWith(await tokenFor(other, twin), other)).toBe(200);
    const form = { ...grant, client_id: factor.id, client_secret: factor.secret };
    expect((await ask(other, form)).status).toBe(401);
  });

  test('lives as long as the ledger says', async () => {
    for (const seconds of [60, 86_400]) {
      const other = await newLedger(home, key, { config: { 'oauth.tokenSeconds': seconds } });
      const app = await newFactor(other, key);
      const reply = await ask(other, grant, { authorization: basicOf(app) });
      expect(reply.body['expires_in']).toBe(seconds);
      expect(await statusWith(String(reply.body['access_token']), other)).toBe(200);
    }
  });
});

describe('the token endpoint refuses', () => {
  const right = () => ({ authorization: basicOf(factor) });
  const form = () => ({ ...grant, client_id: factor.id, client_secret: factor.secret });
  const text = () => new URLSearchParams(form()).toString();

  test.each([
    ['no grant_type', '', 'invalid_request'],
    ['an empty grant_type', 'grant_type=', 'invalid_request'],
    ['another grant_type', 'grant_type=password', 'unsupported_grant_type'],
    ['a repeated parameter', 'grant_type=client_credentials&scope=a&scope=b', 'invalid_request'],
    ['the same in other letters', 'grant_type=client_credentials&x=1&%78=1', 'invalid_request'],
    ['what is not well encoded', 'grant_type=client_credentials&x=%zz', 'invalid_request'],
    ['too much', `grant_type=client_credentials&x=${'x'.repeat(9000)}`, 'invalid_request'],
    ['JSON', '{"grant_type":"client_credentials"}', 'invalid_request'],
  ])('%s', async (_, sent, error) => {
    const { status, body, headers } = await ask(ledger, sent, right());
    expect([status, body['error']]).toEqual([400, error]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('no grant_type before it looks who asks', async () => {
    const { status, body } = await ask(ledger, '', {});
    expect([status, body['error']]).toEqual([400, 'invalid_request']);
  });

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    'a body that says it is %s',
    async (type) => {
      const { status, body } = await ask(ledger, text(), { 'content-type': type });
      expect([status, body['error']]).toEqual([400, 'invalid_request']);
    },
  );

  test('credentials in two places', async () => {
    for (const twice of [form(), { ...grant, client_id: factor.id }]) {
      const { status, body } = await ask(ledger, twice, right());
      expect([status, body['error']]).toEqual([400, 'invalid_request']);
    }
  });

  test('whoever is no client, in the same words whatever is wrong', async () => {
    const { id, secret } = factor;
    const wrong = [
      ask(ledger, grant),
      ask(ledger, { ...grant, client_id: id }),
      ask(ledger, { ...grant, client_id: id, client_secret: `${secret}x` }),
      ask(ledger, { ...grant, client_id: id, client_secret: 'x' }),
      ask(ledger, { ...grant, client_id: '0'.repeat(22), client_secret: secret }),
      ask(ledger, { ...grant, client_id: '#', client_secret: secret }),
      ask(ledger, { ...grant, client_id: 'x'.repeat(4000), client_secret: secret }),
      ask(ledger, grant, { authorization: basicOf({ id, secret: `${secret}x` }) }),
      ask(ledger, grant, { authorization: `Bearer ${secret}` }),
      ask(ledger, grant, { authorization: 'Basic' }),
      ask(ledger, grant, { authorization: `Basic ${Buffer.from(id).toString('base64')}` }),
      ask(ledger, grant, { authorization: `${basicOf(factor)}=` }),
    ];
    for (const { status, text: said, headers } of await Promise.all(wrong)) {
      expect([status, said]).toEqual([401, (await wrong[0])?.text]);
      expect(headers.get('www-authenticate')).toMatch(/^Basic realm="/);
      expect(said).not.toContain(secret);
    }
  });

  test('to speak of a ledger that is not here, in the words of the ledger', async () => {
    const nowhere = { ...home, ledger: unique('nowhere') };
    const { status, body } = await ask(nowhere, form());
    expect([status, (body['data'] as { reason: string }).reason]).toEqual([
      404,
      'api.route-not-found',
    ]);
  });

  test('many attempts, for a while, and nobody else meanwhile', async () => {
    const other = await newLedger(home, key);
    const app = await newFactor(other, key);
    const bad = { ...grant, client_id: app.id, client_secret: 'x' };
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 150 && statuses.at(-1) !== 429; attempt += 1)
      statuses.push((await ask(other, bad)).status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.length).toBeGreaterThan(50);
    const { status, body, headers } = await ask(other, grant, { authorization: basicOf(app) });
    // A minute may have begun anew in between.
    if (status === 429) {
      expect(body['error']).toBe('api.rate-limit-exceeded');
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
    expect((await ask(ledger, grant, right())).status).toBe(200);
  });
});

describe('at once a token ends', () => {
  test('with the factor that asked for it, also when another one takes its handle', async () => {
    const app = await newFactor(ledger, key);
    const token = await tokenFor(ledger, app);
    expect(await statusWith(token)).toBe(200);
    await dropAt(app.path);
    expect(await statusWith(token)).toBe(401);
    const next = await newFactor(ledger, key, app.signer, app.item.data.handle);
    expect(await statusWith(token)).toBe(401);
    expect((await ask(ledger, grant, { authorization: basicOf(app) })).status).toBe(401);
    expect(await statusWith(await tokenFor(ledger, next))).toBe(200);
  });

  test('when its factor or its signer is inactive', async () => {
    const app = await newFactor(ledger, key);
    const token = await tokenFor(ledger, app);
    for (const path of [app.path, `/signers/${app.signer}`]) {
      await mark(path, 'inactive');
      expect(await statusWith(token)).toBe(401);
      expect((await ask(ledger, grant, { authorization: basicOf(app) })).status).toBe(401);
      await mark(path, 'active');
      expect(await statusWith(token)).toBe(200);
    }
  });

  test('with the key that made it; the next token is made with another one', async () => {
    const other = await newLedger(home, key);
    const app = await newFactor(other, key);
    const token = await tokenFor(other, app);
    const [first] = await keysOf(other);
    await dropAt(`/signers/oauth-provider/factors/${first?.['kid']}`, other);
    expect(await statusWith(token, other)).toBe(401);
    expect(await keysOf(other)).toEqual([]);
    const next = await tokenFor(other, app);
    expect(await statusWith(next, other)).toBe(200);
    expect((await keysOf(other)).map(({ kid }) => kid)).toEqual([decodeProtectedHeader(next).kid]);
    expect(decodeProtectedHeader(next).kid).not.toBe(first?.['kid']);
  });

  test('but not with a new secret, which ends only the one before', async () => {
    const app = await newFactor(ledger, key);
    const token = await tokenFor(ledger, app);
    const path = `${app.path}?include=meta.secret`;
    const reply = await ledger.put(path, revision(app.item, { custom: { n: 1 } }, key));
    const { clientSecret } = (reply.body.meta as unknown as { secret: { clientSecret: string } })
      .secret;
    expect(await statusWith(token)).toBe(200);
    expect((await ask(ledger, grant, { authorization: basicOf(app) })).status).toBe(401);
    expect(await statusWith(await tokenFor(ledger, { ...app, secret: clientSecret }))).toBe(200);
  });
});

describe('the provider', () => {
  test('is made with the first client, and not before', async () => {
    const other = await newLedger(home, key);
    expect((await other.get('/signers/oauth-provider')).status).toBe(404);
    expect(await keysOf(other)).toEqual([]);
    await newFactor(other, key);
    const made = await current('/signers/oauth-provider', other);
    expect([made.data, made.meta.owners]).toEqual([{ handle: 'oauth-provider' }, []]);
    expect(await keysOf(other)).toHaveLength(1);
    await newFactor(other, key);
    expect(await keysOf(other)).toHaveLength(1);
  });

  test('has the name that the ledger says', async () => {
    const other = await newLedger(home, key, { config: { 'oauth.provider': 'mint' } });
    const app = await newFactor(other, key);
    const token = await tokenFor(other, app);
    expect(decodeJwt(token).iss).toBe('mint');
    expect(await statusWith(token, other)).toBe(200);
    expect((await current('/signers/mint', other)).meta.owners).toEqual([]);
  });

  test('is nobody whom authors have made', async () => {
    const other = await newLedger(home, key);
    const own = newKey();
    const squatter = { handle: 'mint', format: 'ed25519-raw', public: own.public };
    const present = await other.make('signers', squatter, key);
    const config = { 'oauth.provider': 'mint' };
    const record = revision(await current('/ledger', other), { config }, key);
    expect((await other.put('/ledger', record)).status).toBe(200);
    expect(await statusWith(tokenOf(own, { iss: 'mint' }), other)).toBe(401);
    expect(await statusWith(tokenOf(own, { iss: 'mint' }, { kid: 'mint' }), other)).toBe(401);
    const next = revision(present, { public: newKey().public }, key);
    expect((await other.put('/signers/mint', next)).status).toBe(200);
    await other.make('signers', { handle: 'bot' }, key);
    const wanted = { handle: 'app', signer: 'bot', schema: 'oauth-client-credentials' };
    const reply = await other.post('/signers/bot/factors', signed(wanted, key));
    expect([reply.status, reply.reason]).toEqual([422, 'record.invalid']);
    const taken = await other.post('/signers', signed({ handle: 'oauth-provider' }, key));
    expect([taken.status, taken.reason]).toEqual([422, 'record.invalid']);
  });

  test.each(['oauth-provider', 'mint'])('keeps the name %s from all signers', async (name) => {
    const config = name === 'mint' ? { 'oauth.provider': name } : {};
    const other = await newLedger(home, key, { config });
    const bot = await other.make('signers', { handle: 'bot' }, key);
    const renamed = await other.put('/signers/bot', revision(bot, { handle: name }, key));
    for (const reply of [await other.post('/signers', signed({ handle: name }, key)), renamed])
      expect([reply.status, reply.reason, reply.custom]).toEqual([
        422,
        'record.invalid',
        { signer: name },
      ]);
    const token = await tokenFor(other, await newFactor(other, key, 'bot'));
    expect(decodeJwt(token).iss).toBe(name);
    expect(await statusWith(token, other)).toBe(200);
  });

  test('is another one as soon as the ledger says so, if it can be', async () => {
    const other = await newLedger(home, key);
    const app = await newFactor(other, key);
    const token = await tokenFor(other, app);
    for (const [name, status] of [
      ['mint', 200],
      [app.signer, 500],
    ] as const) {
      const record = await current('/ledger', other);
      const change = { config: { 'oauth.provider': name } };
      expect((await other.put('/ledger', revision(record, change, key))).status).toBe(200);
      expect(await statusWith(token, other)).toBe(401);
      const reply = await ask(other, grant, { authorization: basicOf(app) });
      expect([name, reply.status]).toEqual([name, status]);
      if (status === 500) expect(reply.body['error']).toBe('server_error');
    }
  });

  test('belongs to the service: nobody changes it, proves on it or gives it a key', async () => {
    const provider = await current('/signers/oauth-provider');
    const [{ kid } = {}] = await keysOf(ledger);
    const path = `/signers/oauth-provider/factors/${kid}`;
    const own = await current(path);
    for (const [place, item] of [
      ['/signers/oauth-provider', provider],
      [path, own],
    ] as const) {
      const updated = await ledger.put(place, revision(item, { custom: { n: 1 } }, key));
      expect(updated.status).toBe(422);
      const proof = proofOf(item.hash, key, { moment: now(), status: 'inactive' });
      const proven = await ledger.post(`${place}/proofs`, proof);
      expect([proven.status, proven.reason]).toEqual([422, 'record.update-rejected']);
    }
    for (const signer of ['oauth-provider', 'system']) {
      const more = { handle: unique('key'), signer, schema: 'key-pair', format: 'ed25519-raw' };
      const body = signed({ ...more, public: newKey().public }, key);
      const reply = await ledger.post(`/signers/${signer}/factors`, body);
      expect([reply.status, reply.reason]).toEqual([422, 'record.invalid']);
    }
  });

  test('publishes keys that may be kept for a while, and nothing private', async () => {
    const response = await fetchOf('/oauth/jwks', {});
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(response.headers.get('vary')).toBe('x-ledger');
    for (const jwk of await keysOf(ledger))
      expect(Object.keys(jwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });
});

test('of secrets and tokens nothing is kept, told or logged', async () => {
  const app = await newFactor(ledger, key);
  const token = await tokenFor(ledger, app);
  await statusWith(token);
  await ask(ledger, { ...grant, client_id: app.id, client_secret: `${app.secret}x` });
  for (const secret of [app.secret, token, token.split('.')[2] ?? '']) {
    expect(runtime.complaints.filter((line) => line.includes(secret))).toEqual([]);
    expect(filesHolding(data, secret)).toEqual([]);
  }
  expect(runtime.complaints.some((line) => line.includes('POST /oauth/token'))).toBe(true);
});

function fetchOf(path: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const own = { 'x-ledger': ledger.ledger ?? '', ...headers };
  return fetch(`${ledger.url}${path}`, { headers: own });
}
