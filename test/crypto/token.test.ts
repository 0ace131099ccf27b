import { createHmac, generateKeyPairSync, sign as nativeSign } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { signProviderToken } from '../../shared/crypto/provider-token.ts';
import { createRsaPair, rsaSecretKeyOf } from '../../shared/crypto/rsa.ts';
import {
  type BearerDefect,
  invalidToken,
  parseBearer,
  verifyBearer,
  verifyBearerByAny,
  verifyProviderBearer,
} from '../../shared/crypto/token.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import wire from '../vectors/wire.json' with { type: 'json' };

const now = Date.UTC(2026, 0, 1) / 1000;
const seed = new Uint8Array(32).fill(1);
const publicText = publicOf(seed);
const header = { alg: 'EdDSA', kid: 'alice' };
const claims = { iss: 'alice', aud: 'https://ledger.example', iat: now, exp: now + 60 };

const partOf = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A token signed by the fixed key, whatever its header and claims are. */
function bearerOf(ownHeader: unknown, ownClaims: unknown): string {
  const signed = `${partOf(ownHeader)}.${partOf(ownClaims)}`;
  const result = nativeSign(null, Buffer.from(signed), privateKeyOf(seed)).toString('base64url');
  return `Bearer ${signed}.${result}`;
}

const verified = async (bearer: string, nowSeconds = now, ownPublic = publicText) =>
  verifyBearer(parseBearer(bearer), ownPublic, nowSeconds);

async function refusalOf(call: () => Promise<unknown>): Promise<LedgerError> {
  try {
    await call();
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  throw new Error('not refused');
}

async function expectFault(call: () => Promise<unknown>, fault: BearerDefect): Promise<void> {
  const refusal = await refusalOf(call);
  expect(refusal.reason).toBe('auth.unauthorized');
  expect(refusal.detail).toBe('Invalid token.');
  expect(refusal.custom).toEqual({ fault });
  expect(refusal.headers).toEqual({ 'www-authenticate': 'Bearer error="invalid_token"' });
}

describe('a token', () => {
  test('that its key signed is accepted', async () => {
    const token = parseBearer(bearerOf(header, claims));
    expect(token.kid).toBe('alice');
    expect(token.unverified).toEqual(claims);
    expect(await verifyBearer(token, publicText, now)).toEqual(claims);
  });

  test('made by a JWT library is accepted', async () => {
    const text = await new SignJWT(claims).setProtectedHeader(header).sign(privateKeyOf(seed));
    expect(await verified(`Bearer ${text}`)).toEqual(claims);
  });

  test('keeps the claims that the ledger reads, and no others', async () => {
    const all = { ...claims, sub: 'alice', jti: 'j', hsh: 'h' };
    expect(await verified(bearerOf(header, { ...all, admin: true }))).toEqual(all);
  });

  test('may leave claims empty that are not required', async () => {
    expect(await verified(bearerOf(header, { ...claims, sub: '', jti: '', hsh: '' }))).toEqual(
      claims,
    );
  });

  test('has a scheme in any case', async () => {
    const [, text = ''] = bearerOf(header, claims).split(' ');
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
      expect(await verified(`${scheme} ${text}`)).toEqual(claims);
    }
  });
});

const good = bearerOf(header, claims);
const [protectedPart = '', claimsPart = '', resultPart = ''] = good
  .replace('Bearer ', '')
  .split('.');

describe('a token is refused for its format when', () => {
  test.each([
    ['it is empty', ''],
    ['it has no scheme', good.replace('Bearer ', '')],
    ['it has another scheme', good.replace('Bearer', 'Basic')],
    ['it is not there', 'Bearer '],
    ['it has two parts', `Bearer ${protectedPart}.${claimsPart}`],
    ['it has four parts', `${good}.a`],
    ['a part is empty', `Bearer ${protectedPart}..${resultPart}`],
    ['it ends in white space', `${good} `],
    ['a part is padded', `Bearer ${protectedPart}=.${claimsPart}.${resultPart}`],
    [
      'a part has other trailing bits',
      `Bearer ${protectedPart}.${claimsPart}.${resultPart.slice(0, -1)}B`,
    ],
    ['a part is one character long', `Bearer ${protectedPart}.${claimsPart}.A`],
    ['it is too long', `Bearer ${protectedPart}.${claimsPart}.${'A'.repeat(8192)}`],
    ['its header is not JSON', bearerOf('{', claims)],
    ['its header is a list', bearerOf([header], claims)],
    ['its header is null', bearerOf('null', claims)],
    ['its header is not UTF-8', `Bearer ${Buffer.of(0xff).toString('base64url')}.e30.e30`],
    ['its claims are not an object', bearerOf(header, '1')],
    ['it has no kid', bearerOf({ alg: 'EdDSA' }, claims)],
    ['its kid is empty', bearerOf({ ...header, kid: '' }, claims)],
    ['its kid is not a text', bearerOf({ ...header, kid: 7 }, claims)],
    ['its kid is too long', bearerOf({ ...header, kid: 'k'.repeat(257) }, claims)],
    ['it demands an extension', bearerOf({ ...header, crit: ['x'], x: 1 }, claims)],
    ['its payload is not encoded', bearerOf({ ...header, crit: ['b64'], b64: false }, claims)],
    ['its header begins with a byte order mark', bearerOf('\ufeff{"alg":"EdDSA"}', claims)],
    ['it brings a key', bearerOf({ ...header, jwk: { kty: 'OKP' } }, claims)],
    ['it says where its key is', bearerOf({ ...header, jku: 'https://a.example' }, claims)],
    ['it brings a certificate', bearerOf({ ...header, x5c: ['AA=='] }, claims)],
    ['it says where its certificate is', bearerOf({ ...header, x5u: 'https://a' }, claims)],
    ['its claims are compressed', bearerOf({ ...header, zip: 'DEF' }, claims)],
    ['its header repeats a key', bearerOf('{"alg":"EdDSA","kid":"bob","kid":"alice"}', claims)],
    [
      'its header repeats a key in other letters',
      bearerOf('{"alg":"EdDSA","kid":"bob","\\u006bid" : "alice"}', claims),
    ],
    ['its claims repeat a key', bearerOf(header, `{"iss":"b",${JSON.stringify(claims).slice(1)}`)],
    ['its claims repeat a key further in', bearerOf(header, '{"a":[{"b":1,"b":1}]}')],
    [
      'it is nested deeper than can be read',
      bearerOf(header, `${'['.repeat(2900)}${']'.repeat(2900)}`),
    ],
  ])('%s', (_, bearer) => expectFault(() => verified(bearer), 'format'));
});

describe('a token is refused for its algorithm when', () => {
  const { publicKey: rsaPublic, privateKey: rsaPrivate } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
  });

  test.each(['none', 'HS256', 'RS256', 'ES256', 'Ed25519', 'eddsa', '', undefined, ['EdDSA']])(
    'it says %j',
    (alg) => expectFault(() => verified(bearerOf({ ...header, alg }, claims)), 'algorithm'),
  );

  test('its result is an HMAC with the public key', () => {
    const signed = `${partOf({ ...header, alg: 'HS256' })}.${claimsPart}`;
    const result = createHmac('sha256', publicText).update(signed).digest('base64url');
    return expectFault(() => verified(`Bearer ${signed}.${result}`), 'algorithm');
  });

  test('a provider signed it', async () => {
    expect(rsaPublic.asymmetricKeyType).toBe('rsa');
    const text = await new SignJWT(claims)
      .setProtectedHeader({ ...header, alg: 'RS256' })
      .sign(rsaPrivate);
    await expectFault(() => verified(`Bearer ${text}`), 'algorithm');
  });
});

describe('a token is refused for its claims when', () => {
  const { iss, aud, iat, exp } = claims;
  test.each([
    ['iss is missing', { aud, iat, exp }],
    ['aud is missing', { iss, iat, exp }],
    ['iat is missing', { iss, aud, exp }],
    ['exp is missing', { iss, aud, iat }],
    ['iss is empty', { ...claims, iss: '' }],
    ['aud is a list', { ...claims, aud: [aud] }],
    ['iat is a text', { ...claims, iat: String(iat) }],
    ['exp is not a time', { ...claims, exp: -1 }],
    ['exp is not finite', JSON.stringify(claims).replace(`"exp":${exp}`, '"exp":1e999')],
    ['it ends when it begins', { ...claims, exp: iat }],
    ['it holds for more than a day', { ...claims, exp: iat + 86_401 }],
    ['sub is not a text', { ...claims, sub: 1 }],
    ['jti is not a text', { ...claims, jti: {} }],
    ['jti is too long', { ...claims, jti: 'j'.repeat(257) }],
    ['hsh is not a text', { ...claims, hsh: null }],
    ['it was issued in the future', { ...claims, iat: now + 61, exp: now + 120 }],
    ['it is for later', { ...claims, nbf: now + 61 }],
    ['nbf is not a time', { ...claims, nbf: 'now' }],
  ])('%s', (_, own) => expectFault(() => verified(bearerOf(header, own)), 'claims'));
});

describe('a token holds', () => {
  test('for a day at most', async () => {
    const daily = { ...claims, exp: now + 86_400 };
    expect(await verified(bearerOf(header, daily))).toEqual(daily);
  });

  test('until a minute after exp', async () => {
    expect(await verified(good, claims.exp + 59)).toEqual(claims);
    await expectFault(() => verified(good, claims.exp + 60), 'expired');
  });

  test('from a minute before iat', async () => {
    expect(await verified(good, claims.iat - 60)).toEqual(claims);
    await expectFault(() => verified(good, claims.iat - 61), 'claims');
  });
});

describe('a token is refused for its signature when', () => {
  test('another key is looked up', () =>
    expectFault(() => verified(good, now, wire.keys.B.public), 'signature'));

  test('its claims were changed', () => {
    const changed = `Bearer ${protectedPart}.${partOf({ ...claims, iss: 'bob' })}.${resultPart}`;
    return expectFault(() => verified(changed), 'signature');
  });

  test('its kid was changed', () => {
    const changed = `Bearer ${partOf({ ...header, kid: 'bob' })}.${claimsPart}.${resultPart}`;
    return expectFault(() => verified(changed), 'signature');
  });

  test('it is shorter', () =>
    expectFault(() => verified(`Bearer ${protectedPart}.${claimsPart}.AAAA`), 'signature'));

  test('it has also expired, for the signature is looked at first', () =>
    expectFault(() => verified(good, now + 9999, wire.keys.B.public), 'signature'));
});

describe('a token is refused for its key when', () => {
  const { smallOrderPublicKeys, nonCanonicalPublicKeys } = wire.mustReject;
  test.each([...smallOrderPublicKeys, ...nonCanonicalPublicKeys, 'alice', ''])('it is %j', (text) =>
    expectFault(() => verified(good, now, text), 'key'),
  );
});

describe('of several keys', () => {
  const token = parseBearer(good);
  const { A, B } = wire.keys;

  test('the one that signed is found', async () => {
    const publics = [B.public, publicText];
    const found = await verifyBearerByAny(token, publics, now);
    expect(found).toEqual({ public: publicText, claims });
  });

  test('none may have signed', async () => {
    const others = [A.public, B.public].filter((one) => one !== publicText);
    expect(await verifyBearerByAny(token, others, now)).toBeUndefined();
    expect(await verifyBearerByAny(token, [], now)).toBeUndefined();
  });

  test('the one that signed decides whether the token still holds', () =>
    expectFault(() => verifyBearerByAny(token, [B.public, publicText], now + 9999), 'expired'));

  test('a clock that is no number is our bug', async () => {
    await expect(verifyBearerByAny(token, [publicText], Number.NaN)).rejects.toThrow(TypeError);
  });
});

describe('the token of a provider', async () => {
  const { public: rsaText, privateDer } = await createRsaPair();
  const asked = { ...claims, sub: 'alice', cid: 'app', client_id: 'c', jti: 'j' };
  const text = await signProviderToken(asked, 'k1', rsaSecretKeyOf(privateDer));
  const token = parseBearer(`Bearer ${text}`);

  test('is verified by its RSA key', async () => {
    expect(await verifyProviderBearer(token, rsaText, now)).toEqual(asked);
  });

  test('is verified by no other key', async () => {
    const { public: other } = await createRsaPair();
    await expectFault(() => verifyProviderBearer(token, other, now), 'signature');
    await expectFault(() => verifyProviderBearer(token, publicText, now), 'key');
  });

  test('is not taken for the token of a signer, nor the other way around', async () => {
    await expectFault(() => verifyBearer(token, publicText, now), 'algorithm');
    await expectFault(() => verifyProviderBearer(parseBearer(good), rsaText, now), 'algorithm');
  });

  test('ends at its time', () =>
    expectFault(() => verifyProviderBearer(token, rsaText, now + 9999), 'expired'));
});

test('a refusal repeats nothing of the token', async () => {
  const refusal = await refusalOf(() => verified(good, now + 9999));
  const answer = JSON.stringify([refusal.message, refusal.custom, refusal.headers]);
  for (const secret of [protectedPart, claimsPart, resultPart, 'alice']) {
    expect(answer).not.toContain(secret);
  }
});

test('a clock that is no number is our bug, not the token', async () => {
  await expect(verified(good, Number.NaN)).rejects.toThrow(TypeError);
});

test('whoever looks up a key, a request or a jti refuses in the same words', () =>
  expectFault(() => Promise.reject(invalidToken('replay')), 'replay'));
