import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRsaPair, isRsaPublic, rsaKeyOf, rsaSecretKeyOf } from '../../shared/crypto/rsa.ts';

function spkiOf(type: 'rsa' | 'rsa-pss', modulusLength = 2048, publicExponent = 65_537): string {
  const options = { modulusLength, publicExponent };
  const { publicKey } =
    type === 'rsa' ? generateKeyPairSync('rsa', options) : generateKeyPairSync('rsa-pss', options);
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
}

const text = spkiOf('rsa');
const ed25519 = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' });
const der = Buffer.from(text, 'base64');

test('an RSA key of 2048 bits is one', () => {
  expect(isRsaPublic(text)).toBe(true);
  expect(text).toHaveLength(392);
});

test.each([
  ['fewer bits', spkiOf('rsa', 1024)],
  ['more bits', spkiOf('rsa', 3072)],
  ['another exponent', spkiOf('rsa', 2048, 3)],
  ['RSA for PSS alone', spkiOf('rsa-pss')],
  ['a key of another kind', ed25519.toString('base64')],
  ['something behind it', Buffer.concat([der, Buffer.of(0)]).toString('base64')],
  ['a part of it', der.subarray(0, -1).toString('base64')],
  ['the url-safe alphabet', der.toString('base64url')],
  ['white space', ` ${text}`],
  ['PEM', `-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----\n`],
  ['nothing', ''],
  ['far too much', text.repeat(3)],
])('%s is no such key', (_, other) => {
  expect(isRsaPublic(other)).toBe(false);
});

test('what the private key of a new pair signs, the public one verifies', async () => {
  const [one, other] = await Promise.all([createRsaPair(), createRsaPair()]);
  expect(isRsaPublic(one.public)).toBe(true);
  const result = sign('sha256', der, rsaSecretKeyOf(one.privateDer));
  expect(verify('sha256', der, rsaKeyOf(one.public), result)).toBe(true);
  expect(verify('sha256', der, rsaKeyOf(other.public), result)).toBe(false);
});

test('what is no such key is not imported', () => {
  expect(() => rsaKeyOf(spkiOf('rsa', 1024))).toThrow();
});
