/**
 * The keyring of the offline runtime: a master key in a file that only its owner can read, and
 * AES-256-GCM under it. The ledger's handle is authenticated with each secret, so that a wrapped key
 * cannot be moved to another ledger.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Keyring } from '../action/ports.ts';

const cipher = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Makes the master key file when there is none; owner only. Returns whether it was made. */
export function makeMasterKey(path: string): boolean {
  try {
    writeFileSync(path, randomBytes(keyBytes), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A keyring under the master key of a file. Wrapped: nonce, tag, ciphertext. NIST SP 800-38D. */
export function localKeyring(path: string): Keyring {
  const master = readFileSync(path);
  if (master.length !== keyBytes)
    throw new Error(
      `The master key file ${path} holds ${master.length} bytes instead of ${keyBytes}.`,
    );
  return {
    wrap: async (secret, context) => {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, master, nonce).setAAD(Buffer.from(context, 'utf8'));
      const text = Buffer.concat([sealing.update(secret), sealing.final()]);
      return Buffer.concat([nonce, sealing.getAuthTag(), text]);
    },
    unwrap: async (wrapped, context) => {
      const bytes = Buffer.from(wrapped);
      const nonce = bytes.subarray(0, nonceBytes);
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
      const opening = createDecipheriv(cipher, master, nonce, { authTagLength: tagBytes })
        .setAAD(Buffer.from(context, 'utf8'))
        .setAuthTag(tag);
      return Buffer.concat([
        opening.update(bytes.subarray(nonceBytes + tagBytes)),
        opening.final(),
      ]);
    },
  };
}
