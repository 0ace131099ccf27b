/**
 * Secrets that the ledger hands out once and then only recognizes. Each is 256 random bits: nobody can
 * guess one, so that one salted hash keeps it as well as a slow one would. Ruling 28, Decision 23.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const secretByteCount = 32;
const saltByteCount = 16;
const nameByteCount = 16;

/** What is kept of a secret. */
export interface SaltedHash {
  readonly salt: Uint8Array;
  /** sha256 of the salt and the secret. */
  readonly hash: Uint8Array;
}

/** A new secret, as text: 43 characters of the URL-safe alphabet. */
export function createSecret(): string {
  return randomBytes(secretByteCount).toString('base64url');
}

/** A new name for who has such a secret: 22 characters, never given before. Ruling 28. */
export function createClientId(): string {
  return randomBytes(nameByteCount).toString('base64url');
}

/** What is kept of a secret; with another salt it is something else. */
export function saltedHashOf(
  secret: string,
  salt: Uint8Array = randomBytes(saltByteCount),
): SaltedHash {
  return { salt, hash: createHash('sha256').update(salt).update(secret, 'utf8').digest() };
}

/** Whether this is the secret; how long that takes says nothing about it. */
export function isSecretOf(secret: string, { salt, hash }: SaltedHash): boolean {
  const { hash: own } = saltedHashOf(secret, salt);
  return own.length === hash.length && timingSafeEqual(own, hash);
}

/** What a wrapped secret is bound to: it is of no use to another ledger, record or name. */
export function contextOfSecret(ledger: string, luid: string, name: string): string {
  return `${ledger} ${luid} ${name}`;
}
