/**
 * Checking running totals: a walk through a book, item by item, that sums its entries. An entry may come with others
 * behind its place, so those of one span of time are summed together, once all of them are met.
 */
import { canonicalOf } from '../crypto/canonical.ts';
import { type BookTotals, noTotals, totalsWith } from '../ledger/book.ts';
import type { BookName } from '../port/books.ts';
import { totalEvery } from './books.ts';
import { distinctBy } from './distinct.ts';
import { packedFromOf, placeOfTotal } from './keys.ts';
import { unpackEntry, unpackTotals } from './pack-book.ts';
import type { Item } from './request.ts';

/** The sums over a book so far. */
export interface BookWalk {
  readonly totals: BookTotals;
  /** The number of entries up to the last running totals. */
  readonly totaled: number;
  /** The items of the last span, which are not in the sums yet. */
  readonly held: Item[];
  /** The place of the first running totals that are no sums, or of the first entry that cannot be read. */
  readonly oddAt?: string;
}

export function newWalk(): BookWalk {
  return { totals: noTotals, totaled: 0, held: [] };
}

/** The walk after the next item of the book: an entry, or running totals behind every 64th. */
export function walkedOn(walk: BookWalk, name: BookName, item: Item): BookWalk {
  const [first = item] = walk.held;
  const isOfSpan = spanStartOf(first) === spanStartOf(item);
  if (!isOfSpan) return { ...walkedOut(walk, name), held: [item] };
  walk.held.push(item);
  return walk;
}

/** The walk with all items that it has met in its sums. */
export function walkedOut(walk: BookWalk, name: BookName): BookWalk {
  const items = distinctBy(walk.held, ({ sk }) => sk as string);
  const sorted = items.sort((one, other) => (String(one['sk']) < String(other['sk']) ? -1 : 1));
  return sorted.reduce((before: BookWalk, item) => stepped(before, name, item), {
    ...walk,
    held: [],
  });
}

function stepped(walk: BookWalk, name: BookName, item: Item): BookWalk {
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

function spanStartOf({ sk }: Item): string {
  return packedFromOf(sk as string);
}
