/** The states of monitors, and the books as monitors read them. Decision 110. */

import type { BookTotals } from '../ledger/book.ts';
import type { CountedEntry, Crossing, MonitorPlace } from '../ledger/monitor.ts';
import type { BookName } from './books.ts';
import type { EntryVersion } from './catalog.ts';
import type { Scope } from './ports.ts';

/** The state of a monitor. */
export interface MonitorState extends MonitorPlace {
  /** The condition that it looks for, as one text; with another one it begins anew. */
  readonly condition: string;
  /** The crossings that are decided and may not be on the bus yet, in order. */
  readonly pending: readonly Crossing[];
  /** Counts the versions of the state, from 1. */
  readonly version: number;
}

/** A part of a book behind a moment. */
export interface BookRest {
  /** The totals at that moment; undefined while a change of that time waits in the outbox and is not looked at. */
  readonly before: BookTotals | undefined;
  /** The entries behind it, oldest first; those of one millisecond are together, unless they are very many. */
  readonly rows: readonly CountedEntry[];
  /** True when there are more. */
  readonly hasMore: boolean;
  /** True when changes that wait in the outbox may have further entries, and are too many to be looked at. */
  readonly isBehind: boolean;
}

export interface Monitors {
  /** The balances that these versions of intents changed, each once. */
  moved(entries: readonly EntryVersion[]): Promise<BookName[]>;
  /**
   * The book behind a moment (ISO 8601 UTC). Unlike other readings it does not refuse when many changes wait in the
   * outbox: then it ends before the oldest of them. Undefined while the books of the ledger are not made.
   */
  rest(name: BookName, after: string): Promise<BookRest | undefined>;
  /** The time at which the books of a ledger were made of its records, as by an import; 0 when it began with books. */
  sinceMs(scope: Scope): Promise<number>;
  /** The state of the monitor of an effect. */
  read(scope: Scope, luid: string): Promise<MonitorState | undefined>;
  /** Stores a state; false when it has changed since it was read, or the effect has ended. */
  save(scope: Scope, luid: string, next: MonitorState): Promise<boolean>;
  /** The monitors that have to look again, by the luids of their effects, each with the times that this was noted. */
  behind(scope: Scope): Promise<ReadonlyMap<string, number>>;
  /** Notes that a monitor has to look again, since it could not look to the end of its book. */
  noteBehind(scope: Scope, luid: string): Promise<void>;
  /** Ends the notes of a monitor, unless there are more of them than it knew of before it looked. */
  caughtUp(scope: Scope, luid: string, times: number): Promise<void>;
}
