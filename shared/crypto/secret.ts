/**
 * Secrets that the ledger issues once and then only recognizes. Each has 256 random bits, which cannot be guessed, so a
 * salted hash protects it as well as a slow password hash would. Ruling 28, Decision 23.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const secretByteCount = 32;
const saltByteCount = 16;
const nameByteCount = 16;

/** The stored form of a secret. */
export interface SaltedHash {
  readonly salt: Uint8Array;
  /** sha256 of the salt and the secret. */
  readonly hash: Uint8Array;
}

/** A new secret: 43 characters of the URL-safe alphabet. */
export function createSecret(): string {
  return randomBytes(secretByteCount).toString('base64url');
}

/** A new, unique `clientId`: 22 characters. Ruling 28. */
export function createClientId(): string {
  return randomBytes(nameByteCount).toString('base64url');
}

/** The stored form of a secret, with a new salt by default. */
export function saltedHashOf(
  secret: string,
  salt: Uint8Array = randomBytes(saltByteCount),
): SaltedHash {
  return { salt, hash: createHash('sha256').update(salt).update(secret, 'utf8').digest() };
}

/** True for the right secret. Compares in constant time, so that the duration reveals nothing. */
export function isSecretOf(secret: string, { salt, hash }: SaltedHash): boolean {
  const { hash: own } = saltedHashOf(secret, salt);
  return own.length === hash.length && timingSafeEqual(own, hash);
}

/** The encryption context of a wrapped secret, which makes it useless for another ledger, record or name. */
export function contextOfSecret(ledger: string, luid: string, name: string): string {
  return `${ledger} ${luid} ${name}`;
}
