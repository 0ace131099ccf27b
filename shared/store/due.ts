/**
 * What is due, by the markers that lie with the server: small, and of all ledgers together, so that
 * whoever looks for work sees what there is before reading any of it. Decision 18.
 */
import type { Delivery, DueDelivery, DuePart, DuePlaces } from '../port/deliveries.ts';
import { readAll } from './deliveries.ts';
import { dueKeyOf, dueOf, dueRangeOf, dueShardCount } from './keys.ts';
import { itemsIn } from './read.ts';
import { remove } from './remove.ts';
import type { Item, Table } from './request.ts';
import { deadlineIn } from './retry.ts';

/** How many markers of a shard are read at a time. */
const pageLengthMax = 1_000;

/**
 * A marker without its delivery is taken away once it is as old as this, in milliseconds: reads are
 * read-committed and may see a marker before the delivery that was stored with it.
 */
const strayMsMin = 5 * 60_000;

const allShards: DuePlaces = Array.from({ length: dueShardCount }, () => '');

/** What is due by that time, from a place on in each shard, the longest due first. */
export async function due(
  table: Table,
  nowMs: number,
  from: DuePlaces = allShards,
): Promise<DuePart> {
  const pages = await Promise.all(from.map((place, shard) => pageOf(table, nowMs, shard, place)));
  const next = pages.map((page) =>
    page.length < pageLengthMax ? undefined : placeOf(page.at(-1)),
  );
  const found = pages.flat().map(markedBy);
  return {
    due: found.sort((one, other) => one.dueMs - other.dueMs),
    ...(next.some((place) => place !== undefined) && { next }),
  };
}

/** Those of the deliveries that are still due, in their order. */
export async function readDue(
  table: Table,
  names: readonly DueDelivery[],
  nowMs: number,
): Promise<Delivery[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const found = await readAll(table, names, deadline);
  const strays = names.filter(({ dueMs }, index) => !found[index] && dueMs + strayMsMin < nowMs);
  const strayKeys = strays.map((name) => dueKeyOf(name, name.dueMs));
  await remove(table, strayKeys, deadline);
  // Between the two reads someone else may have taken a delivery on: then it is due later, or over.
  return found.flatMap((one) => (one?.dueMs !== undefined && one.dueMs <= nowMs ? one : []));
}

async function pageOf(
  table: Table,
  nowMs: number,
  shard: number,
  place: string | undefined,
): Promise<Item[]> {
  if (place === undefined) return [];
  const options = { countMax: pageLengthMax, ...(place !== '' && { after: place }) };
  return itemsIn(table, dueRangeOf(shard, nowMs), deadlineIn(table.deadlineMs), options);
}

function placeOf(marker: Item | undefined): string | undefined {
  return marker?.['sk'] as string | undefined;
}

function markedBy(marker: Item): DueDelivery {
  const isSoon = marker['soon'] === true && { isSoon: true as const };
  return { ...dueOf(marker['sk'] as string), isAsked: marker['asked'] === true, ...isSoon };
}
