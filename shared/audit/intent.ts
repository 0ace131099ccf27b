/**
 * Invariant 5: an intent goes through its statuses in order and reaches one end, once. All else that can be checked of
 * an intent and its thread alone is checked here as well. Rulings 46 to 48.
 */
import { expiryOf, isAhead, isFinal, isUndecided, watchedFrom } from '../ledger/intent.ts';
import { changesOf, type Version } from '../ledger/record.ts';
import { checkAccepted, checkCarried } from './accepted.ts';
import { checkCaptured } from './captured.ts';
import { pairsOf } from './chain.ts';
import { checkEntries } from './claimed.ts';
import { currentOf, type ItemHistory, isByLedger, versionsOf } from './history.ts';
import { membersOf } from './members.ts';
import { subjectOf } from './place.ts';
import { isOfLedger } from './proof.ts';
import { checkReplay } from './replay.ts';
import { checkReversals } from './reversal.ts';
import { checkThread, isWhole } from './thread.ts';
import { checkTimes } from './times.ts';
import { type Finding, type ViolationSubject, violationOf } from './violation.ts';
import { isForwarded, statusesIn, wordsOf } from './word.ts';

/** The statuses that may follow each status. Ruling 46. */
const following: Readonly<Record<string, readonly string[]>> = {
  '': ['pending'],
  pending: ['processing', 'prepared', 'failed', 'aborted'],
  processing: ['prepared', 'failed', 'aborted'],
  prepared: ['committed', 'failed', 'aborted'],
  committed: ['completed'],
  failed: ['aborted'],
  aborted: ['rejected'],
};

/** The longest time from expiry to the end of an intent, in milliseconds: some rounds of the sweeper. */
const sweepMsMax = 10 * 60_000;

/** Checks the statuses and entries of an intent. */
export function* checkIntent(history: ItemHistory): Finding {
  const last = versionsOf(history).at(-1);
  if (!last || history.kind !== 'intent') return;
  const subject = subjectOf(history);
  const words = wordsOf(last);
  const statuses = statusesIn(words);
  const disorder = [...checkOrder(statuses, subject), ...checkAccepted(last, subject)];
  yield* disorder;
  yield* checkBridgeOwner(history, last, subject);
  if (words[0]?.['luid'] !== history.luid)
    yield violationOf(5, subject, 'The first word of the ledger is about another intent.', {
      expected: history.luid,
      found: words[0]?.['luid'],
    });
  // A forwarded intent expires with the first of its thread.
  const mayWait = isUndecided(last.record) && !isForwarded(last.record);
  if (mayWait && expiryOf(last.record) === undefined)
    yield violationOf(5, subject, 'The intent waits, and nothing says until when.');
  for (const [version, previous] of pairsOf(history)) {
    yield* checkChanges(version, subject);
    if (previous) yield* checkCarried(version, previous, { ...subject, change: version.change });
  }
  yield* checkEntries(last, subject);
  yield* checkCaptured(last, subject);
  yield* checkTimes(last, subject);
  yield* checkThread(history, last, subject);
  yield* checkReversals(history, last, subject);
  // The first intent of a thread answers for all.
  if (disorder.length === 0 && !isForwarded(last.record) && isWhole(history, last))
    yield* checkReplay(membersOf(history), subject);
}

/** Checks that an expired intent has ended, and that one whose moment has come takes effect. Rulings 50 and 89. */
export function* checkExpiry(history: ItemHistory, nowMs: number): Finding {
  const last = history.kind === 'intent' ? currentOf(history) : undefined;
  const due = last && isUndecided(last.record) ? watchedFrom(last.record) : undefined;
  if (!last || due === undefined || Date.parse(due) + sweepMsMax > nowMs) return;
  const isLate = isAhead(last.record);
  const fact = isLate
    ? 'The moment of the intent has passed, and nobody begins it.'
    : 'The intent has waited for too long, and nobody ends it.';
  yield violationOf(5, subjectOf(history), fact, {
    expected: `${isLate ? 'a beginning' : 'an end'} soon after ${due}`,
    found: last.record.meta.status,
  });
}

/** Checks that statements of the ledger are signed with its key. */
function* checkBridgeOwner(
  history: ItemHistory,
  { record }: Version,
  subject: ViolationSubject,
): Finding {
  const { systemKeys = [] } = history;
  const strange = record.meta.proofs.find(
    (proof) => isOfLedger(proof) && !isByLedger(history, proof),
  );
  if (strange && systemKeys.length > 0)
    yield violationOf(3, subject, "A proof of the ledger is not by the ledger's key.", {
      expected: systemKeys.at(-1)?.public,
      found: strange.public,
    });
}

function* checkOrder(statuses: readonly string[], subject: ViolationSubject): Finding {
  const ends = statuses.filter(isFinal);
  if (ends.length > 1) {
    yield violationOf(5, subject, 'The intent reaches an end more than once.', {
      expected: 'one final status',
      found: ends.join(', '),
    });
    return;
  }
  let before = '';
  for (const status of statuses) {
    if (!following[before]?.includes(status)) {
      yield violationOf(5, subject, `The intent cannot become ${status}.`, {
        expected: following[before]?.join(' or '),
        found: statuses.join(', '),
      });
      return;
    }
    before = status;
  }
  if (statuses.length === 0) yield violationOf(5, subject, 'The ledger never said anything.');
}

/** Checks that each change has the status of the last statement of the ledger. */
function* checkChanges(version: Version, subject: ViolationSubject): Finding {
  for (const { meta } of changesOf(version)) {
    const words = meta.proofs.filter(isOfLedger).map(({ custom = {} }) => custom);
    const said = statusesIn(words).at(-1);
    if (meta.status !== said)
      yield violationOf(
        5,
        { ...subject, change: meta.change },
        'The status of the change is not what the ledger said.',
        { expected: said, found: meta.status },
      );
  }
}
