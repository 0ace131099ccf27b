/** Checking running totals: a walk through a book, item by item, that sums its entries. */
import { canonicalOf } from '../crypto/canonical.ts';
import { type BookTotals, noTotals, totalsWith } from '../ledger/book.ts';
import type { BookName } from '../port/books.ts';
import { totalEvery } from './books.ts';
import { placeOfTotal } from './keys.ts';
import { unpackEntry, unpackTotals } from './pack-book.ts';
import type { Item } from './request.ts';

/** The sums over a book so far. */
export interface BookWalk {
  readonly totals: BookTotals;
  /** The number of entries up to the last running totals. */
  readonly totaled: number;
  /** The place of the first running totals that are no sums, or of the first entry that cannot be read. */
  readonly oddAt?: string;
}

export const newWalk: BookWalk = { totals: noTotals, totaled: 0 };

/** The sums after the next item of the book: an entry, or running totals behind every 64th. */
export function walkedOn(walk: BookWalk, name: BookName, item: Item): BookWalk {
  const sk = item['sk'] as string;
  const place = placeOfTotal(sk);
  try {
    if (place === undefined)
      return { ...walk, totals: totalsWith(walk.totals, unpackEntry(name, item)) };
    const totaled = walk.totals.moves + walk.totals.holds;
    const isRight =
      totaled === walk.totaled + totalEvery &&
      canonicalOf(unpackTotals(item)) === canonicalOf(walk.totals);
    return { ...walk, totaled, ...(!isRight && { oddAt: walk.oddAt ?? place }) };
  } catch {
    return { ...walk, oddAt: walk.oddAt ?? place ?? sk };
  }
}
