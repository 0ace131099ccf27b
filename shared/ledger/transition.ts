/**
 * The table of status changes of an intent: events by status, and what follows from each. It is about a whole thread,
 * whose intents always have the same status; a single intent is a thread of one.
 *
 * It is pure: it returns the new statuses, the effects on balances, and the calls to bridges. An event without a row
 * changes nothing, so events may arrive twice, late and out of order. Rulings 46, 50, 51 and 55, Decision 62.
 */
import type { BridgeCall } from './call.ts';
import {
  asked,
  type BridgedEntry,
  entriesIn,
  is,
  isOver,
  type Report,
  type Status,
  sentIn,
  type Thread,
} from './thread.ts';

export type Event =
  /** Every required signature is there, and the intent can take effect. */
  | { readonly what: 'signed' }
  /** The intent cannot take effect: it is invalid, has expired, or a balance does not allow it. */
  | { readonly what: 'refused' }
  /** A bridge reports on an entry. */
  | { readonly what: 'reported'; readonly entry: string; readonly report: Report }
  /** A signer with the right to do so has decided. Ruling 51. */
  | { readonly what: 'decided'; readonly status: 'committed' | 'aborted' };

/** The effect on balances: reserve, give back, or move for good. */
export type Handling = 'reserve' | 'release' | 'move';

/** One step to a new status, with the calls that it requires, for each intent of the thread. */
export interface Passage {
  readonly status: Status;
  readonly calls: readonly (readonly BridgeCall[])[];
}

export interface Transition {
  /** The thread after all steps. */
  readonly thread: Thread;
  /** The new statuses in order; none when more reports are awaited. */
  readonly passages: readonly Passage[];
  readonly handlings: readonly Handling[];
  /** The calls that a report requires when it brings no new status. */
  readonly calls: readonly (readonly BridgeCall[])[];
}

type ThreadTest = (thread: Thread) => boolean;
/** The calls that a row requires. `tell` sends bridges the status of the intent. */
type Asking = 'prepare debits' | 'prepare credits' | 'commit' | 'abort' | 'tell';
/** An event as rows name it; `then` follows by itself. */
export type Happening =
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
export interface Row {
  readonly in: Status;
  readonly on: Happening;
  readonly if?: ThreadTest;
  /** Absent when the event is recorded and the status stays. */
  readonly to?: Status;
  readonly does?: Handling;
  readonly asks?: Asking;
}

const hasDebits: ThreadTest = (thread) => entriesIn(thread, 'debit').length > 0;
const hasCredits: ThreadTest = (thread) => entriesIn(thread, 'credit').length > 0;
const areDebitsPrepared: ThreadTest = (thread) => entriesIn(thread, 'debit').every(is('prepared'));
const isPrepared: ThreadTest = (thread) => entriesIn(thread).every(is('prepared'));
const isCommitted: ThreadTest = (thread) => entriesIn(thread).every(is('committed'));
const isUndone: ThreadTest = (thread) => sentIn(thread).every(isOver);
const isManual: ThreadTest = (thread) => thread.isManual;
const isAuto: ThreadTest = (thread) => !thread.isManual;

// biome-ignore format: a table is read in lines
export const table: readonly Row[] = [
  { in: 'pending',    on: 'signed',            if: hasDebits,         to: 'processing', does: 'reserve', asks: 'prepare debits' },
  { in: 'pending',    on: 'signed',            if: hasCredits,        to: 'processing', does: 'reserve', asks: 'prepare credits' },
  { in: 'pending',    on: 'signed',                                   to: 'prepared',   does: 'reserve' },
  { in: 'pending',    on: 'refused',                                  to: 'failed' },
  { in: 'pending',    on: 'decided aborted',   if: isManual,          to: 'aborted' },

  { in: 'processing', on: 'debit prepared',    if: isPrepared,        to: 'prepared',   asks: 'tell' },
  { in: 'processing', on: 'debit prepared',    if: areDebitsPrepared,                   asks: 'prepare credits' },
  { in: 'processing', on: 'debit prepared' },
  { in: 'processing', on: 'credit prepared',   if: isPrepared,        to: 'prepared',   asks: 'tell' },
  { in: 'processing', on: 'credit prepared' },
  { in: 'processing', on: 'denied',                                   to: 'failed',     does: 'release' },
  { in: 'processing', on: 'refused',                                  to: 'failed',     does: 'release' },
  { in: 'processing', on: 'decided aborted',   if: isManual,          to: 'aborted',    does: 'release', asks: 'abort' },

  { in: 'prepared',   on: 'then',              if: isAuto,            to: 'committed',  does: 'move',    asks: 'commit' },
  { in: 'prepared',   on: 'decided committed', if: isManual,          to: 'committed',  does: 'move',    asks: 'commit' },
  { in: 'prepared',   on: 'decided aborted',   if: isManual,          to: 'aborted',    does: 'release', asks: 'abort' },
  { in: 'prepared',   on: 'refused',                                  to: 'failed',     does: 'release' },

  { in: 'committed',  on: 'done' },
  { in: 'committed',  on: 'then',              if: isCommitted,       to: 'completed',  asks: 'tell' },

  { in: 'failed',     on: 'then',                                     to: 'aborted',    asks: 'abort' },

  { in: 'aborted',    on: 'done' },
  { in: 'aborted',    on: 'then',              if: isUndone,          to: 'rejected',   asks: 'tell' },
];

/** Applies an event to a thread; undefined when it changes nothing. */
export function transit(before: Thread, event: Event): Transition | undefined {
  const happening = happeningOf(before, event);
  let thread = event.what === 'reported' ? withReport(before, event) : before;
  let row = happening && rowFor(thread, happening);
  if (!row) return undefined;
  const passages: Passage[] = [];
  const handlings: Handling[] = [];
  const calls = row.to === undefined ? callsOf(thread, row.asks) : noCalls(thread);
  while (row) {
    if (row.does) handlings.push(row.does);
    if (row.to !== undefined) {
      passages.push({ status: row.to, calls: callsOf(thread, row.asks) });
      thread = { ...thread, status: row.to };
    }
    row = rowFor(thread, 'then');
  }
  return { thread, passages, handlings, calls };
}

function rowFor(thread: Thread, happening: Happening): Row | undefined {
  return table.find(
    (row) => row.in === thread.status && row.on === happening && (row.if?.(thread) ?? true),
  );
}

function happeningOf(thread: Thread, event: Event): Happening | undefined {
  if (event.what === 'decided') return `decided ${event.status}`;
  return event.what === 'reported' ? happeningOfReport(thread, event) : event.what;
}

/** The event of a report; undefined for one that is late, repeated, or contradicts an earlier one. Ruling 56. */
function happeningOfReport(
  thread: Thread,
  { entry: handle, report }: Event & { readonly what: 'reported' },
): Happening | undefined {
  const entry = sentIn(thread).find((one) => one.handle === handle);
  if (!entry) return undefined;
  if (thread.status === 'processing') return happeningOfFirst(entry, report);
  return isLastReport(thread.status, entry, report) ? 'done' : undefined;
}

/** A bridge reports on an entry once before the decision. */
function happeningOfFirst({ schema, reported }: BridgedEntry, report: Report) {
  if (reported.length > 0 || report === 'committed') return undefined;
  return report === 'prepared' ? (`${schema} prepared` as const) : 'denied';
}

/** True for the last report that is awaited on an entry after the decision. */
function isLastReport(status: Status, entry: BridgedEntry, report: Report): boolean {
  if (status === 'committed') return report === 'committed' && !is('committed')(entry);
  if (status !== 'aborted' || isOver(entry)) return false;
  // A prepared entry has to be aborted by its bridge; for one without a report, a failure is enough.
  const isFirst = entry.reported.length === 0;
  return report === 'aborted' || (isFirst && (report === 'failed' || report === 'unsupported'));
}

/** The thread with one more report. */
function withReport(
  thread: Thread,
  { entry: handle, report }: Event & { readonly what: 'reported' },
): Thread {
  const intents = thread.intents.map((entries) =>
    entries.map((entry) =>
      entry.handle === handle ? { ...entry, reported: [...entry.reported, report] } : entry,
    ),
  );
  return { ...thread, intents };
}

function callsOf(thread: Thread, asks: Asking | undefined): BridgeCall[][] {
  const sent = new Set(sentIn(thread));
  return thread.intents.map((entries) => {
    const own = entries.filter((entry) => sent.has(entry));
    switch (asks) {
      case 'prepare debits':
        return entries.filter(({ schema }) => schema === 'debit').map(asked('prepare'));
      case 'prepare credits':
        return entries.filter(({ schema }) => schema === 'credit').map(asked('prepare'));
      case 'commit':
        return entries.map(asked('commit'));
      case 'abort':
        // A bridge that reported `unsupported` may still have accepted an earlier attempt, so it is called too.
        return own.map(asked('abort'));
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
