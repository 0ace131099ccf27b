/** Reading a log: the places of changes, tiles, and leaves. */
import { assert } from '../ledger/assert.ts';
import type { Leaf } from '../log/leaf.ts';
import { type Tile, type TileHashes, tileWidth } from '../log/tile.ts';
import type { Scope } from '../port/ports.ts';
import { type KeyRange, loggedRangeOf, textOf, tileKeyOf } from './keys.ts';
import { unpackHashes } from './pack-log.ts';
import { placesAmong } from './pack-places.ts';
import { itemsAt, itemsIn } from './read.ts';
import type { Item, Table } from './request.ts';
import { type Deadline, deadlineIn } from './retry.ts';
import { hashesOfRuns, rootsIn, runsIn } from './settle-log.ts';

/** The index of the leaf of a change. */
export async function indexOf(
  table: Table,
  scope: Scope,
  luid: string,
  change: number,
): Promise<number | undefined> {
  const range = loggedRangeOf(scope, luid, change);
  const options = { newestFirst: true, countMax: 1 };
  const deadline = deadlineIn(table.deadlineMs);
  const alone = indexAmong(await itemsIn(table, range, deadline, options), change);
  if (alone !== undefined) return alone;
  const packed = await packedPlaces(table, scope, [luid], deadline);
  return indexAmong(
    [...packed.values()].filter(({ pk }) => pk === range.pk),
    change,
  );
}

/** The index of the leaf of a change, by the places of its record. */
function indexAmong(places: readonly Item[], change: number): number | undefined {
  for (const { sk, index, count } of places) {
    const behind = change - Number(sk);
    if (behind >= 0 && behind < Number(count)) return Number(index) + behind;
  }
  return undefined;
}

/** The places of these records that lie in items with others, each as an item by itself. */
export function packedPlaces(
  table: Table,
  scope: Scope,
  luids: readonly string[],
  deadline: Deadline,
): Promise<ReadonlyMap<string, Item>> {
  const pagesOf = async function* pagesOf(range: KeyRange) {
    yield await itemsIn(table, range, deadline, {});
  };
  return placesAmong(pagesOf, scope, luids);
}

/** The hashes of tiles: full ones as they are stored, others from what they are made of. */
export async function tiles(
  table: Table,
  scope: Scope,
  wanted: readonly Tile[],
): Promise<TileHashes[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const full = wanted.filter(({ width }) => width === tileWidth);
  const keys = full.map(({ level, number }) => tileKeyOf(scope, level, number));
  const found = await itemsAt(table, keys, deadline);
  return Promise.all(
    wanted.map((tile) => {
      const item = found.get(textOf(tileKeyOf(scope, tile.level, tile.number)));
      return item
        ? unpackHashes(item['hashes'] as Uint8Array)
        : partial(table, scope, tile, deadline);
    }),
  );
}

async function partial(
  table: Table,
  scope: Scope,
  { level, number, width }: Tile,
  deadline: Deadline,
): Promise<TileHashes> {
  const hashes =
    level === 0
      ? hashesOfRuns(await runsIn(table, scope, number, 0, deadline))
      : await rootsIn(table, scope, level, number, deadline);
  assert(hashes.length >= width, 'a tile is asked for as wide as it is');
  return hashes.slice(0, width);
}

/** So many leaves of a tile, from its first one. */
export async function leaves(
  table: Table,
  scope: Scope,
  number: number,
  width: number,
): Promise<Leaf[]> {
  const runs = await runsIn(table, scope, number, 0, deadlineIn(table.deadlineMs));
  const all = runs.flatMap((run) => run.leaves);
  assert(all.length >= width, 'a bundle is asked for as wide as it is');
  return all.slice(0, width);
}
