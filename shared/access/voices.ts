/** Who else asked for the same: the proofs that count together towards a quorum. Decision 28. */
import { sameAs } from '../ledger/compare.ts';
import type { Aspect } from '../ledger/policy.ts';
import type { Version } from '../ledger/record.ts';
import type { Proof } from '../shape/proof.ts';

/**
 * The proofs of authors over the current data that ask for the same as this one and are not used up: those
 * that came after the status, or the labels, last changed.
 */
export function voicesFor(previous: Version, proof: Proof, aspect: Aspect): Proof[] {
  const used = previous.counted?.[aspect] ?? 0;
  const isSame = sameAs(proof.custom?.[aspect]);
  return previous.record.meta.proofs
    .slice(used)
    .filter(({ origin, custom }) => origin !== undefined && isSame(custom?.[aspect]));
}
