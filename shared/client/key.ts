/** Keys in memory. A key that must not leave its vault is a `ProofSigner` of its own. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesIn, type ProofSigner, toBase64 } from './digest.ts';

const seedByteCount = 32;

/** A signer whose secret is in memory. The secret is no member, so that printing or storing it shows none. */
export interface MemoryKey extends ProofSigner {
  /** The 32 secret bytes in base64, as key files hold them. */
  readonly exportSecret: () => string;
}

/** A new key. */
export function newKey(): MemoryKey {
  return keyOfSeed(ed25519.utils.randomSecretKey());
}

/** The key of a secret: base64 of its 32 bytes. Throws a `TypeError` for any other text, without the text. */
export function keyFrom(secret: string): MemoryKey {
  const seed = bytesIn(secret.trim(), seedByteCount);
  if (!seed) throw new TypeError('A secret is the base64 of 32 bytes.');
  return keyOfSeed(seed);
}

function keyOfSeed(seed: Uint8Array): MemoryKey {
  return {
    public: toBase64(ed25519.getPublicKey(seed)),
    sign: (bytes) => ed25519.sign(bytes, seed),
    exportSecret: () => toBase64(seed),
  };
}
