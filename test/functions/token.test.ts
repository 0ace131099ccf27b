/** Goal: a token that was sent is always checked, and nothing but its key decides. Rulings 26, 27 and 29. */
import { createHmac, generateKeyPairSync, sign as nativeSign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  farewell,
  hashOf,
  type Json,
  type Key,
  newKey,
  newLedger,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();
const author = newKey();
const teller = unique('teller');

const home = await sharedHome();
const ledger = await newLedger(home, author);
const value = { handle: teller, format: 'ed25519-raw', public: key.public };
await ledger.make('signers', value, author);

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = () => Math.floor(Date.now() / 1000);

/** The claims of a good token, with changes. */
function claims(change: object = {}): object {
  return {
    iss: 'bank',
    sub: 'teller',
    aud: home.url,
    iat: seconds(),
    exp: seconds() + 60,
    ...change,
  };
}

/** A token, signed by the key over whatever header and claims. */
function tokenOf(payload: object, header: object = {}, signer: Key = key): string {
  const text = `${part({ alg: 'EdDSA', kid: signer.public, ...header })}.${part(payload)}`;
  return `${text}.${nativeSign(null, Buffer.from(text), signer.privateKey).toString('base64url')}`;
}

async function statusWith(token: string, client = ledger, scheme = 'Bearer '): Promise<number> {
  const reply = await client.get('/wallets', { headers: { authorization: `${scheme}${token}` } });
  if (reply.status === 200) return 200;
  expect(reply.reason).toBe('auth.unauthorized');
  expect(reply.detail).toBe('Invalid token.');
  expect(reply.body.meta.proofs[0]).toMatchObject({ signer: 'system', public: client.key });
  expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
  if (token.length > 10) expect(reply.text).not.toContain(token);
  return reply.status;
}

test('a token whose kid is the public key passes', async () => {
  expect(await statusWith(tokenOf(claims()))).toBe(200);
  const stranger = newKey();
  expect(await statusWith(tokenOf(claims(), {}, stranger))).toBe(200);
});

test('a token whose kid is a signer passes on the ledger of the signer only', async () => {
  const token = tokenOf(claims(), { kid: teller });
  expect(await statusWith(token)).toBe(200);
  expect(await statusWith(token, home)).toBe(401);
});

test('a token passes with every kind of request, and no endpoint forgets it', async () => {
  const good = { headers: { authorization: `Bearer ${tokenOf(claims())}` } };
  const bad = { headers: { authorization: `Bearer ${tokenOf(claims({ exp: 1 }))}` } };
  const body = signed({ handle: unique('wallet') }, author);
  expect((await ledger.post('/wallets', body, bad)).status).toBe(401);
  const made = await ledger.post('/wallets', body, good);
  expect(made.status).toBe(201);
  const path = `/wallets/${made.body.luid}`;
  expect((await ledger.put(path, revision(made.body, {}, author), bad)).status).toBe(401);
  const paths = [
    path,
    `${path}/balances`,
    `${path}/changes`,
    `${path}/changes/1`,
    '/ledgers',
    '/ledger',
    '/',
  ];
  for (const place of paths) {
    expect([place, (await ledger.get(place, good)).status]).toEqual([place, 200]);
    expect([place, (await ledger.get(place, bad)).status]).toEqual([place, 401]);
  }
});

test('a token lives at most 24 hours', async () => {
  const day = 24 * 60 * 60;
  expect(await statusWith(tokenOf(claims({ exp: seconds() + day })))).toBe(200);
  const iat = seconds();
  expect(await statusWith(tokenOf(claims({ iat, exp: iat + day })))).toBe(200);
  expect(await statusWith(tokenOf(claims({ iat, exp: iat + day + 1 })))).toBe(401);
});

test('a token ends at its time, give or take a minute', async () => {
  expect(await statusWith(tokenOf(claims({ iat: seconds() - 100, exp: seconds() - 30 })))).toBe(
    200,
  );
  expect(await statusWith(tokenOf(claims({ iat: seconds() - 200, exp: seconds() - 90 })))).toBe(
    401,
  );
  expect(await statusWith(tokenOf(claims({ iat: seconds() + 30, exp: seconds() + 90 })))).toBe(200);
  expect(await statusWith(tokenOf(claims({ iat: seconds() + 90, exp: seconds() + 180 })))).toBe(
    401,
  );
});

test.each(['iss', 'aud', 'iat', 'exp'])('a token needs %s', async (name) => {
  expect(await statusWith(tokenOf(claims({ [name]: undefined })))).toBe(401);
});

test.each([
  ['exp as text', { exp: '9999999999' }],
  ['iat after exp', { iat: seconds() + 50, exp: seconds() + 40 }],
  ['an empty iss', { iss: '' }],
  ['a list as aud', { aud: ['a'] }],
  ['nbf in the future', { nbf: seconds() + 3600 }],
])('a token with %s is refused', async (_, change) => {
  expect(await statusWith(tokenOf(claims(change)))).toBe(401);
});

test('a token by another key is refused', async () => {
  const other = newKey();
  expect(await statusWith(tokenOf(claims(), { kid: key.public }, other))).toBe(401);
  expect(await statusWith(tokenOf(claims(), { kid: teller }, other))).toBe(401);
  expect(await statusWith(tokenOf(claims(), { kid: unique('nobody') }))).toBe(401);
  expect(await statusWith(tokenOf(claims(), { kid: '' }))).toBe(401);
  expect(await statusWith(tokenOf(claims(), { kid: undefined }))).toBe(401);
  expect(await statusWith(tokenOf(claims(), { kid: 'x'.repeat(3000) }))).toBe(401);
  expect(await statusWith(tokenOf(claims(), { kid: { $ne: '' } }))).toBe(401);
});

test('the header of a token does not choose the algorithm', async () => {
  for (const kid of [key.public, teller]) {
    const none = `${part({ alg: 'none', kid })}.${part(claims())}.`;
    expect(await statusWith(none)).toBe(401);
    expect(await statusWith(`${none}AAAA`)).toBe(401);

    const mac = `${part({ alg: 'HS256', kid })}.${part(claims())}`;
    for (const secret of [key.public, Buffer.from(key.public, 'base64')])
      expect(
        await statusWith(`${mac}.${createHmac('sha256', secret).update(mac).digest('base64url')}`),
      ).toBe(401);

    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const rsa = `${part({ alg: 'RS256', kid })}.${part(claims())}`;
    const result = nativeSign('sha256', Buffer.from(rsa), privateKey).toString('base64url');
    expect(await statusWith(`${rsa}.${result}`)).toBe(401);

    for (const alg of ['HS256', 'RS256', 'none', 'eddsa', 'ES256', undefined])
      expect(await statusWith(tokenOf(claims(), { alg, kid }))).toBe(401);
  }
});

test('a token does not bring its own key', async () => {
  const other = newKey();
  const x = Buffer.from(other.public, 'base64').toString('base64url');
  const jwk = { kty: 'OKP', crv: 'Ed25519', x };
  expect(await statusWith(tokenOf(claims(), { kid: teller, jwk }, other))).toBe(401);
  expect(await statusWith(tokenOf(claims(), { crit: ['b64'], b64: false }))).toBe(401);
});

test('a key of small order proves nobody', async () => {
  const kid = Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]).toString('base64');
  const text = `${part({ alg: 'EdDSA', kid })}.${part(claims())}`;
  const forged = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]).toString('base64url');
  expect(await statusWith(`${text}.${forged}`)).toBe(401);
});

test('whatever is no token is refused', async () => {
  const good = tokenOf(claims());
  const garbage = [
    '',
    'x',
    'a.b',
    'a.b.c',
    '..',
    `${good}.x`,
    `${good}=`,
    good.slice(0, -2),
    'x'.repeat(9000),
  ];
  for (const text of garbage) expect([text, await statusWith(text)]).toEqual([text, 401]);
  for (const scheme of ['', 'Basic ', 'Token ', 'Bearer: '])
    expect([scheme, await statusWith(good, ledger, scheme)]).toEqual([scheme, 401]);
  expect(await statusWith(good, ledger, 'bearer ')).toBe(200);
});

describe('a token that is bound to a request, Ruling 27', () => {
  const hshOf = (method: string, url: string, body: Json | null, named: Json | null) => {
    const names = Object.keys(named ?? {});
    return `${hashOf({ method, url, body, headers: named })}${names.length > 0 ? `:${names}` : ''}`;
  };
  const query = 'data.handle.$in=a%20b&data.handle.$in=c&page.limit=5';
  const bound = (hsh: string) => ({ authorization: `Bearer ${tokenOf(claims({ hsh }))}` });

  test('holds for this one, under any of our addresses', async () => {
    const named = { 'x-ledger': String(ledger.ledger) };
    const other = home.url.replace('127.0.0.1', 'localhost');
    for (const base of [home.url, other])
      for (const headers of [null, named]) {
        const hsh = hshOf('GET', `${base}/wallets?${query}`, null, headers);
        const reply = await ledger.get(`/wallets?${query}`, { headers: bound(hsh) });
        expect([base, reply.status]).toEqual([base, 200]);
      }
    const body = signed({ handle: unique('wallet') }, author);
    const hsh = hshOf('POST', `${home.url}/wallets`, body as unknown as Json, named);
    expect((await ledger.post('/wallets', body, { headers: bound(hsh) })).status).toBe(201);
  });

  test('holds for no other one', async () => {
    const url = `${home.url}/wallets?${query}`;
    const wrong = [
      hshOf('POST', url, null, null),
      hshOf('GET', url.replace('=5', '=6'), null, null),
      hshOf('GET', `${home.url}/wallets`, null, null),
      hshOf('GET', url.replace(/^http:..[^/]+/, 'https://attacker.example'), null, null),
      hshOf('GET', `/wallets?${query}`, null, null),
      hshOf('GET', url, { a: 1 }, null),
      hshOf('GET', url, null, { 'x-ledger': 'main' }),
      hshOf('GET', url, null, { 'x-other': 'x' }),
    ];
    for (const hsh of wrong) {
      const reply = await ledger.get(`/wallets?${query}`, { headers: bound(hsh) });
      expect([reply.status, reply.detail]).toEqual([401, 'Invalid token.']);
    }
  });

  test('is bound to the address that is configured, not to the one that is asked', async () => {
    const url = `${home.url.replace('127.0.0.1', 'attacker.example')}/wallets`;
    const headers = {
      ...bound(hshOf('GET', url, null, null)),
      'x-forwarded-host': 'attacker.example',
    };
    expect((await ledger.get('/wallets', { headers })).status).toBe(401);
  });
});

test('a token that is for one use is used once, on all threads', async () => {
  const jti = unique('jti');
  const token = tokenOf(claims({ jti }));
  const statuses = await Promise.all(Array.from({ length: 12 }, () => statusWith(token)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(await statusWith(tokenOf(claims({ jti })))).toBe(401);
  // It is of no meaning to another ledger.
  expect(await statusWith(token, home)).toBe(200);
});

test('a key of a factor signs for the signer, until the factor is dropped', async () => {
  const spare = newKey();
  const value = { handle: unique('spare'), signer: teller, schema: 'key-pair' };
  const body = signed({ ...value, format: 'ed25519-raw', public: spare.public }, author);
  const made = await ledger.post(`/signers/${teller}/factors`, body);
  expect(made.status).toBe(201);
  const token = tokenOf(claims(), { kid: teller }, spare);
  expect(await statusWith(token)).toBe(200);
  const path = `/signers/${teller}/factors/${made.body.luid}`;
  expect((await ledger.send('DELETE', path, farewell(made.body, author))).status).toBe(204);
  expect(await statusWith(token)).toBe(401);
  expect(await statusWith(tokenOf(claims(), { kid: teller }))).toBe(200);
});
