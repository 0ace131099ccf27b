/**
 * Ed25519 keys: from their text to the native key that verifies.
 *
 * Node before 24, by its OpenSSL, accepts forged signatures under public keys of small order and under non-canonical
 * encodings. Node's base64 decoder also accepts many texts for the same bytes. This file refuses both: one key has one text, and a
 * key that anyone could sign for is invalid. What it takes, every Node and every verifier takes. Ruling 7, Decision 153.
 */

import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { edwards } from '@noble/curves/abstract/edwards.js';
import { assert } from '../ledger/assert.ts';
import { cached } from './cache.ts';

const publicByteCount = 32;
const resultByteCount = 64;
const seedByteCount = 32;

/** The curve of ed25519. Only the check of points uses it; OpenSSL verifies the signatures. RFC 8032 5.1. */
const Point = edwards({
  p: 2n ** 255n - 19n,
  n: 2n ** 252n + 27742317777372353535851937790883648493n,
  h: 8n,
  a: 2n ** 255n - 20n,
  d: 37095705934669439343138083508754565189542113879843219016388785533085940283555n,
  Gx: 15112221349535400772501151409588531511454012693041857206046113283949847762202n,
  Gy: 46316835694926478169428394003475163141307993866256225615783033603165251855960n,
});
/** The encodings of the eight points of small order: the multiples of one of them. RFC 8032 5.1.2. */
const ofOrder8 = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');
const smallOrderPoints = new Set(
  Array.from({ length: 8 }, (_, times) => ofOrder8.multiplyUnsafe(BigInt(times)).toHex()),
);

/** The most keys that stay imported. One takes about 1 KB. */
const keyCountMax = 10_000;

// The DER bytes before the 32 raw bytes. RFC 8410 4 and 7.
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** True for canonical base64 of 32 bytes, which has 44 characters. */
export function isPublicText(text: string): boolean {
  return isBase64Of(text, publicByteCount);
}

/** True for canonical base64 of 64 bytes, which has 88 characters. */
export function isResultText(text: string): boolean {
  return isBase64Of(text, resultByteCount);
}

/**
 * True for bytes that may be a signature. One whose R is of small order is taken by Node 22 and before, and refused by
 * Node 24: whoever holds a key can make one, and nobody makes one by chance. Decision 153.
 */
export function isResult(bytes: Uint8Array): boolean {
  const r = Buffer.from(bytes.subarray(0, publicByteCount));
  return !smallOrderPoints.has(r.toString('hex'));
}

/** True for a key that only the holder of its secret can sign for. Ruling 7. */
export function isValidPublic(publicText: string): boolean {
  return isPublicText(publicText) && importedKeyOf(publicText) !== undefined;
}

/** The native key of a text that passed `isValidPublic`; any other text is a bug of the caller. */
export function keyOf(publicText: string): KeyObject {
  assert(isPublicText(publicText), 'a public key is imported from its canonical text');
  const key = importedKeyOf(publicText);
  assert(key !== undefined, 'only a valid public key is imported');
  return key;
}

/** The native private key of 32 secret bytes. */
export function privateKeyOf(seed: Uint8Array): KeyObject {
  assert(seed.length === seedByteCount, 'a seed has 32 bytes');
  const der = Buffer.concat([pkcs8Prefix, seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/**
 * The text of the public key that belongs to 32 secret bytes.
 *
 * @example
 * publicOf(new Uint8Array(32).fill(1)) // 'iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w='
 */
export function publicOf(seed: Uint8Array): string {
  const der = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' });
  return der.subarray(spkiPrefix.length).toString('base64');
}

export function createSeed(): Uint8Array {
  return randomBytes(seedByteCount);
}

// Refused keys are cached too, so that repeating one costs the service less than its sender.
const importedKeyOf = cached(keyCountMax, (publicText: string): KeyObject | undefined => {
  const bytes = Buffer.from(publicText, 'base64');
  if (!isSafePoint(bytes)) return undefined;
  const der = Buffer.concat([spkiPrefix, bytes]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
});

/** Decodes as RFC 8032 5.1.3 demands (y below p, no negative zero), and refuses points of small order. */
function isSafePoint(bytes: Uint8Array): boolean {
  try {
    return !Point.fromBytes(bytes, false).isSmallOrder();
  } catch {
    return false;
  }
}

/** True for the canonical base64 of so many bytes. RFC 4648 3.5 and 4. */
export function isBase64Of(text: string, byteCount: number): boolean {
  if (text.length !== 4 * Math.ceil(byteCount / 3)) return false;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === byteCount && bytes.toString('base64') === text;
}
