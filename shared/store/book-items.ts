/**
 * Entries of a book as a reader meets them, however many lie in one item. A block has entries of one span of time and lies
 * behind all other items of that span. So a reader that ends within a span reads the blocks of that span beside, and
 * nothing else. Decision 145.
 */
import type { BookEntry } from '../ledger/book.ts';
import type { BookName } from '../port/books.ts';
import { unblocked } from './blocks.ts';
import { distinctBy } from './distinct.ts';
import { bookBlockRangeOf, bookPartitionOf, packedFromOf, placeOfTotal } from './keys.ts';
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

/** The blocks of one span of time: how many there are, and what they hold. */
interface SpanBlocks {
  readonly count: number;
  readonly entries: readonly Placed[];
}

/** A book that is read. */
export interface OpenBook {
  readonly table: Table;
  readonly name: BookName;
  readonly deadline: Deadline;
  /** The blocks that may hold an entry of a place; those of a span are read once. */
  readonly blocksAt: (place: string) => Promise<SpanBlocks>;
}

/** Thrown for an item of a book that cannot be read. */
export class UnreadableEntry extends Error {}

export function openBook(table: Table, name: BookName, deadline: Deadline): OpenBook {
  const known = new Map<string, Promise<SpanBlocks>>();
  const blocksAt = (place: string): Promise<SpanBlocks> => {
    const range = bookBlockRangeOf(bookPartitionOf(name), place);
    const blocks =
      known.get(range.from) ??
      itemsIn(table, range, deadline, {}).then((items) => ({
        count: items.length,
        entries: entriesAmong(name, items),
      }));
    known.set(range.from, blocks);
    return blocks;
  };
  return { table, name, deadline, blocksAt };
}

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

/** The items of a book that were read so far, and the entries in them. */
export interface ReadSoFar {
  readonly items: number;
  readonly entries: number;
}

/** The entries behind one place up to another, part by part. `countOf` tells how many items are read next. */
export async function* windowsOf(
  { table, name, deadline, blocksAt }: OpenBook,
  { from, to }: { readonly from: string; readonly to: string },
  countOf: (round: number, read: ReadSoFar) => number,
): AsyncGenerator<BookWindow, void, undefined> {
  const range = { pk: bookPartitionOf(name), from, to };
  const parts = partsFrom(from);
  let read: ReadSoFar = { items: 0, entries: 0 };
  let after = from;
  for (let round = 0; after < to; round += 1) {
    const countMax = countOf(round, read);
    const items = await itemsIn(table, range, deadline, { countMax, after });
    const entries = entriesAmong(name, items);
    read = { items: read.items + items.length, entries: read.entries + entries.length };
    parts.add(entries);
    const last = items.length < countMax ? to : (items.at(-1)?.['sk'] as string);
    // All items before the span of the last one were met, with its blocks.
    yield parts.upTo(packedFromOf(last));
    const blocks = bookBlockRangeOf(range.pk, last);
    if (last !== blocks.to) parts.add((await blocksAt(last)).entries);
    after = last > blocks.from ? blocks.to : last;
    yield parts.upTo(after);
  }
}

/** Puts entries that come in any order into parts that follow each other. */
function partsFrom(from: string) {
  let begin = from;
  let held: readonly Placed[] = [];
  return {
    add: (entries: readonly Placed[]) => {
      held = [...held, ...entries];
    },
    upTo: (end: string): BookWindow => {
      const first = begin;
      const has = (place: string) => place > first && place <= end;
      const entries = distinctBy(held, ({ place }) => place).filter(({ place }) => has(place));
      held = held.filter(({ place }) => place > end);
      begin = end > begin ? end : begin;
      return { entries: entries.sort(byPlace), has };
    },
  };
}

export function byPlace(one: Placed, other: Placed): number {
  return one.place < other.place ? -1 : 1;
}
