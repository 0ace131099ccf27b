/**
 * Goal: whatever somebody makes up, changes or sends again is refused in the same words. Method: a ledger
 * in memory whose keys the test has, so that each token is right but for one thing. RFC 8725, Rulings 26 to
 * 29, Decision 33.
 */
import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as nativeSign,
} from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { authenticate } from '../../shared/access/authenticate.ts';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import { prove } from '../../shared/action/prove.ts';
import { requestHashOf } from '../../shared/crypto/request-hash.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Call, Services } from '../../shared/port/action.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import { privateKeyOf, providerKeys } from '../../shared/record/provider.ts';
import {
  farewell,
  type Item,
  type Json,
  type Key,
  newKey,
  now,
  proofOf,
  signed,
} from '../fixture/client.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';

const server = 'https://ledger.example/v2';
const startSeconds = Math.floor(Date.now() / 1000);
const request = {
  method: 'POST',
  urls: [`${server}/wallets`],
  body: { a: 1 },
  headers: { 'x-ledger': 'main', accept: '*/*' },
};

let desk: Desk;
let services: Services;
/** By how much the clock is ahead. */
let laterSeconds = 0;
let call: Pick<Call, 'services' | 'ledger'>;
const ann = newKey();
const spare = newKey();
let kid: string;
let rsaPublic: string;
let rsaSecret: KeyObject;
let clientId: string;

beforeAll(async () => {
  desk = await openDesk();
  services = {
    ...desk.services,
    settings: { ...desk.services.settings, servers: ['http://localhost/v2', server] },
    clock: () => Date.now() + laterSeconds * 1000,
  };
  const ledger = await services.identityOf('main');
  if (!ledger) throw new Error('The ledger is there.');
  call = { services, ledger };
  await desk.make('signer', { handle: 'ann', format: 'ed25519-raw', public: ann.public });
  const factor = { signer: 'ann', schema: 'key-pair', format: 'ed25519-raw' };
  await made({ ...factor, handle: 'spare', public: spare.public });
  const client = await made({ handle: 'app', signer: 'ann', schema: 'oauth-client-credentials' });
  clientId = client.meta.clientId ?? '';
  const [key] = await providerKeys(services, 'main', 'oauth-provider');
  if (!key) throw new Error('The provider has a key.');
  kid = key.record.data.handle;
  rsaPublic = String(key.record.data['public']);
  rsaSecret = await privateKeyOf(services, 'main', key);
});

/** Makes a factor. */
function made(data: Json, key = desk.key): Promise<LedgerRecord> {
  const path = { signer: String(data['signer']) };
  return desk.run(create('signer-factor'), { services, path, body: signed(data, key) });
}

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const ownClaims = (change: Json = {}): Json => ({
  iss: 'ann',
  sub: 'ann',
  aud: server,
  iat: startSeconds,
  exp: startSeconds + 600,
  ...change,
});

/** A token of a signer, right but for what is changed. */
function ownToken(change: Json = {}, header: Json = {}, key: Key = ann): string {
  const text = `${part({ alg: 'EdDSA', kid: 'ann', ...header })}.${part(ownClaims(change))}`;
  return `${text}.${nativeSign(null, Buffer.from(text), key.privateKey).toString('base64url')}`;
}

const givenClaims = (change: Json = {}): Json => ({
  ...ownClaims(),
  iss: 'oauth-provider',
  cid: 'app',
  client_id: clientId,
  jti: 'j',
  ...change,
});

/** A token of the provider, right but for what is changed. */
function givenToken(change: Json = {}, header: Json = {}, key = rsaSecret): string {
  return rsaSigned({ alg: 'RS256', kid, ...header }, givenClaims(change), key);
}

function rsaSigned(header: unknown, claims: unknown, key = rsaSecret): string {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${nativeSign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

const accept = (token: string, received = request) =>
  authenticate(services, call.ledger, `Bearer ${token}`, received);

async function expectRefused(token: string, received = request): Promise<void> {
  const refusal: unknown = await accept(token, received).then(
    (bearer) => new Error(`accepted as ${JSON.stringify(bearer)}`),
    (error: unknown) => error,
  );
  if (!(refusal instanceof LedgerError)) throw refusal;
  const { reason, detail, custom, headers } = refusal;
  expect([reason, detail]).toEqual(['auth.unauthorized', 'Invalid token.']);
  expect(Object.keys(custom ?? {})).toEqual(['fault']);
  expect(headers).toEqual({ 'www-authenticate': 'Bearer error="invalid_token"' });
  for (const piece of token.split('.').filter((one) => one.length > 8))
    expect(JSON.stringify([refusal.message, custom])).not.toContain(piece);
}

describe('a token speaks for', () => {
  const claims = expect.objectContaining({ sub: 'ann' });

  test('the signer whose handle it names, by the key of the record or of a factor', async () => {
    for (const key of [ann, spare])
      expect(await accept(ownToken({}, {}, key))).toEqual({
        claims,
        kind: 'signer',
        signer: 'ann',
        public: key.public,
        hsh: false,
      });
  });

  test('the signer who holds the key that it names', async () => {
    for (const key of [ann, spare]) {
      const bearer = await accept(ownToken({}, { kid: key.public }, key));
      expect(bearer).toMatchObject({ kind: 'signer', signer: 'ann', public: key.public });
    }
  });

  test('nobody, when nobody holds the key', async () => {
    const stranger = newKey();
    const bearer = await accept(ownToken({}, { kid: stranger.public }, stranger));
    expect(bearer).toMatchObject({ kind: 'signer', public: stranger.public });
    expect(bearer).not.toHaveProperty('signer');
  });

  test('the signer of the client that asked for it', async () => {
    expect(await accept(givenToken())).toEqual({
      claims: expect.objectContaining({ cid: 'app', jti: 'j' }),
      kind: 'provider',
      signer: 'ann',
      client: 'app',
      hsh: false,
    });
  });

  test('itself again and again, when the provider made it', async () => {
    for (let use = 0; use < 3; use += 1) await accept(givenToken());
  });
});

// Decision 45.
describe('a token of a signer does not say that the provider made it,', () => {
  test('whichever way it names its signer', async () => {
    const forged = { iss: 'oauth-provider', sub: 'ann', cid: 'app', client_id: clientId };
    const stranger = newKey();
    await expectRefused(ownToken(forged));
    await expectRefused(ownToken(forged, {}, spare));
    await expectRefused(ownToken(forged, { kid: ann.public }));
    await expectRefused(ownToken(forged, { kid: stranger.public }, stranger));
  });

  test('and may say anything else', async () => {
    for (const iss of ['ann', 'spare', 'oauth', 'OAUTH-PROVIDER', 'https://bank.example'])
      expect(await accept(ownToken({ iss, sub: 'somebody' }))).toMatchObject({ signer: 'ann' });
  });
});

describe('the algorithm belongs to the key:', () => {
  const none = (header: Json, claims: Json) =>
    `${part({ alg: 'none', ...header })}.${part(claims)}.`;

  test.each(['none', 'None', 'NONE', '', undefined, ['RS256'], 'PS256', 'ES256', 'HS512'])(
    'nothing is signed with %j',
    async (alg) => {
      await expectRefused(givenToken({}, { alg }));
      await expectRefused(ownToken({}, { alg }));
      await expectRefused(none({ kid, alg }, givenClaims()));
      await expectRefused(`${none({ kid, alg }, givenClaims())}AA`);
    },
  );

  test('a public key is no secret, in whatever form', async () => {
    const pem = createPublicKey({
      key: Buffer.from(rsaPublic, 'base64'),
      format: 'der',
      type: 'spki',
    });
    const forms = [
      rsaPublic,
      Buffer.from(rsaPublic, 'base64'),
      pem.export({ type: 'spki', format: 'pem' }),
      pem.export({ type: 'pkcs1', format: 'pem' }),
      JSON.stringify(pem.export({ format: 'jwk' })),
      ann.public,
      '',
    ];
    for (const secret of forms)
      for (const alg of ['HS256', 'RS256', 'EdDSA']) {
        const text = `${part({ alg, kid })}.${part(givenClaims())}`;
        const mac = createHmac('sha256', secret).update(text).digest('base64url');
        await expectRefused(`${text}.${mac}`);
      }
  });

  test('an RSA key does not sign for a signer, nor an ed25519 key for the provider', async () => {
    await expectRefused(givenToken({}, { kid: 'ann' }));
    await expectRefused(givenToken({}, { kid: ann.public }));
    await expectRefused(ownToken({}, { kid }));
    await expectRefused(ownToken(givenClaims(), { kid }));
    await expectRefused(givenToken({}, { alg: 'EdDSA' }));
    await expectRefused(ownToken({}, { alg: 'RS256' }));
  });

  test('an RSA key of a signer signs no tokens', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    const own = { handle: 'rsa', signer: 'ann', schema: 'key-pair', format: 'rsa-2048' };
    await made({ ...own, public: spki });
    for (const iss of ['ann', 'oauth-provider'])
      for (const name of ['rsa', 'ann', 'ann/rsa'])
        await expectRefused(givenToken({ iss }, { kid: name }, privateKey));
  });
});

describe('a key is found by records:', () => {
  test.each(['jwk', 'x5c', 'jku', 'x5u'])('a token with its own %s is refused', async (member) => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const values: Json = {
      jwk: publicKey.export({ format: 'jwk' }),
      x5c: [publicKey.export({ format: 'der', type: 'spki' }).toString('base64')],
      jku: 'https://attacker.example/jwks',
      x5u: 'https://attacker.example/cert',
    };
    const header = { [member]: values[member] };
    await expectRefused(givenToken({}, header, privateKey));
    // Also where the right key has signed it.
    await expectRefused(givenToken({}, header));
    await expectRefused(ownToken({}, header));
  });

  test.each([
    { crit: ['b64'], b64: false },
    { b64: false },
    { crit: ['exp'] },
    { crit: [] },
    { zip: 'DEF' },
    { enc: 'A256GCM' },
  ])('a token that asks to be read in another way is refused: %j', async (header) => {
    await expectRefused(givenToken({}, header));
    await expectRefused(ownToken({}, header));
  });

  test.each([
    '../ann',
    'ann/spare',
    'ann/app',
    'ann#',
    '#',
    'main#signer#ann',
    'ann\u0000',
    ' ann',
    'ANN',
    'system',
    'oauth-provider',
    '/dev/null',
    "' or 1=1",
    '$snr.00000000000000000',
    '__proto__',
    'x'.repeat(256),
    'x'.repeat(257),
    'é'.repeat(200),
  ])('the kid %j leads nowhere', async (name) => {
    await expectRefused(ownToken({}, { kid: name }));
    await expectRefused(givenToken({}, { kid: name }));
    if (name !== 'oauth-provider') await expectRefused(givenToken({ iss: name }));
    await expectRefused(givenToken({ sub: name }));
    await expectRefused(givenToken({ cid: name }));
  });

  test.each([null, 7, true, ['ann'], { $ne: '' }, undefined, ''])('no kid is %j', async (name) => {
    await expectRefused(ownToken({}, { kid: name }));
    await expectRefused(givenToken({}, { kid: name }));
  });

  test('the key of one signer does not speak for another', async () => {
    const bob = newKey();
    await desk.make('signer', { handle: 'bob', format: 'ed25519-raw', public: bob.public });
    await expectRefused(ownToken({}, { kid: 'bob' }));
    await expectRefused(ownToken({}, { kid: 'ann' }, bob));
    await expectRefused(ownToken({}, { kid: ann.public }, bob));
    // Who only names somebody's key is nobody by it. Decision 5.
    await desk.make('signer', { handle: 'eve', format: 'ed25519-raw', public: bob.public });
    await expectRefused(ownToken({}, { kid: 'eve' }, bob));
  });

  test('a factor that somebody calls like a key of the provider is none', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    const own = { handle: kid, signer: 'ann', schema: 'key-pair', format: 'rsa-2048' };
    await made({ ...own, public: spki });
    for (const iss of ['ann', 'oauth-provider'])
      await expectRefused(givenToken({ iss }, {}, privateKey));
    await expectRefused(givenToken({ iss: 'ann' }));
    await desk.make('signer', { handle: kid, format: 'ed25519-raw', public: newKey().public });
    expect(await accept(givenToken())).toMatchObject({ kind: 'provider' });
  });
});

describe('claims are believed when they are right:', () => {
  const iat = startSeconds;
  test.each<[string, Json]>([
    ['another provider', { iss: 'other' }],
    ['no iss', { iss: undefined }],
    ['no aud', { aud: undefined }],
    ['no exp', { exp: undefined }],
    ['no iat', { iat: undefined }],
    ['that it has expired', { iat: iat - 7200, exp: iat - 3600 }],
    ['that it is from the future', { iat: iat + 3600, exp: iat + 7200 }],
    ['that it is not yet valid', { nbf: iat + 3600 }],
    ['too long a life', { exp: iat + 86_401 }],
    ['an end before its beginning', { exp: iat }],
    ['times as texts', { exp: String(iat + 600) }],
    ['endless times', { exp: 1e300 }],
    ['a list as jti', { jti: ['j'] }],
    ['a long jti', { jti: 'j'.repeat(257) }],
  ])('a token with %s is refused', async (_, change) => {
    await expectRefused(givenToken(change));
    if (!('iss' in change) || change['iss'] === undefined) await expectRefused(ownToken(change));
  });

  test.each<[string, Json]>([
    ['somebody else as aud', { aud: 'https://other.example/v2' }],
    ['a list as aud', { aud: [server] }],
    ['the beginning of an aud', { aud: server.slice(0, -1) }],
    ['another signer', { sub: 'system' }],
    ['no signer', { sub: undefined }],
    ['a factor that is not there', { cid: 'none' }],
    ['a factor that is no client', { cid: 'spare' }],
    ['no factor', { cid: undefined }],
    ['another client', { client_id: '0'.repeat(22) }],
    ['no client', { client_id: undefined }],
  ])('a token of the provider with %s is refused', async (_, change) => {
    await expectRefused(givenToken(change));
  });

  test('a token that was changed is refused', async () => {
    for (const token of [givenToken(), ownToken()]) {
      const [header = '', claims = '', result = ''] = token.split('.');
      const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Json;
      const changed = part({ ...read, sub: 'system' });
      const flipped = `${result.slice(0, 4)}${result[4] === 'A' ? 'B' : 'A'}${result.slice(5)}`;
      const others = [
        `${header}.${changed}.${result}`,
        `${header}.${claims}.${flipped}`,
        `${header}.${claims}.${result.slice(0, -4)}`,
        `${header}.${claims}.`,
        `${header}.${claims}`,
        `${header}..${result}`,
        `.${claims}.${result}`,
        `${token}.${result}`,
        `${header}=.${claims}.${result}`,
        `${header}.${claims}.${result}==`,
        token.slice(0, token.length / 2),
        `${token} `,
        token.replace('.', '%2e'),
      ];
      for (const other of others) await expectRefused(other);
    }
  });

  test('what can be read in two ways is refused', async () => {
    const header = JSON.stringify({ alg: 'RS256', kid });
    const claims = JSON.stringify(givenClaims());
    for (const [one, other] of [
      [`{"kid":"ann",${header.slice(1)}`, claims],
      [`${header.slice(0, -1)},"kid":"${kid}"}`, claims],
      [`${header.slice(0, -1)},"\\u0061lg":"RS256"}`, claims],
      [header, `{"sub":"system",${claims.slice(1)}`],
      [header, `${claims.slice(0, -1)},"aud":"${server}"}`],
      [header, `${claims.slice(0, -1)},"a":{"b":[{"c":1,"c":2}]}}`],
      [`[${header}]`, claims],
      [header, `[${claims}]`],
      [header, `${claims}{}`],
      [`\ufeff${header}`, claims],
    ] as const)
      await expectRefused(rsaSigned(one, other));
    const odd = Buffer.concat([
      Buffer.from(claims.slice(0, -1)),
      Buffer.of(0xff),
      Buffer.from('}'),
    ]);
    const text = `${part(header)}.${odd.toString('base64url')}`;
    await expectRefused(
      `${text}.${nativeSign('sha256', Buffer.from(text), rsaSecret).toString('base64url')}`,
    );
  });

  test('what is huge is refused', async () => {
    await expectRefused(givenToken({ x: 'x'.repeat(10_000) }));
    await expectRefused(rsaSigned({ alg: 'RS256', kid }, `${'['.repeat(2500)}${']'.repeat(2500)}`));
    await expectRefused(`${'a.'.repeat(4000)}a`);
  });
});

describe('a token that a signer meant for one use', () => {
  test('is used once, whatever request it comes with', async () => {
    const token = ownToken({ jti: 'once' });
    expect(await accept(token)).toMatchObject({ signer: 'ann' });
    await expectRefused(token);
    await expectRefused(token, { ...request, method: 'GET' });
    await expectRefused(ownToken({ jti: 'once', exp: startSeconds + 60 }));
    await expectRefused(ownToken({ jti: 'once' }, { kid: ann.public }));
  });

  test('is used once by many at the same time', async () => {
    const token = ownToken({ jti: 'race' });
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => accept(token)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('uses up nothing of another signer', async () => {
    await accept(ownToken({ jti: 'ours' }));
    await accept(ownToken({ jti: 'ours' }, {}, spare));
  });

  test('is used up only by a request for which it holds', async () => {
    const hsh = requestHashOf({ ...request, url: `${server}/wallets` }, []);
    const token = ownToken({ jti: 'bound', hsh });
    await expectRefused(token, { ...request, method: 'PUT' });
    const [header, claims] = token.split('.');
    await expectRefused(`${header}.${claims}.${'A'.repeat(86)}`);
    expect(await accept(token)).toMatchObject({ signer: 'ann', hsh: true });
    await expectRefused(token);
  });

  test('is remembered until it has ended, with the minute that clocks may differ', async () => {
    const token = ownToken({ jti: 'late' });
    await accept(token);
    for (const ahead of [599, 601, 655]) {
      laterSeconds = ahead - (Math.floor(Date.now() / 1000) - startSeconds);
      await expectRefused(token);
    }
    laterSeconds = 0;
  });
});

describe('a token that is bound to a request', () => {
  const url = `${server}/wallets`;
  const hsh = () => requestHashOf({ ...request, url }, ['x-ledger']);

  test('holds for that request, under each of our addresses', async () => {
    for (const token of [ownToken({ hsh: hsh() }), givenToken({ hsh: hsh() })])
      expect(await accept(token)).toMatchObject({ hsh: true });
    const elsewhere = { ...request, urls: ['http://localhost/v2/wallets', url] };
    expect(await accept(ownToken({ hsh: hsh() }), elsewhere)).toMatchObject({ hsh: true });
  });

  test.each<[string, Partial<typeof request>]>([
    ['another method', { method: 'PUT' }],
    ['another address', { urls: [`${server}/wallets/a`] }],
    ['another query', { urls: [`${server}/wallets?a=1`] }],
    ['another body', { body: { a: 2 } }],
    ['another header', { headers: { 'x-ledger': 'other', accept: '*/*' } }],
  ])('holds for none with %s', async (_, change) => {
    await expectRefused(ownToken({ hsh: hsh() }), { ...request, ...change });
    await expectRefused(givenToken({ hsh: hsh() }), { ...request, ...change });
  });

  test.each(['x', ':', '0'.repeat(64), ':x-ledger'])(
    'is refused with the hash %j',
    async (text) => {
      await expectRefused(ownToken({ hsh: text }));
    },
  );

  test('is bound to nothing by an empty hash', async () => {
    expect(await accept(ownToken({ hsh: '' }))).toMatchObject({ hsh: false });
  });
});

// These end what the tests before have used.
describe('at once a token of a signer ends', () => {
  test('with the factor whose key has signed it', async () => {
    const token = ownToken({}, {}, spare);
    await accept(token);
    const path = { signer: 'ann', id: 'spare' };
    const [current] = await services.store.load([
      { what: 'record', scope: 'main', kind: 'signer-factor', handle: 'ann/spare' },
    ]);
    const body = farewell(current?.record as unknown as Item, desk.key);
    await drop('signer-factor').run({ ...call, path, query: {}, body, work: newWork(services) });
    await expectRefused(token);
    // Its key is nobody's any more, and as such it still signs.
    expect(await accept(ownToken({}, { kid: spare.public }, spare))).not.toHaveProperty('signer');
  });

  test('when the signer is inactive', async () => {
    const [signer] = await services.store.load([
      { what: 'record', scope: 'main', kind: 'signer', handle: 'ann' },
    ]);
    const body = proofOf(signer?.record.hash ?? '', desk.key, {
      moment: now(),
      status: 'inactive',
    });
    const work = newWork(services);
    await prove('signer').run({ ...call, path: { id: 'ann' }, query: {}, body, work });
    for (const token of [ownToken(), ownToken({}, { kid: ann.public }), givenToken()])
      await expectRefused(token);
  });
});
