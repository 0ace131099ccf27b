/**
 * Finding records: lists, index entries of terms, and the outbox entries whose versions are not indexed yet.
 * Rulings 20 to 23, Decisions 31 and 32.
 */

import { firstChangeOf } from '../ledger/record.ts';
import type { Term } from '../ledger/term.ts';
import type { EntryVersion, Listing, ListPlace, Stretch, UnindexedEntry } from '../port/catalog.ts';
import type { OutboxEntry } from '../port/outbox.ts';
import type { Scope } from '../port/ports.ts';
import {
  changeKeyOf,
  indexKeysOf,
  type Key,
  listPartitionOf,
  luidOfListSk,
  outboxPartitionOf,
  outboxShardCount,
  placeOfSk,
  termPartitionOf,
  textOf,
  timeRangeOf,
} from './keys.ts';
import { entryOf } from './outbox.ts';
import { unpack } from './pack.ts';
import { indexItemsOf } from './projection.ts';
import { itemsAt, itemsIn } from './read.ts';
import type { Item, Table } from './request.ts';
import { deadlineIn } from './retry.ts';
import { writeAll } from './write-all.ts';

/** The entries of each shard of an outbox that belong to the tail. */
const tailLength = 250;

/** Places in a list, newest first. */
export function listed(table: Table, listing: Listing, stretch: Stretch): Promise<ListPlace[]> {
  const { scope, kind, within } = listing;
  return placesIn(table, listPartitionOf(scope, kind, within), stretch);
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
  const shards = Array.from({ length: outboxShardCount }, async (_, shard) => {
    const pk = outboxPartitionOf(scope, shard);
    const options = { newestFirst: true, countMax: tailLength };
    const items = await itemsIn(table, { pk }, deadline, options);
    return items.map((item) => entryOf(scope, shard, item));
  });
  return (await Promise.all(shards)).flat();
}

/** Adds the index entries of versions, and removes those of the versions before them. */
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
      deletes.push(...endedBy(one, before));
      if (!isSuperseded(one, entries)) puts.push(...indexItemsOf(one.entry.scope, one.version));
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

/** The index entries of the version before. */
function endedBy(one: EntryVersion, before: ReadonlyMap<string, Item>): Key[] {
  return keyBefore(one).flatMap((key) => {
    const previous = before.get(textOf(key));
    return previous ? indexKeysOf(one.entry.scope, unpack(previous)) : [];
  });
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

async function placesIn(table: Table, pk: string, stretch: Stretch): Promise<ListPlace[]> {
  const { sinceMs = 0, upTo = '~', limit } = stretch;
  const range = timeRangeOf(pk, sinceMs, upTo);
  if (range.from > range.to) return [];
  const options = { newestFirst: true, countMax: limit };
  const items = await itemsIn(table, range, deadlineIn(table.deadlineMs), options);
  return items.map(placeOf);
}

function placeOf({ sk, handle }: Item): ListPlace {
  const at = sk as string;
  const listed = placeOfSk(at);
  return { at, listed, luid: luidOfListSk(listed), name: handle as string };
}
