/**
 * The books: the entries of every balance and of every supply, with running totals. They are written from the outbox,
 * after the change, so a reading adds what is still there (the tail). Rulings 81 to 83, Decision 90.
 */
import type { BookEntry, BookTotals } from '../ledger/book.ts';
import type { EntryVersion, UnindexedEntry } from './catalog.ts';
import type { Scope } from './ports.ts';

/** Names a book: that of a wallet's balance or, without a wallet, that of the supply of the symbol. */
export interface BookName {
  readonly scope: Scope;
  readonly wallet?: string;
  readonly symbol: string;
}

/** A part of a book, from the oldest entry to the newest. */
export interface BookStretch {
  /** The first and the last millisecond, both included. */
  readonly sinceMs: number;
  readonly untilMs: number;
  /** The place of the entry to continue after, within the stretch. */
  readonly after?: string;
  readonly limit: number;
  /** True to leave out what was reserved and released. */
  readonly isMovesOnly?: boolean;
}

/** An entry at its place, with the totals of the book after it. */
export interface BookRow {
  /** The sort key of the entry in its book. */
  readonly place: string;
  readonly entry: BookEntry;
  readonly totals: BookTotals;
}

export interface BookPage {
  /** The totals before and after the whole stretch. */
  readonly opening: BookTotals;
  readonly closing: BookTotals;
  readonly rows: readonly BookRow[];
  /** The place to continue after; absent where the stretch ends. A page may be shorter than its limit. */
  readonly next?: string;
}

/**
 * Reading refuses with `api.request-timeout` while more changes wait in the outbox than a request can add, and for a
 * ledger of an earlier release whose books were not made yet.
 */
export interface Books {
  /** The totals of books at the end of a millisecond, in the order of their names. */
  totals(scope: Scope, names: readonly BookName[], untilMs: number): Promise<BookTotals[]>;
  /** A page of a book. */
  page(name: BookName, stretch: BookStretch): Promise<BookPage>;
  /** The books of a symbol after one of them: that of the supply first, then by wallet. */
  listed(scope: Scope, symbol: string, limit: number, after?: BookName): Promise<BookName[]>;
  /**
   * Writes the entries of versions, and running totals behind them. Repeating it, or running it twice at once, changes
   * nothing. `nowMs` is the time in milliseconds.
   */
  keep(entries: readonly EntryVersion[], nowMs: number): Promise<UnindexedEntry[]>;
}
