/**
 * Due work, found by markers that lie with the server: small, and of all ledgers together, so that a
 * worker sees what is due before it reads any of it. Decisions 18 and 39.
 */
import type { Delivery, DueDelivery, DuePart, DuePlaces } from '../port/deliveries.ts';
import type { Expiries, ExpiryPlaces } from '../port/expiries.ts';
import { readAll } from './deliveries.ts';
import {
  dueKeyOf,
  dueOf,
  dueRangeOf,
  dueShardCount,
  expiryMarkAttribute,
  expiryMarkKey,
  expiryRangeOf,
  expiryShardCount,
  type KeyRange,
  workOf,
} from './keys.ts';
import { spreadIn } from './pack-delivery.ts';
import { itemsIn } from './read.ts';
import type { Item, Table } from './request.ts';
import { deadlineIn } from './retry.ts';
import { remove } from './write-all.ts';

/** The markers of a shard that are read at a time. */
const duePageLength = 1_000;
const expiryPageLength = 100;

/**
 * A marker whose delivery is not there, or not due at that time, is removed once it is as old as this, in milliseconds:
 * reads are read-committed and may see a marker before the delivery that was stored with it.
 */
const strayMsMin = 5 * 60_000;

/** Some of the deliveries that are due by that time, from a place on in each shard, the longest due first. */
export async function dueDeliveries(
  table: Table,
  nowMs: number,
  from: DuePlaces = startOf(dueShardCount),
): Promise<DuePart> {
  const ranges = from.map((_, shard) => dueRangeOf(shard, nowMs));
  const { markers, next } = await markersIn(table, ranges, from, duePageLength);
  const due = markers.map(markedBy).sort((one, other) => one.dueMs - other.dueMs);
  return { due, ...morePlaces(next) };
}

/** Those of the deliveries that are still due, in their order, or will be within `aheadMs`. */
export async function readDue(
  table: Table,
  names: readonly DueDelivery[],
  nowMs: number,
  aheadMs = 0,
): Promise<Delivery[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const found = await readAll(table, names, deadline);
  const strays = names.filter(
    ({ dueMs }, index) => found[index]?.dueMs !== dueMs && dueMs + strayMsMin < nowMs,
  );
  const strayKeys = strays.map((name) => dueKeyOf(name, name.dueMs));
  await remove(table, strayKeys, deadline);
  // Another courier may have taken a delivery on between the two reads: then it is due later, or over.
  const untilMs = nowMs + aheadMs;
  return found.flatMap((one) => (one?.dueMs !== undefined && one.dueMs <= untilMs ? one : []));
}

/** Some of the undecided intents whose time is over, from a place on in each shard. */
export async function dueIntents(
  table: Table,
  nowMs: number,
  from: ExpiryPlaces = startOf(expiryShardCount),
): ReturnType<Expiries['due']> {
  const pagesFrom = (places: ExpiryPlaces) => {
    const ranges = places.map((_, shard) => expiryRangeOf(shard, nowMs));
    return markersIn(table, ranges, places, expiryPageLength);
  };
  const first = await pagesFrom(from);
  const mark = first.markers.find(({ sk }) => sk === expiryMarkKey.sk);
  const count = Number(mark?.[expiryMarkAttribute] ?? 0);
  const further = await pagesFrom(startOf(count).fill(undefined, 0, from.length));
  const markers = [...first.markers.filter((one) => one !== mark), ...further.markers];
  const due = markers.map(({ sk, handle }) => {
    return { ...workOf(sk as string), handle: handle as string };
  });
  return { due, ...morePlaces([...first.next, ...further.next.slice(from.length)]) };
}

/** A page of markers of each shard, from its place on; `next` says where those of each shard go on. */
async function markersIn(
  table: Table,
  ranges: readonly KeyRange[],
  from: readonly (string | undefined)[],
  countMax: number,
) {
  const pages = await Promise.all(
    from.map(async (place, shard): Promise<Item[]> => {
      const range = ranges[shard];
      if (place === undefined || !range) return [];
      const options = { countMax, ...(place !== '' && { after: place }) };
      return itemsIn(table, range, deadlineIn(table.deadlineMs), options);
    }),
  );
  const next = pages.map((page) =>
    page.length < countMax ? undefined : (page.at(-1)?.['sk'] as string),
  );
  return { markers: pages.flat(), next };
}

/** The places from which more is read; none where every shard is exhausted. */
function morePlaces(next: readonly (string | undefined)[]) {
  return next.some((place) => place !== undefined) ? { next } : {};
}

function startOf(shardCount: number): (string | undefined)[] {
  return Array.from({ length: shardCount }, () => '');
}

function markedBy(marker: Item): DueDelivery {
  const isSoon = marker['soon'] === true && { isSoon: true as const };
  const name = { ...dueOf(marker['sk'] as string), ...spreadIn(marker) };
  return { ...name, isReplay: marker['asked'] === true, ...isSoon };
}
