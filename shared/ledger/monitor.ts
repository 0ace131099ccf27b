/**
 * Monitors: effects that hear when the available amount of a balance crosses a threshold. A monitor knows the moment up
 * to which it has looked, and on which side the balance was then. It goes through the book from there, so what it publishes
 * follows from the book alone, however often it looks. Ruling 95, Decision 110.
 */
import type { BalanceWatch } from '../shape/effect.ts';
import { type BookEntry, type BookTotals, bookedOf } from './book.ts';

export type MonitorSide = 'below' | 'above';

/** The place of a monitor in its book. */
export interface MonitorPlace {
  /** All entries up to this moment, and of it, were looked at. ISO 8601 UTC. */
  readonly until: string;
  /** The side on which the balance was then. */
  readonly side: MonitorSide;
  /** The number of crossings that were published. */
  readonly count: number;
}

/** A crossing, as it is published. */
export interface Crossing {
  /** Counts the crossings of one monitor, from 1. */
  readonly number: number;
  /** The side that was reached. */
  readonly direction: MonitorSide;
  /** The available amount afterwards, in the symbol's smallest unit. */
  readonly available: bigint;
  /** The moment of the entry that crossed. ISO 8601 UTC. */
  readonly moment: string;
  /** Absent where an entry that came late, before what was looked at already, made the difference. */
  readonly intent?: BookEntry['intent'];
}

/** An entry of a book, with the totals after it. */
export interface CountedEntry {
  readonly entry: Pick<BookEntry, 'moment' | 'intent'>;
  readonly totals: BookTotals;
}

/** The amount of a book that may be spent. */
export function availableOf(totals: BookTotals): bigint {
  return bookedOf(totals) - totals.reserved;
}

/** The side of a balance: `above` includes the threshold itself. */
export function sideOf(totals: BookTotals, threshold: bigint): MonitorSide {
  return availableOf(totals) < threshold ? 'below' : 'above';
}

/**
 * Goes on through a book: the crossings behind a place, and the place afterwards. `before` are the totals at the place,
 * as they are now; `rows` are the entries behind it, in order. Entries of one millisecond count together, because what
 * is released and spent at once never was available.
 */
export function crossingsFrom(
  { threshold: limit, direction }: Pick<BalanceWatch, 'threshold' | 'direction'>,
  place: MonitorPlace,
  before: BookTotals,
  rows: readonly CountedEntry[],
): { readonly place: MonitorPlace; readonly crossings: readonly Crossing[] } {
  const threshold = BigInt(limit);
  const crossings: Crossing[] = [];
  let { side, count, until } = place;
  const look = (totals: BookTotals, at: Pick<Crossing, 'moment' | 'intent'>) => {
    const next = sideOf(totals, threshold);
    if (next === side) return;
    side = next;
    if (direction !== undefined && direction !== next) return;
    count += 1;
    crossings.push({ number: count, direction: next, available: availableOf(totals), ...at });
  };
  look(before, { moment: until });
  for (const [index, { entry, totals }] of rows.entries()) {
    until = entry.moment;
    if (rows[index + 1]?.entry.moment === entry.moment) continue;
    look(totals, { moment: entry.moment, intent: entry.intent });
  }
  return { place: { until, side, count }, crossings };
}
