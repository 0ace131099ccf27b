/**
 * A keyring under a passphrase, for keys in an exported file. scrypt (RFC 7914) derives the key slowly, which makes
 * guessing expensive; the cost is that of OWASP's Password Storage Cheat Sheet.
 */
import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Keyring } from '../port/ports.ts';
import { aesKeyring } from './aes.ts';

const keyBytes = 32;
const saltBytes = 16;
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 } as const;

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

export function newSalt(): Uint8Array {
  return randomBytes(saltBytes);
}

/** Derives the keyring; the salt is stored with what it wraps. */
export async function passphraseKeyring(passphrase: string, salt: Uint8Array): Promise<Keyring> {
  return aesKeyring(await derive(passphrase.normalize('NFKC'), salt, keyBytes, cost));
}
