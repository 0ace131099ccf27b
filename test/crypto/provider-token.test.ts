import { createPublicKey } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { providerJwkOf, signProviderToken } from '../../shared/crypto/provider-token.ts';
import { createRsaPair, rsaKeyOf, rsaSecretKeyOf } from '../../shared/crypto/rsa.ts';

const { public: publicText, privateDer } = await createRsaPair();
const iat = Date.UTC(2026, 0, 1) / 1000;
const claims = {
  iss: 'provider',
  sub: 'alice',
  cid: 'app',
  client_id: 'c',
  aud: 'https://ledger.example/v2',
  iat,
  exp: iat + 3600,
  jti: 'j',
};

test('a token says what it was told, and who signed it', async () => {
  const text = await signProviderToken(claims, 'k1', rsaSecretKeyOf(privateDer));
  expect(decodeProtectedHeader(text)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' });
  expect(decodeJwt(text)).toEqual(claims);
});

test('whoever has the published key verifies the token', async () => {
  const text = await signProviderToken(claims, 'k1', rsaSecretKeyOf(privateDer));
  const jwk = providerJwkOf(publicText, 'k1');
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const { payload } = await jwtVerify(text, key, { currentDate: new Date(iat * 1000) });
  expect(payload).toEqual(claims);
});

test('the published key has nothing of the private one', () => {
  const { n, e } = rsaKeyOf(publicText).export({ format: 'jwk' });
  const jwk = { kty: 'RSA', n, e, use: 'sig', alg: 'RS256', kid: 'k1' };
  expect(providerJwkOf(publicText, 'k1')).toEqual(jwk);
});
