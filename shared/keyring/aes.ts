/**
 * AES-256-GCM under one key. The context of a secret is authenticated with it, so that a wrapped key cannot be moved to
 * another ledger.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keyring } from '../port/ports.ts';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** A keyring under a key of 32 bytes. A wrapped secret is nonce, tag and ciphertext. NIST SP 800-38D. */
export function aesKeyring(master: Uint8Array): Keyring {
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
