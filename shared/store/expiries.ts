/**
 * Which intents have waited for too long, by the markers that lie with the server: of all ledgers
 * together, so that whoever ends them need not visit every ledger every minute. Decision 39.
 */
import type { Expiries, ExpiryPlaces } from '../port/expiries.ts';
import { expiryRangeOf, expiryShardCount, workOf } from './keys.ts';
import { itemsIn } from './read.ts';
import type { Item, Table } from './request.ts';
import { deadlineIn } from './retry.ts';

/** How many markers of a shard are read at a time. */
const pageLengthMax = 100;

const allShards: ExpiryPlaces = Array.from({ length: expiryShardCount }, () => '');

/** Some of the intents whose time is over, from a place on in each shard. */
export async function due(
  table: Table,
  nowMs: number,
  from: ExpiryPlaces = allShards,
): ReturnType<Expiries['due']> {
  const pages = await Promise.all(from.map((place, shard) => pageOf(table, nowMs, shard, place)));
  const next = pages.map((page) =>
    page.length < pageLengthMax ? undefined : (page.at(-1)?.['sk'] as string),
  );
  const found = pages.flat().map((marker) => {
    const { scope, luid } = workOf(marker['sk'] as string);
    return { scope, luid, handle: marker['handle'] as string };
  });
  return { due: found, ...(next.some((place) => place !== undefined) && { next }) };
}

async function pageOf(
  table: Table,
  nowMs: number,
  shard: number,
  place: string | undefined,
): Promise<Item[]> {
  if (place === undefined) return [];
  const options = { countMax: pageLengthMax, ...(place !== '' && { after: place }) };
  return itemsIn(table, expiryRangeOf(shard, nowMs), deadlineIn(table.deadlineMs), options);
}
