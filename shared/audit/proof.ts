/** Whose proofs they are, and which are the same. */
import type { Proof } from '../shape/proof.ts';

/** Whether the proof is by an author: what the ledger says itself has no origin. Ruling 9. */
export function isAuthored({ origin }: Proof): boolean {
  return origin !== undefined;
}

/** Whether the ledger says it. */
export function isOfLedger(proof: Proof): boolean {
  return !isAuthored(proof);
}

/** Whether two proofs are one; the digest stands for what they say. */
export function isSameProof(one: Proof, other: Proof | undefined): boolean {
  return (
    one.public === other?.public &&
    one.digest === other.digest &&
    one.result === other.result &&
    one.signer === other.signer &&
    one.origin === other.origin
  );
}
