/**
 * Invariant 5, between an intent and its reversals: they never undo more than it moved, each has the share that is stated
 * on it, and what is stated agrees with what became of the reversal. Ruling 92.
 */
import { movedClaimsOf } from '../ledger/capture.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { leftOf, type ReversalShare, type ReversalStatus, sharesIn } from '../ledger/reversal.ts';
import { claimsIn } from './claimed.ts';
import type { ItemHistory } from './history.ts';
import { intentAt } from './members.ts';
import { type Finding, type ViolationSubject, violationOf } from './violation.ts';

/** The statement for each status of a reversal; none before it was signed. */
const stated: Readonly<Record<string, ReversalStatus>> = {
  processing: 'reversing',
  prepared: 'reversing',
  committed: 'reversed',
  completed: 'reversed',
};
/** A reversal that fails gives its share back, if it had one. */
const failing: ReadonlySet<string> = new Set(['failed', 'aborted', 'rejected']);
const moved: ReadonlySet<string> = new Set(['committed', 'completed']);

/** Checks the reversals of an intent, and the intent that it reverses itself. */
export function* checkReversals(
  history: ItemHistory,
  { record }: Version,
  subject: ViolationSubject,
): Finding {
  yield* checkUndone(history, record, subject);
  const { handle, reverses } = record.data;
  if (typeof reverses !== 'string') return;
  const undone = intentAt(history, reverses);
  const share = undone && sharesIn(undone.record).find(({ by }) => by === handle);
  yield* checkStated(record, share, subject);
}

/** Checks that no more is undone than was moved, and that each reversal is one. */
function* checkUndone(
  history: ItemHistory,
  record: LedgerRecord,
  subject: ViolationSubject,
): Finding {
  const shares = sharesIn(record);
  if (shares.length === 0) return;
  const { status } = record.meta;
  if (!moved.has(status))
    yield violationOf(5, subject, 'An intent is reversed that has not moved.', {
      expected: 'committed or completed',
      found: status,
    });
  const left = leftOf(record);
  if (left.some((amount) => amount < 0))
    yield violationOf(5, subject, 'More of the intent was reversed than it moved.', {
      expected: 'nothing below zero left of a claim',
      found: left.join(', '),
    });
  for (const share of shares) {
    const reversal = intentAt(history, share.by)?.record;
    if (reversal?.data['reverses'] !== record.data.handle) {
      yield violationOf(5, subject, `The intent ${share.by} is no reversal of it.`);
      continue;
    }
    yield* checkStated(reversal, share, subject);
    yield* checkShare(reversal, share, subject);
  }
}

/** Checks that the share of a reversal is all that it moves. */
function* checkShare(
  reversal: LedgerRecord,
  { by, claims }: ReversalShare,
  subject: ViolationSubject,
): Finding {
  const isReadable = claimsIn(reversal.data) !== undefined;
  const expected = isReadable ? sumOf(movedClaimsOf(reversal)) : 0n;
  const found = sumOf(claims);
  if (expected !== found)
    yield violationOf(5, subject, `The reversal ${by} has another share than it moves.`, {
      expected,
      found,
    });
}

/** Checks that the share of a reversal is the one that its status brings. */
function* checkStated(
  { data, meta }: LedgerRecord,
  share: ReversalShare | undefined,
  subject: ViolationSubject,
): Finding {
  const { status } = meta;
  const expected = stated[status] ?? (failing.has(status) && share ? 'reinstated' : undefined);
  if (share?.status === expected) return;
  yield violationOf(5, subject, `The reversal ${data.handle} is ${status}, and is not stated so.`, {
    expected,
    found: share?.status,
  });
}

function sumOf(claims: readonly { readonly amount: number }[]): bigint {
  return claims.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}
