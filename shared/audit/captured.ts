/**
 * Invariant 5: what the ledger states that a decision captured in part is what the decision says, and possible: a part
 * of claims that hold an amount, each once, which neither a bridge prepared nor a route forwarded. Ruling 87.
 */
import { isSame } from '../ledger/alteration.ts';
import { type Capture, capturesOf } from '../ledger/capture.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Version } from '../ledger/record.ts';
import { claimsIn } from './claimed.ts';
import { isAuthored, isOfLedger } from './proof.ts';
import { type Finding, type ViolationSubject, violationOf } from './violation.ts';
import { isOfStatus } from './word.ts';

const committed = 'committed';

/** Checks what a decision captured. */
export function* checkCaptured(version: Version, subject: ViolationSubject): Finding {
  const { proofs } = version.record.meta;
  const place = proofs.findIndex(
    (proof) =>
      isOfLedger(proof) && isOfStatus(proof.custom ?? {}) && proof.custom?.['status'] === committed,
  );
  const stated = proofs[place]?.custom?.['captured'];
  const before = proofs[place - 1];
  const isDecision = before && isAuthored(before) && before.custom?.['status'] === committed;
  const capture = isDecision ? before.custom?.['capture'] : undefined;
  // A proof of an earlier release may have another meaning of `capture`, which captures nothing in part.
  const expected = possible(capture, version) ?? [];
  if (isSame(stated ?? [], expected)) return;
  yield violationOf(5, subject, 'The ledger states another capture than its decision.', {
    expected,
    found: stated,
  });
}

/** The captures of a decision; undefined when they are not possible. */
function possible(capture: unknown, version: Version): readonly Capture[] | undefined {
  if (capture === undefined || !claimsIn(version.record.data)) return undefined;
  try {
    return capturesOf(capture, version);
  } catch (error) {
    if (error instanceof LedgerError) return undefined;
    throw error;
  }
}
