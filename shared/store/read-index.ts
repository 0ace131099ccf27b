/**
 * Places in a list or under a term, newest first. An item with several index entries lies at the newest of them, so what
 * a reader has seen down to one item is complete above that item's place. Decision 126.
 */
import type { ListPlace, Stretch } from '../port/catalog.ts';
import {
  type KeyRange,
  keyOfItem,
  luidOfListSk,
  packedEndOf,
  placeOfSk,
  timeRangeOf,
} from './keys.ts';
import { distinctIn } from './merge.ts';
import { unpackIndex } from './pack-index.ts';
import { itemsIn } from './read.ts';
import type { Item, Table } from './request.ts';
import { deadlineIn } from './retry.ts';

/** The items of the first query: those of a busy ledger hold several places each. */
const firstCountMax = 32;

/**
 * Places in order, each once: a record may have several index entries of a term for some time. Where items may hold
 * several, one behind the end may have others before it.
 */
export async function placesIn(
  table: Table,
  pk: string,
  stretch: Stretch,
  isPacked: boolean,
): Promise<ListPlace[]> {
  const { from, to } = boundsOf(pk, stretch);
  if (from > to) return [];
  const range = { pk, from, to: isPacked ? packedEndOf(to) : to };
  const deadline = deadlineIn(table.deadlineMs);
  const places = new Map<string, ListPlace>();
  const { limit } = stretch;
  let after: string | undefined;
  let complete = 0;
  let read = 0;
  do {
    const countMax = countOf(limit - complete, places.size, read, isPacked);
    const options = { newestFirst: true, countMax, ...(after !== undefined && { after }) };
    const items = await itemsIn(table, range, deadline, options);
    read += items.length;
    for (const place of items.flatMap(placesOf)) places.set(place.at, place);
    after = items.length < countMax ? undefined : keyOfItem(items.at(-1) ?? {}).sk;
    // Nothing that is still to come lies before the last item.
    const edge = after === undefined ? from : placeOfSk(after);
    complete = within(places, edge, to).length;
  } while (after !== undefined && complete < limit);
  return within(places, from, to).sort(newestFirst).slice(0, limit);
}

/**
 * Places in partitions that hold an item for each index entry, in order, each once. A record that has two for some time
 * has both in the same partition, so that what is read again shows whether there are more. Decision 132.
 */
export async function spreadPlacesIn(
  table: Table,
  pks: readonly string[],
  stretch: Stretch,
): Promise<ListPlace[]> {
  const ranges = pks.map((pk) => boundsOf(pk, stretch));
  if (ranges.some(({ from, to }) => from > to)) return [];
  const deadline = deadlineIn(table.deadlineMs);
  const options = { newestFirst: true, countMax: stretch.limit };
  const placeIn = ({ sk }: Item) => placeOfSk(sk as string);
  const items = await distinctIn(table, ranges, deadline, options, placeIn);
  return items.flatMap(placesOf);
}

/** The sort keys of a stretch of a partition. */
export function boundsOf(pk: string, { sinceMs = 0, upTo = '' }: Stretch): KeyRange {
  // An index entry adds a number to the place of its record.
  return timeRangeOf(pk, sinceMs, typeof upTo === 'string' ? `${upTo}~` : upTo);
}

function within(places: ReadonlyMap<string, ListPlace>, from: string, to: string): ListPlace[] {
  return [...places.values()].filter(({ at }) => at >= from && at <= to);
}

/** The order of places. */
export function newestFirst(one: ListPlace, other: ListPlace): number {
  return one.at < other.at ? 1 : -1;
}

/** The items to ask for, by how many places those before had on average. One that is not packed has a single one. */
function countOf(wanted: number, places: number, read: number, isPacked: boolean): number {
  if (!isPacked) return wanted;
  if (read === 0) return Math.min(wanted, firstCountMax);
  return Math.max(1, Math.ceil((wanted * read) / Math.max(places, read)));
}

/** The places in an item. */
export function placesOf(item: Item): ListPlace[] {
  return unpackIndex(item).map(({ sk, handle }) => {
    const at = placeOfSk(sk as string);
    return { at, luid: luidOfListSk(at), name: handle as string };
  });
}
