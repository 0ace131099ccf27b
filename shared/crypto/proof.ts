/**
 * Signs and verifies proofs: signatures over a digest. Verification is native, some fifteen times faster than
 * JavaScript; `key.ts` checks the keys first. Ruling 7.
 */

import { type KeyObject, sign as nativeSign, verify as nativeVerify } from 'node:crypto';
import { promisify } from 'node:util';
import { LedgerError } from '../ledger/errors.ts';
import type { Proof } from '../shape/proof.ts';
import { digestOf } from './digest.ts';
import { isResult, isResultText, isValidPublic, keyOf } from './key.ts';
import { signsInPool } from './pool.ts';

/** The signed and checked parts of a proof. `signer` and `origin` are not among them. Rulings 4 and 9. */
type CheckedProof = Pick<Proof, 'public' | 'digest' | 'result'> & {
  readonly custom?: Readonly<Record<string, unknown>> | undefined;
};

/** The text of a public key, and its private key. */
export interface SigningKey {
  readonly public: string;
  readonly privateKey: KeyObject;
  /** Signs in place of the private key. */
  readonly sign?: (bytes: Uint8Array) => string;
}

const signInPool = promisify(nativeSign);
const verifyInPool = promisify(nativeVerify);

/** The first mistake of a proof, in this order. */
type ProofDefectName = 'digest' | 'public' | 'result' | 'signature';

/**
 * Signs a hash and, when it is given, a `custom`. Rulings 3 and 4.
 *
 * @example
 * const privateKey = secretKeyOf(seed);
 * sign(hashOf(data), { moment }, { public: publicOf(seed), privateKey });
 */
export function sign(
  hash: string,
  custom: Readonly<Record<string, unknown>> | undefined,
  key: SigningKey,
): Proof {
  const digest = digestOf(hash, custom);
  return proofOf(digest, custom, key, signBytes(Buffer.from(digest, 'hex'), key));
}

/** The proof that `sign` makes, on a thread of Node's pool while requests meet. */
export async function signAsync(
  hash: string,
  custom: Readonly<Record<string, unknown>> | undefined,
  key: SigningKey,
): Promise<Proof> {
  const digest = digestOf(hash, custom);
  return proofOf(digest, custom, key, await signBytesAsync(Buffer.from(digest, 'hex'), key));
}

function proofOf(
  digest: string,
  custom: Readonly<Record<string, unknown>> | undefined,
  key: SigningKey,
  result: string,
): Proof {
  const proof: Proof = { method: 'ed25519-v2', public: key.public, digest, result };
  return custom === undefined ? proof : { ...proof, custom };
}

/** The ed25519 signature of bytes, in base64. RFC 8032 5.1.6. */
export function signBytes(bytes: Uint8Array, key: SigningKey): string {
  return key.sign?.(bytes) ?? nativeSign(null, bytes, key.privateKey).toString('base64');
}

/** The same, on a thread of Node's pool while requests meet. */
export async function signBytesAsync(bytes: Uint8Array, key: SigningKey): Promise<string> {
  if (key.sign || !signsInPool()) return signBytes(bytes, key);
  return (await signInPool(null, bytes, key.privateKey)).toString('base64');
}

/** True when the holder of a key signed these bytes. The key is one that `isValidPublic`. */
export function isSignedBytes(bytes: Uint8Array, result: Uint8Array, publicText: string): boolean {
  return isResult(result) && nativeVerify(null, bytes, keyOf(publicText), result);
}

/** The same, on a thread of Node's pool. */
async function isSignedInPool(
  bytes: Uint8Array,
  result: Uint8Array,
  publicText: string,
): Promise<boolean> {
  return isResult(result) && verifyInPool(null, bytes, keyOf(publicText), result);
}

/** True when the proof signs this hash. */
export function verify(hash: string, proof: CheckedProof): boolean {
  return textDefectOf(hash, proof) === undefined && isSignedBytes(...signedPartsOf(proof));
}

/** Rejects with `crypto.signature-missing` without proofs, and `crypto.signature-invalid` for the first wrong one. */
export async function assertProofs(hash: string, proofs: readonly CheckedProof[]): Promise<void> {
  if (proofs.length === 0) {
    throw new LedgerError('crypto.signature-missing', 'Ledger mutations must be signed.');
  }
  for (const [index, proof] of proofs.entries()) {
    const defect = textDefectOf(hash, proof) ?? (await signatureDefectOf(proof));
    if (defect !== undefined) throw invalid(proof, defect, index);
  }
}

/** Checks that a key has signed a digest, whatever the digest is of. Rejects with `crypto.signature-invalid`. Decision 41. */
export async function assertSigned(proof: CheckedProof): Promise<void> {
  const defect = keyDefectOf(proof) ?? (await signatureDefectOf(proof));
  if (defect !== undefined) throw invalid(proof, defect);
}

/** Checks that the digest of a proof, whose signature `assertSigned` has checked, is of this hash. Throws `crypto.signature-invalid`. */
export function assertDigest(hash: string, proof: CheckedProof): void {
  if (!isDigestOf(hash, proof)) throw invalid(proof, 'digest');
}

function invalid(proof: CheckedProof, fault: ProofDefectName, index = 0): LedgerError {
  const detail = `Invalid signature for key: ${proof.public}`;
  return new LedgerError('crypto.signature-invalid', detail, { index, fault });
}

function textDefectOf(hash: string, proof: CheckedProof): ProofDefectName | undefined {
  return isDigestOf(hash, proof) ? keyDefectOf(proof) : 'digest';
}

/** True for a digest of this hash. It may arrive in either case, as a hash may; its 32 bytes are signed. */
export function isDigestOf(hash: string, { digest, custom }: CheckedProof): boolean {
  return digest.toLowerCase() === digestOf(hash, custom);
}

function keyDefectOf(proof: CheckedProof): ProofDefectName | undefined {
  if (!isValidPublic(proof.public)) return 'public';
  return isResultText(proof.result) ? undefined : 'result';
}

/** Verifies, on a thread of Node's pool while requests meet. */
async function signatureDefectOf(proof: CheckedProof): Promise<ProofDefectName | undefined> {
  const parts = signedPartsOf(proof);
  const isSigned = signsInPool() ? await isSignedInPool(...parts) : isSignedBytes(...parts);
  return isSigned ? undefined : 'signature';
}

/** Digest, signature, and the text of the key. */
function signedPartsOf(proof: CheckedProof): [Buffer, Buffer, string] {
  return [Buffer.from(proof.digest, 'hex'), Buffer.from(proof.result, 'base64'), proof.public];
}
