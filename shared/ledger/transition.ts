/**
 * The table of status changes of an intent: events by status, and what follows from each. It is about a whole thread,
 * whose intents always have the same status; a single intent is a thread of one.
 *
 * It is pure: it returns the new statuses, the effects on balances, and the calls to bridges. An event without a row
 * changes nothing, so events may arrive twice, late and out of order. Rulings 46, 50, 51 and 55, Decision 62.
 */
import type { BridgeCall } from './call.ts';
import {
  type BridgedEntry,
  type BridgeReport,
  calledEntries,
  callFor,
  entriesIn,
  hasReport,
  isOver,
  type Status,
  type Thread,
} from './thread.ts';

export type ThreadEvent =
  /** Every required signature is there, and the intent can take effect. */
  | { readonly what: 'signed' }
  /** The intent cannot take effect: it is invalid, has expired, or a balance does not allow it. */
  | { readonly what: 'refused' }
  /** A bridge reports on an entry. */
  | { readonly what: 'reported'; readonly entry: string; readonly report: BridgeReport }
  /** A signer with the right to do so has decided. Ruling 51. */
  | { readonly what: 'decided'; readonly status: 'committed' | 'aborted' };

/** The effect on balances: reserve, give back, or move for good. */
export type BalanceEffect = 'reserve' | 'release' | 'move';

/** One step to a new status, with the calls that it requires, for each intent of the thread. */
export interface StatusStep {
  readonly status: Status;
  readonly calls: readonly (readonly BridgeCall[])[];
}

export interface Transition {
  /** The thread after all steps. */
  readonly thread: Thread;
  /** The new statuses in order; none when more reports are awaited. */
  readonly steps: readonly StatusStep[];
  readonly effects: readonly BalanceEffect[];
  /** The calls that a report requires when it brings no new status. */
  readonly calls: readonly (readonly BridgeCall[])[];
}

type ThreadTest = (thread: Thread) => boolean;
/** The calls that a row requires. `tell` sends bridges the status of the intent. */
type BridgeRequests = 'prepare debits' | 'prepare credits' | 'commit' | 'abort' | 'tell';
/** An event as rows name it; `then` follows by itself. */
export type TransitionEvent =
  | 'signed'
  | 'refused'
  | 'debit prepared'
  | 'credit prepared'
  | 'denied'
  | 'done'
  | 'decided committed'
  | 'decided aborted'
  | 'then';

/** A line of the table. The first line that fits decides. */
export interface TransitionRow {
  readonly in: Status;
  readonly on: TransitionEvent;
  readonly if?: ThreadTest;
  /** Absent when the event is recorded and the status stays. */
  readonly to?: Status;
  readonly does?: BalanceEffect;
  readonly requests?: BridgeRequests;
}

const hasDebits: ThreadTest = (thread) => entriesIn(thread, 'debit').length > 0;
const hasCredits: ThreadTest = (thread) => entriesIn(thread, 'credit').length > 0;
const areDebitsPrepared: ThreadTest = (thread) =>
  entriesIn(thread, 'debit').every(hasReport('prepared'));
const isPrepared: ThreadTest = (thread) => entriesIn(thread).every(hasReport('prepared'));
const isCommitted: ThreadTest = (thread) => entriesIn(thread).every(hasReport('committed'));
const isUndone: ThreadTest = (thread) => calledEntries(thread).every(isOver);
const isManual: ThreadTest = (thread) => thread.isManual;
const isRevocable: ThreadTest = (thread) => thread.isManual || thread.isLater === true;
const isAuto: ThreadTest = (thread) => !thread.isManual;

// biome-ignore format: a table is read in lines
export const table: readonly TransitionRow[] = [
  { in: 'pending',    on: 'signed',            if: hasDebits,         to: 'processing', does: 'reserve', requests: 'prepare debits' },
  { in: 'pending',    on: 'signed',            if: hasCredits,        to: 'processing', does: 'reserve', requests: 'prepare credits' },
  { in: 'pending',    on: 'signed',                                   to: 'prepared',   does: 'reserve' },
  { in: 'pending',    on: 'refused',                                  to: 'failed' },
  { in: 'pending',    on: 'decided aborted',   if: isRevocable,       to: 'aborted' },

  { in: 'processing', on: 'debit prepared',    if: isPrepared,        to: 'prepared',   requests: 'tell' },
  { in: 'processing', on: 'debit prepared',    if: areDebitsPrepared,                   requests: 'prepare credits' },
  { in: 'processing', on: 'debit prepared' },
  { in: 'processing', on: 'credit prepared',   if: isPrepared,        to: 'prepared',   requests: 'tell' },
  { in: 'processing', on: 'credit prepared' },
  { in: 'processing', on: 'denied',                                   to: 'failed',     does: 'release' },
  { in: 'processing', on: 'refused',                                  to: 'failed',     does: 'release' },
  { in: 'processing', on: 'decided aborted',   if: isManual,          to: 'aborted',    does: 'release', requests: 'abort' },

  { in: 'prepared',   on: 'then',              if: isAuto,            to: 'committed',  does: 'move',    requests: 'commit' },
  { in: 'prepared',   on: 'decided committed', if: isManual,          to: 'committed',  does: 'move',    requests: 'commit' },
  { in: 'prepared',   on: 'decided aborted',   if: isManual,          to: 'aborted',    does: 'release', requests: 'abort' },
  { in: 'prepared',   on: 'refused',                                  to: 'failed',     does: 'release' },

  { in: 'committed',  on: 'done' },
  { in: 'committed',  on: 'then',              if: isCommitted,       to: 'completed',  requests: 'tell' },

  { in: 'failed',     on: 'then',                                     to: 'aborted',    requests: 'abort' },

  { in: 'aborted',    on: 'done' },
  { in: 'aborted',    on: 'then',              if: isUndone,          to: 'rejected',   requests: 'tell' },
];

/** Applies an event to a thread; undefined when it changes nothing. */
export function transit(before: Thread, event: ThreadEvent): Transition | undefined {
  const name = transitionEventOf(before, event);
  let thread = event.what === 'reported' ? withReport(before, event) : before;
  let row = name && rowFor(thread, name);
  if (!row) return undefined;
  const steps: StatusStep[] = [];
  const effects: BalanceEffect[] = [];
  const calls = row.to === undefined ? callsOf(thread, row.requests) : noCalls(thread);
  while (row) {
    if (row.does) effects.push(row.does);
    if (row.to !== undefined) {
      steps.push({ status: row.to, calls: callsOf(thread, row.requests) });
      thread = { ...thread, status: row.to };
    }
    row = rowFor(thread, 'then');
  }
  return { thread, steps, effects, calls };
}

function rowFor(thread: Thread, name: TransitionEvent): TransitionRow | undefined {
  return table.find(
    (row) => row.in === thread.status && row.on === name && (row.if?.(thread) ?? true),
  );
}

function transitionEventOf(thread: Thread, event: ThreadEvent): TransitionEvent | undefined {
  if (event.what === 'decided') return `decided ${event.status}`;
  return event.what === 'reported' ? eventOfReport(thread, event) : event.what;
}

/** The event of a report; undefined for one that is late, repeated, or contradicts an earlier one. Ruling 56. */
function eventOfReport(
  thread: Thread,
  { entry: handle, report }: ThreadEvent & { readonly what: 'reported' },
): TransitionEvent | undefined {
  const entry = calledEntries(thread).find((one) => one.handle === handle);
  if (!entry) return undefined;
  if (thread.status === 'processing') return eventOfFirstReport(entry, report);
  return isLastReport(thread.status, entry, report) ? 'done' : undefined;
}

/** A bridge reports on an entry once before the decision. */
function eventOfFirstReport({ schema, reported }: BridgedEntry, report: BridgeReport) {
  if (reported.length > 0 || report === 'committed') return undefined;
  return report === 'prepared' ? (`${schema} prepared` as const) : 'denied';
}

/** True for the last report that is awaited on an entry after the decision. */
function isLastReport(status: Status, entry: BridgedEntry, report: BridgeReport): boolean {
  if (status === 'committed') return report === 'committed' && !hasReport('committed')(entry);
  if (status !== 'aborted' || isOver(entry)) return false;
  // A prepared entry has to be aborted by its bridge; for one without a report, a failure is enough.
  const isFirst = entry.reported.length === 0;
  return report === 'aborted' || (isFirst && (report === 'failed' || report === 'unsupported'));
}

/** The thread with one more report. */
function withReport(
  thread: Thread,
  { entry: handle, report }: ThreadEvent & { readonly what: 'reported' },
): Thread {
  const intents = thread.intents.map((entries) =>
    entries.map((entry) =>
      entry.handle === handle ? { ...entry, reported: [...entry.reported, report] } : entry,
    ),
  );
  return { ...thread, intents };
}

function callsOf(thread: Thread, requests: BridgeRequests | undefined): BridgeCall[][] {
  const sent = new Set(calledEntries(thread));
  return thread.intents.map((entries) => {
    const own = entries.filter((entry) => sent.has(entry));
    switch (requests) {
      case 'prepare debits':
        return entries.filter(({ schema }) => schema === 'debit').map(callFor('prepare'));
      case 'prepare credits':
        return entries.filter(({ schema }) => schema === 'credit').map(callFor('prepare'));
      case 'commit':
        return entries.map(callFor('commit'));
      case 'abort':
        // A bridge that reported `unsupported` may still have accepted an earlier attempt, so it is called too.
        return own.map(callFor('abort'));
      case 'tell':
        return [...new Set(own.map(({ bridge }) => bridge))].map(
          (bridge) => ({ bridge, action: 'status' }) as const,
        );
      default:
        return [];
    }
  });
}

function noCalls(thread: Thread): BridgeCall[][] {
  return thread.intents.map(() => []);
}
