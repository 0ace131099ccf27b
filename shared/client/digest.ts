/**
 * The hashes and signatures of the contract for every platform: nothing of Node is imported. `shared/crypto` does the same
 * natively for the service; one set of vectors holds both. Rulings 1 to 4 and 7.
 */
import { ed25519 } from '@noble/curves/ed25519.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { canonicalOf } from '../crypto/canonical.ts';
import { hexOfText } from '../log/sha256.ts';
import type { Proof } from '../shape/proof.ts';

const hashPattern = /^[0-9a-f]{64}$/;
const publicByteCount = 32;
const resultByteCount = 64;

/** A holder of a private key: a key in memory, or a service that signs, such as a KMS or an HSM. */
export interface ProofSigner {
  /** The public key: base64 of its 32 bytes. */
  readonly public: string;
  /** The ed25519 signature of these bytes, 64 bytes long. RFC 8032 5.1.6. */
  readonly sign: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

/** The content of a proof beside its signature: members of the contract, and the author's own. */
export type ProofCustom = Readonly<Record<string, unknown>>;

/** The hash of some data: hex sha256 of its canonical JSON. Ruling 2. */
export function hashOf(data: unknown): string {
  return hexOfText(canonicalOf(data));
}

/** The digest that a proof signs: hex sha256 of the hash text and the canonical JSON of `custom`. Ruling 3. */
export function digestOf(hash: string, custom?: ProofCustom): string {
  return hexOfText(hash.toLowerCase() + (custom === undefined ? '' : canonicalOf(custom)));
}

/** Signs a hash and, when it is given, a `custom`. Rulings 3 and 4. */
export async function prove(
  hash: string,
  custom: ProofCustom | undefined,
  signer: ProofSigner,
): Promise<Proof> {
  const digest = digestOf(hash, custom);
  const result = toBase64(await signer.sign(hexToBytes(digest)));
  const proof = { method: 'ed25519-v2', public: signer.public, digest, result } as const;
  return custom === undefined ? proof : { ...proof, custom };
}

/** True when the proof signs this hash. */
export function isProofOf(hash: string, proof: Proof): boolean {
  const digest = digestOf(hash, proof.custom);
  return (
    hashPattern.test(digest) &&
    proof.digest.toLowerCase() === digest &&
    isSigned(hexToBytes(digest), proof.result, proof.public)
  );
}

/**
 * True when the holder of a public key signed these bytes. Keys and signatures must be canonical base64. Keys of small
 * order, for which anyone could sign, are refused, and so is an R of small order, which not all verifiers take. Ruling 7,
 * Decision 153.
 */
export function isSigned(bytes: Uint8Array, result: string, publicText: string): boolean {
  const [signature, key] = [bytesIn(result, resultByteCount), bytesIn(publicText, publicByteCount)];
  if (!signature || !key) return false;
  try {
    const r = ed25519.Point.fromBytes(signature.subarray(0, publicByteCount));
    return !r.isSmallOrder() && ed25519.verify(signature, bytes, key, { zip215: false });
  } catch {
    return false;
  }
}

/** The bytes of a canonical base64 text of this length; undefined for any other text. RFC 4648 3.5 and 4. */
export function bytesIn(text: string, byteCount: number): Uint8Array | undefined {
  if (text.length !== 4 * Math.ceil(byteCount / 3)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    return bytes.length === byteCount && toBase64(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
