/**
 * Invariant 5, for a whole thread: its signatures, reports and decisions lead to its statuses by the rules of the
 * ledger. Each report is known to have come between two statuses; those of several intents are taken in an order in
 * which they could have come. Rulings 46, 50, 51, 55 and 56, Decision 69.
 */
import {
  bridgedIn,
  resolvedIn,
  type Statement,
  statedExpiryOf,
  threadOf,
} from '../ledger/intent.ts';
import type { Version } from '../ledger/record.ts';
import type { Thread } from '../ledger/thread.ts';
import { type ThreadEvent, transit } from '../ledger/transition.ts';
import { reportIn } from './accepted.ts';
import { isAuthored, isOfLedger } from './proof.ts';
import {
  type AuditViolation,
  type Finding,
  type ViolationSubject,
  violationOf,
} from './violation.ts';
import { isOfStatus, statusesOf, wordsOf } from './word.ts';

type Reported = Extract<ThreadEvent, { what: 'reported' }>;

/** The failure reasons of an expired thread; the second only once a bridge was to be called. Ruling 47. */
const expired = 'core.intent-expired';
const unreached = 'core.bridge-unreachable';

/** The history of a thread. */
interface Past {
  readonly first: Version;
  readonly statuses: readonly string[];
  /** For each intent and each of its statuses, the reports that came in that status. */
  readonly stages: readonly (readonly (readonly Reported[])[])[];
  readonly subject: ViolationSubject;
}

/** The state of a replay. */
interface ReplayCursor {
  readonly thread: Thread;
  /** The index of the current status. */
  readonly place: number;
  /** The reports in that status that are still to come, by intent. */
  readonly left: readonly (readonly Reported[])[];
}

/** One step of a replay: the next state, if any, and the violations. */
interface ReplayStep {
  readonly next?: ReplayCursor;
  readonly violations: readonly AuditViolation[];
}

/** Checks that the statuses of a thread follow from its events; takes its intents, the first one first. */
export function* checkReplay(members: readonly Version[], subject: ViolationSubject): Finding {
  const [first] = members;
  if (!first) return;
  const past = { first, statuses: statusesOf(first), stages: members.map(stagesOf), subject };
  let walk: ReplayCursor | undefined = {
    thread: beginningOf(members),
    place: 0,
    left: reportsIn(past, 0),
  };
  while (walk) {
    const step = stepFrom(past, walk);
    yield* step.violations;
    walk = step.next;
  }
}

/** Takes the next event, and checks that it led to the statuses that followed. */
function stepFrom(past: Past, { thread, place, left }: ReplayCursor): ReplayStep {
  const { statuses, subject } = past;
  const report = nextOf(thread, left);
  const next = statuses[place + 1];
  if (!report && next === undefined) return { violations: [] };
  const event = report ?? causeOf(next);
  const done = event && doneBy(event, past, thread, next);
  if (report && !done) return { violations: [idle(report, thread, subject)] };
  const came = done?.steps.map(({ status }) => status) ?? [];
  const hasCome = came.every((status, index) => statuses[place + 1 + index] === status);
  if (!done || !hasCome) return { violations: [unlike(statuses, place, came, subject)] };
  const after = { thread: done.thread, place: place + came.length };
  const rest = left.map((own) => own.filter((one) => one !== report));
  if (came.length === 0) return { next: { ...after, left: rest }, violations: [] };
  // Reports from before the last of these statuses cannot have counted.
  const between = came.slice(1).map((_, index) => reportsIn(past, place + 1 + index));
  const late = [rest, ...between].flat(2)[0];
  if (late) return { violations: [idle(late, done.thread, subject)] };
  return {
    next: { ...after, left: reportsIn(past, after.place) },
    violations: checkCause(past.first, event, subject),
  };
}

/** The result of an event; a decision for which a balance has no room any more is a failure. Ruling 41. */
function doneBy(event: ThreadEvent, { first }: Past, thread: Thread, next: string | undefined) {
  const done = transit(thread, event);
  const isRefused = next === 'failed' && done?.effects.includes('move');
  const word = wordsOf(first).find((one) => isOfWord(one, 'failed'));
  if (!done || !isRefused || word?.['reason'] !== 'core.limit-exceeded') return done;
  return transit({ ...done.thread, status: thread.status }, { what: 'refused' });
}

function reportsIn({ stages }: Past, place: number): ReplayCursor['left'] {
  return stages.map((own) => own[place] ?? []);
}

/** A thread before its first event, with the entries that it will have. */
function beginningOf(members: readonly Version[]): Thread {
  const intents = members.map((member) => bridgedIn({ ...member, accepted: [] }));
  return { ...threadOf(members), status: 'pending', intents };
}

/** For each status of an intent, the accepted reports that came in that status. */
function stagesOf({ record, accepted = [] }: Version): Reported[][] {
  const counted = new Set(accepted);
  const stages: Reported[][] = [];
  for (const [index, proof] of record.meta.proofs.entries()) {
    const { custom = {} } = proof;
    const report = counted.has(index) ? reportIn(proof) : undefined;
    if (isOfLedger(proof) && isOfStatus(custom)) stages.push([]);
    if (report) stages.at(-1)?.push({ what: 'reported', entry: String(custom['handle']), report });
  }
  return stages;
}

/** The report that may have come next: in order for each intent, and first those that end nothing. */
function nextOf(thread: Thread, left: readonly (readonly Reported[])[]): Reported | undefined {
  const heads = left.flatMap(([head]) => head ?? []);
  const fitting = heads.flatMap((head) => {
    const done = transit(thread, head);
    return done ? { head, isLast: done.steps.length > 0 } : [];
  });
  const { head } = fitting.find(({ isLast }) => !isLast) ?? fitting[0] ?? {};
  return head ?? heads[0];
}

/** The event other than a report that leads to a status; undefined when there is none. */
function causeOf(status: string | undefined): ThreadEvent | undefined {
  if (status === 'processing' || status === 'prepared') return { what: 'signed' };
  if (status === 'committed' || status === 'aborted') return { what: 'decided', status };
  return status === 'failed' ? { what: 'refused' } : undefined;
}

function checkCause(
  first: Version,
  event: ThreadEvent,
  subject: ViolationSubject,
): AuditViolation[] {
  if (event.what === 'decided') return checkDecision(first, event.status, subject);
  return event.what === 'refused' ? checkRefusal(first, subject) : [];
}

/** True when an author has signed the decision, just before the statement of the ledger. Ruling 51. */
function checkDecision(
  { record }: Version,
  status: string,
  subject: ViolationSubject,
): AuditViolation[] {
  const { proofs } = record.meta;
  const place = proofs.findIndex((proof) => isOfLedger(proof) && isOfWord(proof.custom, status));
  const before = proofs[place - 1];
  if (before && isAuthored(before) && isOfWord(before.custom, status)) return [];
  const difference = { expected: `a proof that says ${status}`, found: before?.custom };
  return [violationOf(5, subject, `Nobody decided that the intent is ${status}.`, difference)];
}

/**
 * Checks that a thread that failed because it expired has an expiry in the past. Before entries are resolved, a bridge
 * is unreachable because it takes no new entries. Rulings 50, 57 and 69.
 */
function checkRefusal(first: Version, subject: ViolationSubject): AuditViolation[] {
  const words = wordsOf(first);
  const { reason, moment } = words.find((word) => isOfWord(word, 'failed')) ?? {};
  const expiry = statedExpiryOf(first.record);
  // ISO 8601 UTC texts of equal length sort as the times they name.
  const isOverdue =
    reason === expired || (reason === unreached && resolvedIn(first.record).length > 0);
  if (!isOverdue || String(moment) >= String(expiry)) return [];
  const difference = { expected: `${expiry} or later`, found: moment };
  return [violationOf(5, subject, 'The intent expired before its time.', difference)];
}

/** The violation of an accepted report that the thread could not have used. */
function idle(
  { entry, report }: Reported,
  { status }: Thread,
  subject: ViolationSubject,
): AuditViolation {
  const fact = 'A report counts that changed nothing.';
  return violationOf(5, subject, fact, {
    expected: `what an intent waits for that is ${status}`,
    found: `${entry} ${report}`,
  });
}

/** The violation of statuses that do not follow from the events. */
function unlike(
  statuses: readonly string[],
  place: number,
  came: readonly string[],
  subject: ViolationSubject,
): AuditViolation {
  const fact = 'The statuses of the intent do not follow from what happened to it.';
  const expected = [...statuses.slice(0, place + 1), ...came].join(', ');
  return violationOf(5, subject, fact, { expected, found: statuses.join(', ') });
}

function isOfWord(word: Statement = {}, status: string): boolean {
  return isOfStatus(word) && word['status'] === status;
}
