/**
 * A keyring under a passphrase, for keys that leave their server: scrypt makes the key of it, slowly, so that guessing
 * costs. RFC 7914; the cost is what OWASP's Password Storage Cheat Sheet asks for.
 */
import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Keyring } from '../port/ports.ts';
import { aesKeyring } from './aes.ts';

const keyBytes = 32;
const saltBytes = 16;
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 } as const;

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

/** A salt that was never used before. */
export function newSalt(): Uint8Array {
  return randomBytes(saltBytes);
}

/** A keyring that whoever knows the passphrase and the salt can make. */
export async function passphraseKeyring(passphrase: string, salt: Uint8Array): Promise<Keyring> {
  return aesKeyring(await derive(passphrase.normalize('NFKC'), salt, keyBytes, cost));
}
