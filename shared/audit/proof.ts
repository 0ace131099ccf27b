/** Distinguishing proofs of authors from those of the ledger, and comparing proofs. */
import type { Proof } from '../shape/proof.ts';

/** True for the proof of an author: proofs of the ledger have no origin. Ruling 9. */
export function isAuthored({ origin }: Proof): boolean {
  return origin !== undefined;
}

export function isOfLedger(proof: Proof): boolean {
  return !isAuthored(proof);
}

/** True for equal proofs; the digest stands for the statement. */
export function isSameProof(one: Proof, other: Proof | undefined): boolean {
  return (
    one.public === other?.public &&
    one.digest === other.digest &&
    one.result === other.result &&
    one.signer === other.signer &&
    one.origin === other.origin
  );
}
