import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createSeed,
  isPublicText,
  isResultText,
  isValidPublic,
  keyOf,
  privateKeyOf,
  publicOf,
} from '../../shared/crypto/key.ts';
import wire from '../vectors/wire.json' with { type: 'json' };

const { A, B } = wire.keys;
const result = wire.records[0]?.proof.result ?? '';
const seedOf = (secret: string) => Buffer.from(secret, 'base64');

/** Texts that Node's decoder reads as the same bytes, or nearly. */
function lenientTexts(text: string): readonly (readonly [name: string, text: string])[] {
  const urlSafe = text.replaceAll('+', '-').replaceAll('/', '_');
  const unpadded = text.replace(/=+$/, '');
  const lastChar = unpadded.at(-1) ?? '';
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const neighbour = alphabet.charAt(alphabet.indexOf(lastChar) + 1);
  return [
    ['the url-safe alphabet', urlSafe],
    ['missing padding', unpadded],
    [
      'padding that is replaced by a space',
      `${unpadded}${' '.repeat(text.length - unpadded.length)}`,
    ],
    ['too much padding', `${text}=`],
    ['white space before', ` ${text}`],
    ['white space after', `${text}\n`],
    ['white space within', `${text.slice(0, 8)} ${text.slice(8)}`],
    ['a junk character within', `${text.slice(0, 8)}*${text.slice(8)}`],
    ['other trailing bits', `${unpadded.slice(0, -1)}${neighbour}${text.slice(unpadded.length)}`],
    ['one byte less', seedOf(text).subarray(1).toString('base64')],
    ['one byte more', Buffer.concat([seedOf(text), Buffer.of(0)]).toString('base64')],
    ['nothing', ''],
    ['hex', seedOf(text).toString('hex')],
  ];
}

describe('the text of a public key', () => {
  test('is accepted', () => expect(isPublicText(B.public)).toBe(true));

  test.each(lenientTexts(B.public))('is refused with %s', (_, text) => {
    expect(text).not.toBe(B.public);
    expect(isPublicText(text)).toBe(false);
    expect(isValidPublic(text)).toBe(false);
  });

  test('of as many characters but 33 bytes is refused', () => {
    expect(isPublicText('A'.repeat(44))).toBe(false);
  });
});

describe('the text of a signature', () => {
  test('is accepted', () => expect(isResultText(result)).toBe(true));

  test.each(lenientTexts(result))('is refused with %s', (_, text) => {
    expect(text).not.toBe(result);
    expect(isResultText(text)).toBe(false);
  });
});

describe('a public key', () => {
  test.each([A, B])('of a signer is valid', (key) => expect(isValidPublic(key.public)).toBe(true));

  test.each(wire.mustReject.smallOrderPublicKeys)('of small order is refused: %s', (text) => {
    expect(isPublicText(text)).toBe(true);
    expect(isValidPublic(text)).toBe(false);
  });

  test.each(wire.mustReject.nonCanonicalPublicKeys)('not canonical is refused: %s', (text) => {
    expect(isPublicText(text)).toBe(true);
    expect(isValidPublic(text)).toBe(false);
  });

  test('with a negative zero is refused', () => {
    const minusIdentity = Buffer.alloc(32);
    minusIdentity.writeUInt8(1, 0);
    minusIdentity.writeUInt8(0x80, 31);
    expect(isValidPublic(minusIdentity.toString('base64'))).toBe(false);
  });

  test('off the curve is refused', () => {
    expect(isValidPublic(Buffer.alloc(32, 2).toString('base64'))).toBe(false);
  });

  test('is imported once', () => expect(keyOf(A.public)).toBe(keyOf(A.public)));

  test.each([
    ['of small order', wire.mustReject.smallOrderPublicKeys[0] ?? ''],
    ['in another text', ` ${A.public}`],
  ])('%s is not imported', (_, text) => {
    expect(() => keyOf(text)).toThrow('Broken assertion');
  });
});

describe('a secret', () => {
  test.each([A, B])('has the published public key', ({ public: publicText, secret }) => {
    expect(publicOf(seedOf(secret))).toBe(publicText);
  });

  test('is 32 bytes', () => {
    expect(() => privateKeyOf(new Uint8Array(31))).toThrow('Broken assertion');
    expect(() => publicOf(new Uint8Array(33))).toThrow('Broken assertion');
  });

  test('is new each time', () => {
    expect(createSeed()).toHaveLength(32);
    expect(createSeed()).not.toEqual(createSeed());
  });

  test('always has a valid public key', () => {
    const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(isValidPublic(publicOf(seed))).toBe(true);
      }),
    );
  });
});
