/**
 * Entries of a book as a reader meets them, however many lie in one item. A block lies at the newest of its places and
 * has entries of one span of time: what is read upwards is complete before the span of the last item, and what is read
 * downwards is complete above the item that was met last. Decision 145.
 */
import type { BookEntry } from '../ledger/book.ts';
import type { BookName } from '../port/books.ts';
import { unblocked } from './blocks.ts';
import { distinctBy } from './distinct.ts';
import { bookPartitionOf, packedEndOf, packedFromOf, placeOfTotal } from './keys.ts';
import { unpackEntry } from './pack-book.ts';
import { itemsIn } from './read.ts';
import type { Item, Table } from './request.ts';
import type { Deadline } from './retry.ts';

export interface Placed {
  readonly place: string;
  readonly entry: BookEntry;
}

/** A part of a book: all entries that lie in it, the oldest first, each once. */
export interface BookWindow {
  readonly entries: readonly Placed[];
  /** True for the places of this part. */
  readonly has: (place: string) => boolean;
}

/** Thrown for an item of a book that cannot be read. */
export class UnreadableEntry extends Error {}

/** The entries that these items hold; running totals hold none. */
export function entriesAmong(name: BookName, items: readonly Item[]): Placed[] {
  return items.flatMap(unblocked).flatMap((item) => {
    const place = item['sk'] as string;
    return placeOfTotal(place) === undefined ? { place, entry: entryIn(name, item) } : [];
  });
}

function entryIn(name: BookName, item: Item): BookEntry {
  try {
    return unpackEntry(name, item);
  } catch (cause) {
    const { pk, sk } = item;
    throw new UnreadableEntry(`The item '${pk} ${sk}' of a book cannot be read.`, { cause });
  }
}

/** The entries behind one place up to another, part by part. `countOf` tells how many items are read each time. */
export async function* windowsOf(
  table: Table,
  name: BookName,
  { from, to }: { readonly from: string; readonly to: string },
  countOf: (round: number) => number,
  deadline: Deadline,
): AsyncGenerator<BookWindow, void, undefined> {
  const range = { pk: bookPartitionOf(name), from, to: packedEndOf(to) };
  const isWanted = (place: string) => place > from && place <= to;
  let held: readonly Placed[] = [];
  let begin = from;
  let after: string | undefined;
  for (let round = 0; ; round += 1) {
    const countMax = countOf(round);
    const options = { countMax, ...(after !== undefined && { after }) };
    const items = await itemsIn(table, range, deadline, options);
    const isEnd = items.length < countMax;
    after = items.at(-1)?.['sk'] as string | undefined;
    // Behind the last item may lie some that have entries of its span.
    const edge = isEnd || after === undefined ? undefined : packedFromOf(after);
    const isBefore = (place: string) => edge === undefined || place < edge;
    const start = begin;
    const all = [...held, ...entriesAmong(name, items).filter(({ place }) => isWanted(place))];
    const entries = distinctBy(all, ({ place }) => place).sort(byPlace);
    held = entries.filter(({ place }) => !isBefore(place));
    yield {
      entries: entries.filter(({ place }) => isBefore(place)),
      has: (place) => isWanted(place) && place >= start && isBefore(place),
    };
    if (edge === undefined) return;
    begin = edge;
  }
}

export function byPlace(one: Placed, other: Placed): number {
  return one.place < other.place ? -1 : 1;
}
