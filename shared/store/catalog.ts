/**
 * Finding records: lists, index entries of terms, and the outbox entries whose versions are not indexed yet.
 * Rulings 20 to 23, Decisions 31 and 32.
 */

import { firstChangeOf, type Version } from '../ledger/record.ts';
import type { Term } from '../ledger/term.ts';
import type { EntryVersion, Listing, ListPlace, Stretch, UnindexedEntry } from '../port/catalog.ts';
import type { OutboxEntry } from '../port/outbox.ts';
import type { Scope } from '../port/ports.ts';
import {
  changeKeyOf,
  type Key,
  luidOfListSk,
  outboxPartitionOf,
  passingIndexKeysOf,
  placeOfSk,
  termPartitionOf,
  textOf,
  timeRangeOf,
} from './keys.ts';
import { listPartitionsIn, shardsIn } from './layout.ts';
import { mergedIn } from './merge.ts';
import { entryOf } from './outbox.ts';
import { lastingIndexItemsOf, passingIndexItemsOf } from './projection.ts';
import { itemsAt, itemsIn, versionIn } from './read.ts';
import type { Item, Table } from './request.ts';
import { deadlineIn } from './retry.ts';
import { writeAll } from './write-all.ts';

/** The entries of each shard of an outbox that belong to the tail. */
const tailLength = 250;

/** Places in a list, newest first. */
export async function listed(
  table: Table,
  listing: Listing,
  { sinceMs = 0, upTo = '', limit }: Stretch,
): Promise<ListPlace[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const pks = await listPartitionsIn(table, listing, deadline);
  const ranges = pks.map((pk) => timeRangeOf(pk, sinceMs, upToOf(upTo)));
  if (ranges.some(({ from, to }) => from > to)) return [];
  const items = await mergedIn(table, ranges, deadline, { newestFirst: true, countMax: limit });
  return items.map(placeOf);
}

/** Places in a list that have an index entry of a term, newest first. */
export function indexEntries(
  table: Table,
  listing: Listing,
  term: Term,
  stretch: Stretch,
): Promise<ListPlace[]> {
  return placesIn(table, termPartitionOf(listing, term), stretch);
}

/** The newest entries of a scope's outbox. */
export async function tail(table: Table, scope: Scope): Promise<OutboxEntry[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const shards = (await shardsIn(table, scope, deadline)).map(async (shard) => {
    const pk = outboxPartitionOf(scope, shard);
    const options = { newestFirst: true, countMax: tailLength };
    const items = await itemsIn(table, { pk }, deadline, options);
    return items.map((item) => entryOf(scope, shard, item));
  });
  return (await Promise.all(shards)).flat();
}

/**
 * Adds the index entries of versions, and removes those that the versions before them had alone. What all versions of a
 * record share is written with its first one, and with one whose predecessor cannot be read.
 */
export async function keep(
  table: Table,
  entries: readonly EntryVersion[],
): Promise<UnindexedEntry[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const before = await itemsAt(table, entries.flatMap(keyBefore), deadline);
  const unkept: UnindexedEntry[] = [];
  const puts: Item[] = [];
  const deletes: Key[] = [];
  for (const one of entries) {
    try {
      const { scope } = one.entry;
      const previous = previousIn(one, before);
      if (previous) deletes.push(...passingIndexKeysOf(scope, previous));
      else puts.push(...lastingIndexItemsOf(scope, one.version));
      if (!isSuperseded(one, entries)) puts.push(...passingIndexItemsOf(scope, one.version));
    } catch (error) {
      unkept.push({
        entry: one.entry,
        why: error instanceof Error ? error.message : String(error),
      });
    }
  }
  await writeAll(table, { puts, deletes }, deadline);
  return unkept;
}

/** The version before, where it can be read. */
function previousIn(one: EntryVersion, before: ReadonlyMap<string, Item>): Version | undefined {
  const [key] = keyBefore(one);
  return key && versionIn(before.get(textOf(key)));
}

/** True when a later version of the record is in the same batch: that one gets the index entries. */
function isSuperseded({ entry, version }: EntryVersion, entries: readonly EntryVersion[]): boolean {
  return entries.some(
    (other) =>
      other.entry.luid === entry.luid &&
      other.entry.scope === entry.scope &&
      other.version.change > version.change,
  );
}

function keyBefore({ entry: { scope, luid }, version }: EntryVersion): Key[] {
  const first = firstChangeOf(version);
  return first > 1 ? [changeKeyOf(scope, luid, first - 1)] : [];
}

/** Places in order, each once: a record may have several index entries of a term for some time. */
async function placesIn(table: Table, pk: string, stretch: Stretch): Promise<ListPlace[]> {
  const { sinceMs = 0, upTo = '', limit } = stretch;
  const range = timeRangeOf(pk, sinceMs, upToOf(upTo));
  if (range.from > range.to) return [];
  const deadline = deadlineIn(table.deadlineMs);
  const places = new Map<string, ListPlace>();
  let after: string | undefined;
  do {
    const countMax = limit - places.size;
    const options = { newestFirst: true, countMax, ...(after !== undefined && { after }) };
    const items = await itemsIn(table, range, deadline, options);
    for (const place of items.map(placeOf)) places.set(place.at, place);
    after = items.length < countMax ? undefined : (items.at(-1)?.['sk'] as string | undefined);
  } while (after !== undefined && places.size < limit);
  return [...places.values()];
}

/** The end of a range, behind all that has this place: an index entry adds a number to the place of its record. */
function upToOf(upTo: number | string): number | string {
  return typeof upTo === 'string' ? `${upTo}~` : upTo;
}

function placeOf({ sk, handle }: Item): ListPlace {
  const at = placeOfSk(sk as string);
  return { at, luid: luidOfListSk(at), name: handle as string };
}
