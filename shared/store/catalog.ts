/**
 * Finding records: lists, index entries of terms, and the outbox entries whose versions are not indexed yet.
 * Rulings 20 to 23, Decisions 31 and 32.
 */

import { LedgerError } from '../ledger/errors.ts';
import { keepsPlace } from '../ledger/kind.ts';
import { firstChangeOf, type Version } from '../ledger/record.ts';
import type { Term } from '../ledger/term.ts';
import { messageOf } from '../ledger/thrown.ts';
import type { EntryVersion, Listing, ListPlace, Stretch, UnindexedEntry } from '../port/catalog.ts';
import type { OutboxEntry } from '../port/outbox.ts';
import type { Scope } from '../port/ports.ts';
import { countMoves, type ListMove, seeCountMax, touchSpans } from './count-lists.ts';
import {
  changeKeyOf,
  isSpreadTerm,
  type Key,
  keyOfItem,
  listPartitionsOf,
  outboxPartitionOf,
  termPartitionsOf,
  textOf,
} from './keys.ts';
import { quiet } from './known-layouts.ts';
import { readSpread, shardsIn, sharesItems } from './layout.ts';
import { newestWithin } from './list-entries.ts';
import { entriesOf, versions as versionsOf } from './outbox.ts';
import { packIndex } from './pack-index.ts';
import { lastingIndexItemsOf, passingIndexItemsOf } from './projection.ts';
import { itemsAt, itemsIn, versionIn } from './read.ts';
import { boundsOf, newestFirst, placesIn, placesOf, spreadPlacesIn } from './read-index.ts';
import type { Item, Table } from './request.ts';
import { type Deadline, deadlineIn, pause } from './retry.ts';
import type { FollowStep } from './step.ts';
import { writeAll } from './write-all.ts';

/** The entries of each shard of an outbox that belong to the tail. */
export const tailLength = 250;
/** The items of each shard that a whole tail has at most. */
const wholeLengthMax = 2_500;

/** Places in a list, newest first. */
export async function listed(
  table: Table,
  listing: Listing,
  stretch: Stretch,
): Promise<ListPlace[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const { scope, kind, within } = listing;
  const items = await readSpread(table, listing, deadline, async (count) => {
    const pks = listPartitionsOf(scope, kind, count, within);
    const ranges = pks.map((pk) => boundsOf(pk, stretch));
    if (ranges.some(({ from, to }) => from > to)) return [];
    return newestWithin(table, ranges, stretch.limit, deadline);
  });
  return items.flatMap(placesOf);
}

/** Places in a list that have an index entry of a term, newest first. */
export async function indexEntries(
  table: Table,
  listing: Listing,
  term: Term,
  stretch: Stretch,
): Promise<ListPlace[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const read = (count: number) => indexEntriesIn(table, listing, term, stretch, count);
  return isSpreadTerm(listing.kind, term)
    ? readSpread(table, listing, deadline, read)
    : read(quiet.count);
}

async function indexEntriesIn(
  table: Table,
  listing: Listing,
  term: Term,
  stretch: Stretch,
  count: number,
): Promise<ListPlace[]> {
  const [first = '', ...rest] = termPartitionsOf(listing, term, count);
  const places = placesIn(table, first, stretch, keepsPlace(listing.kind));
  if (rest.length === 0) return places;
  const all = await Promise.all([places, spreadPlacesIn(table, rest, stretch)]);
  return all.flat().sort(newestFirst).slice(0, stretch.limit);
}

/** The newest entries of a scope's outbox, or all of them. */
export async function tail(table: Table, scope: Scope, how?: 'whole'): Promise<OutboxEntry[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const isWhole = how === 'whole';
  const options = { newestFirst: true, countMax: isWhole ? wholeLengthMax + 1 : tailLength };
  const shards = (await shardsIn(table, scope, deadline)).map(async (shard) => {
    const pk = outboxPartitionOf(scope, shard);
    const items = await itemsIn(table, { pk }, deadline, options);
    if (isWhole && items.length > wholeLengthMax) throw tooFarBehind();
    return items.flatMap((item) => entriesOf(scope, shard, item));
  });
  return (await Promise.all(shards)).flat();
}

function tooFarBehind(): LedgerError {
  return new LedgerError(
    'api.request-timeout',
    'Too many changes wait to be indexed for a request that all of them decide. Repeat it in a while.',
  );
}

/**
 * Adds the index entries of versions, and removes those that end. Entries that all later versions of a record share are
 * written with the version that has them first, and with one whose predecessor cannot be read.
 */
export async function keep(
  table: Table,
  entries: readonly EntryVersion[],
): Promise<UnindexedEntry[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const { writes, moves, unkept } = await indexPlanOf(table, entries, deadline);
  await writeAll(table, writes, deadline);
  // A place that is young by now was younger when it was stored.
  await countMoves(table, moves, Date.now(), deadline);
  return unkept;
}

/** The same as a step among others; undefined where spans are to be counted, or a version cannot be indexed. */
export async function indexStep(
  table: Table,
  entries: readonly EntryVersion[],
  nowMs: number,
  deadline: Deadline,
): Promise<FollowStep | undefined> {
  const { writes, moves, unkept } = await indexPlanOf(table, entries, deadline);
  if (unkept.length > 0 || (await touchSpans(table, moves, nowMs, deadline))) return undefined;
  return {
    writes,
    rest: () => countMoves(table, moves, nowMs, deadline),
  };
}

interface IndexPlan {
  readonly writes: IndexWrites;
  readonly moves: readonly ListMove[];
  readonly unkept: UnindexedEntry[];
}

async function indexPlanOf(
  table: Table,
  entries: readonly EntryVersion[],
  deadline: Deadline,
): Promise<IndexPlan> {
  const before = await itemsBefore(table, entries, deadline);
  const unkept: UnindexedEntry[] = [];
  const writes: (IndexWrites & { readonly isShort: boolean })[] = [];
  const moves: ListMove[] = [];
  for (const one of entries) {
    try {
      const move = moveOf(one, before);
      const isShort = sharesItems(table, one.entry);
      writes.push({ ...writesOf(one, entries, move.previous), isShort });
      moves.push(move);
    } catch (error) {
      unkept.push({
        entry: one.entry,
        why: messageOf(error),
      });
    }
  }
  const putsOf = (isShort: boolean) =>
    writes.flatMap((one) => (one.isShort === isShort ? one.puts : []));
  const puts = [...packIndex(putsOf(false)), ...packIndex(putsOf(true), true)];
  return { writes: { puts, deletes: writes.flatMap((one) => one.deletes) }, moves, unkept };
}

/** Moves in lists that outbox entries tell of; undefined when a version cannot be seen yet. */
export async function movesOf(
  table: Table,
  entries: readonly OutboxEntry[],
  deadline: Deadline,
): Promise<ListMove[] | undefined> {
  const versions = await versionsOf(table, entries);
  const known = entries.flatMap((entry, index): EntryVersion[] => {
    const version = versions[index];
    return version ? [{ entry, version }] : [];
  });
  if (known.length < entries.length) return undefined;
  const before = await itemsBefore(table, known, deadline);
  return known.map((one) => moveOf(one, before));
}

function moveOf(one: EntryVersion, before: ReadonlyMap<string, Item>): ListMove {
  const { entry, version } = one;
  return { scope: entry.scope, version, previous: previousIn(one, before) };
}

interface IndexWrites {
  readonly puts: readonly Item[];
  readonly deletes: readonly Key[];
}

/** The writes of one version among those of its batch. */
function writesOf(
  one: EntryVersion,
  entries: readonly EntryVersion[],
  previous: Version | undefined,
): IndexWrites {
  const { scope } = one.entry;
  const own = entries.filter(({ entry }) => isOfSameRecord(entry, one.entry));
  const last = own.reduce((latest, other) => (isLater(other, latest) ? other : latest));
  const lasting = lastingIndexItemsOf(scope, one.version);
  const passing = passingIndexItemsOf(scope, last.version);
  const ended = previous ? passingIndexItemsOf(scope, previous) : [];
  // The version before has written what it shares, unless it was passed over in this batch.
  const shared = own.some((other) => isLater(one, other)) ? [] : ended;
  return {
    puts: [
      ...without(lasting, previous ? lastingIndexItemsOf(scope, previous) : []),
      // The latest version alone gets the entries that pass.
      ...(last.version === one.version ? without(passing, shared) : []),
    ],
    deletes: without(ended, passing).map(keyOfItem),
  };
}

/** The items at other keys than these. */
function without(items: readonly Item[], others: readonly Item[]): Item[] {
  const texts = new Set(others.map((item) => textOf(keyOfItem(item))));
  return items.filter((item) => !texts.has(textOf(keyOfItem(item))));
}

/**
 * The versions before these, as they are stored. Each is there, but for a moment a read may see an item of a transaction
 * and not yet another, and a list would count what has left it.
 */
async function itemsBefore(
  table: Table,
  entries: readonly EntryVersion[],
  deadline: Deadline,
): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>();
  let left = entries.flatMap(keyBefore);
  for (let attempt = 0; left.length > 0 && attempt < seeCountMax; attempt += 1) {
    if (attempt > 0) await pause(attempt, deadline);
    for (const [text, item] of await itemsAt(table, left, deadline)) found.set(text, item);
    left = left.filter((key) => !found.has(textOf(key)));
  }
  return found;
}

/** The version before, where it can be read. */
function previousIn(one: EntryVersion, before: ReadonlyMap<string, Item>): Version | undefined {
  const [key] = keyBefore(one);
  return key && versionIn(before.get(textOf(key)));
}

function isOfSameRecord(one: OutboxEntry, other: OutboxEntry): boolean {
  return one.luid === other.luid && one.scope === other.scope;
}

function isLater(one: EntryVersion, other: EntryVersion): boolean {
  return one.version.change > other.version.change;
}

function keyBefore({ entry: { scope, luid }, version }: EntryVersion): Key[] {
  const first = firstChangeOf(version);
  return first > 1 ? [changeKeyOf(scope, luid, first - 1)] : [];
}
