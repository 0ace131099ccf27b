/**
 * How intents move through their statuses, as one table: what happens in which status, and what follows. It is
 * about a whole thread, whose intents are always in the same status; one that is alone is a thread too.
 *
 * Nothing is read here, and nothing is done: out come the statuses that are gone through, what becomes of the
 * balances, and the bridges that are to be called. What the table does not have changes nothing, so that every
 * event may come twice, late, and out of order. Rulings 46, 50, 51 and 55, Decision 62.
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

/** What happens to a thread. */
export type Event =
  /** All who have to have signed it, and it can be done. */
  | { readonly what: 'signed' }
  /** It cannot be done: it is refused for what it says, its time is over, or balances stand in the way. */
  | { readonly what: 'refused' }
  /** A bridge speaks of an entry. */
  | { readonly what: 'reported'; readonly entry: string; readonly report: Report }
  /** Somebody who may has decided. Ruling 51. */
  | { readonly what: 'decided'; readonly status: 'committed' | 'aborted' };

/** What becomes of balances: reserved, given back, or moved for good. */
export type Handling = 'reserve' | 'release' | 'move';

/** One status that is gone through, with the calls that it asks for, for each intent of the thread. */
export interface Passage {
  readonly status: Status;
  readonly calls: readonly (readonly BridgeCall[])[];
}

/** What follows from an event. */
export interface Transition {
  /** What the thread is in the end. */
  readonly thread: Thread;
  /** The statuses that it goes through, in order; none when a report is noted and more are to come. */
  readonly passages: readonly Passage[];
  readonly handlings: readonly Handling[];
  /** The calls that the report alone asks for, when it brings no status. */
  readonly calls: readonly (readonly BridgeCall[])[];
}

type Test = (thread: Thread) => boolean;
/** What a row asks bridges: of which entries, to do what; `tell` says how the intent stands. */
type Asking = 'prepare debits' | 'prepare credits' | 'commit' | 'abort' | 'tell';
/** What happens, as the table sees it; `then` is what follows by itself. */
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

/** A line of the table. Of those that fit the first one decides. */
export interface Row {
  readonly in: Status;
  readonly on: Happening;
  readonly if?: Test;
  /** Absent when what happened is noted and the status stays. */
  readonly to?: Status;
  readonly does?: Handling;
  readonly asks?: Asking;
}

const hasDebits: Test = (thread) => entriesIn(thread, 'debit').length > 0;
const hasCredits: Test = (thread) => entriesIn(thread, 'credit').length > 0;
const areDebitsPrepared: Test = (thread) => entriesIn(thread, 'debit').every(is('prepared'));
const isPrepared: Test = (thread) => entriesIn(thread).every(is('prepared'));
const isCommitted: Test = (thread) => entriesIn(thread).every(is('committed'));
const isUndone: Test = (thread) => sentIn(thread).every(isOver);
const isManual: Test = (thread) => thread.isManual;
const isAuto: Test = (thread) => !thread.isManual;

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

/** What follows from an event; undefined when it changes nothing. */
export function transit(before: Thread, event: Event): Transition | undefined {
  const happening = happeningOf(before, event);
  let thread = event.what === 'reported' ? noted(before, event) : before;
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

/** What a report means; undefined for one that comes late, again, or contradicts an earlier one. Ruling 56. */
function happeningOfReport(
  thread: Thread,
  { entry: handle, report }: Event & { readonly what: 'reported' },
): Happening | undefined {
  const entry = sentIn(thread).find((one) => one.handle === handle);
  if (!entry) return undefined;
  if (thread.status === 'processing') return happeningOfFirst(entry, report);
  return isEndOf(thread.status, entry, report) ? 'done' : undefined;
}

/** What a bridge says of an entry before anything is decided; it says so once. */
function happeningOfFirst({ schema, reported }: BridgedEntry, report: Report) {
  if (reported.length > 0 || report === 'committed') return undefined;
  return report === 'prepared' ? (`${schema} prepared` as const) : 'denied';
}

/** Whether a report is the last one that is awaited of an entry after the decision. */
function isEndOf(status: Status, entry: BridgedEntry, report: Report): boolean {
  if (status === 'committed') return report === 'committed' && !is('committed')(entry);
  if (status !== 'aborted' || isOver(entry)) return false;
  // Who has prepared it has to undo it; of one that never spoke it is enough that it could not.
  const isFirst = entry.reported.length === 0;
  return report === 'aborted' || (isFirst && (report === 'failed' || report === 'unsupported'));
}

/** The thread with one more report. */
function noted(
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
        // Also of whom says that it does not do such things: it may have taken an earlier attempt.
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
