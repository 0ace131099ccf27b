import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { privateKeyOf } from '../../shared/crypto/key.ts';
import { brokenData } from './broken.ts';

const seed = Buffer.alloc(32, 7);
const key = privateKeyOf(seed);
const encrypted = (cipher: string, native = key) =>
  native.export({ format: 'der', type: 'pkcs8', cipher, passphrase: 'correct horse' });
const sealed = encrypted('aes-256-cbc');

const withSecret = (secret: unknown) => brokenData('signer', { handle: 'ann', secret });
const refused = [['/data/secret', 'format', { format: 'pkcs8-encrypted' }]];

test('a signer may have a key and its format', () => {
  const data = { handle: 'ann', public: 'A'.repeat(44), format: 'ed25519-raw' };
  expect(brokenData('signer', data)).toEqual([]);
});

test('a format is one that can be verified', () => {
  expect(brokenData('signer', { handle: 'ann', public: 5, format: 'rsa-2048' })).toEqual([
    ['/data/public', 'type', { type: 'string' }],
    ['/data/format', 'const', { allowedValue: 'ed25519-raw' }],
  ]);
});

describe('an encrypted private key is kept', () => {
  test.each(['aes-128-cbc', 'aes-192-cbc', 'aes-256-cbc', 'des-ede3-cbc'])('under %s', (cipher) => {
    const secret = encrypted(cipher).toString('base64');
    expect(withSecret(secret)).toEqual([]);
    const input = { key: Buffer.from(secret, 'base64'), passphrase: 'correct horse' };
    const opened = createPrivateKey({ ...input, format: 'der', type: 'pkcs8' });
    expect(opened.equals(key)).toBe(true);
  });

  test('of other kinds and sizes', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(withSecret(encrypted('aes-256-cbc', privateKey).toString('base64'))).toEqual([]);
  });
});

describe('a secret that the service could read is refused:', () => {
  const pkcs8 = key.export({ format: 'der', type: 'pkcs8' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;

  test.each<[string, Buffer]>([
    ['32 bytes', seed],
    [
      '32 bytes that begin like DER',
      Buffer.concat([Buffer.from('301e300c0400', 'hex'), seed]).subarray(0, 32),
    ],
    ['64 bytes', Buffer.alloc(64, 1)],
    ['PKCS#8', pkcs8],
    ['PKCS#8 of an RSA key', rsa.export({ format: 'der', type: 'pkcs8' })],
    ['PKCS#1', rsa.export({ format: 'der', type: 'pkcs1' })],
    ['PEM', Buffer.from(key.export({ format: 'pem', type: 'pkcs8' }) as string)],
    [
      'an encrypted PEM',
      Buffer.from(
        key.export({
          format: 'pem',
          type: 'pkcs8',
          cipher: 'aes-256-cbc',
          passphrase: 'x',
        }) as string,
      ),
    ],
    ['a public key', createPublicKey(key).export({ format: 'der', type: 'spki' })],
    ['an encrypted key with something behind it', Buffer.concat([sealed, Buffer.from([0])])],
    ['an encrypted key with the plain one behind it', Buffer.concat([sealed, pkcs8])],
    ['an encrypted key that was cut off', sealed.subarray(0, -1)],
    ['only the beginning of one', sealed.subarray(0, 1)],
    ['an empty sequence', Buffer.from('3000', 'hex')],
    ['an encrypted key of no bytes', Buffer.from('3004' + '3000' + '0400', 'hex')],
    ['a number and a key', Buffer.from(`30250201010420${seed.toString('hex')}`, 'hex')],
    [
      'a plain key inside an encrypted one',
      Buffer.from('3008' + '3000' + '0401aa' + '0401bb', 'hex'),
    ],
    ['a sequence longer than it says', Buffer.from('3004' + '3000' + '0401aa', 'hex')],
    ['a sequence shorter than it says', Buffer.from('3006' + '3000' + '0401aa', 'hex')],
  ])('%s', (_, bytes) => {
    expect(withSecret(bytes.toString('base64'))).toEqual(refused);
  });

  test('one key in another text of the same bytes', () => {
    const text = Buffer.from('3005' + '3000' + '0401aa', 'hex').toString('base64');
    expect(withSecret(text)).toEqual([]);
    expect(withSecret(text.replace('qg==', 'qh=='))).toEqual(refused);
  });

  test('nothing at all', () => expect(withSecret('')).toEqual(refused));
});

describe('a secret is base64', () => {
  const pattern = {
    pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  };

  test.each([
    ['hexadecimal', sealed.toString('hex').slice(0, 63)],
    ['base64url', Buffer.from([0x30, 0xff, 0xfe, 0xff, 0xff, 0xff]).toString('base64url')],
    ['with a line break', `${sealed.toString('base64')}\n`],
    ['without padding', 'MAA'],
  ])('and not %s', (_, secret) => {
    expect(withSecret(secret)).toContainEqual(['/data/secret', 'pattern', pattern]);
  });

  test('of at most 8192 characters', () => {
    const long = derOf(6144).toString('base64');
    expect(long).toHaveLength(8192);
    expect(withSecret(long)).toEqual([]);
    const longer = derOf(6147).toString('base64');
    expect(withSecret(longer)).toEqual([['/data/secret', 'maxLength', { limit: 8192 }]]);
  });

  test('and a text', () => {
    expect(withSecret(5)).toEqual([['/data/secret', 'type', { type: 'string' }]]);
    expect(withSecret(null)).toEqual([['/data/secret', 'type', { type: 'string' }]]);
  });
});

/** An `EncryptedPrivateKeyInfo` of so many bytes: an empty algorithm, and noise. */
function derOf(byteCount: number): Buffer {
  const wrap = (tag: number, content: Buffer) => {
    const head = Buffer.from([tag, 0x82, 0, 0]);
    head.writeUInt16BE(content.length, 2);
    return Buffer.concat([head, content]);
  };
  const empty = Buffer.from([0x30, 0x00]);
  return wrap(0x30, Buffer.concat([empty, wrap(0x04, Buffer.alloc(byteCount - 10, 1))]));
}
