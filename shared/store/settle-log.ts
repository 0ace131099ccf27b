/**
 * Items that follow from the leaves of a log: their places, and the tiles that became full. Each of these items has one
 * content, whoever writes it and however often. Decision 115.
 */
import { assert } from '../ledger/assert.ts';
import { hashOfLeaf, type Leaf } from '../log/leaf.ts';
import { tileWidth } from '../log/tile.ts';
import { type Hash, rootOfComplete } from '../log/tree.ts';
import type { Scope } from '../port/ports.ts';
import { hashesKeyOf, hashesRangeOf, itemOf, logKeyOf, tileKeyOf } from './keys.ts';
import { isDense, layoutOf } from './layout.ts';
import { packHashes, type Run, type StoredLog, unpackHashes, unpackRuns } from './pack-log.ts';
import { packPlaces, placeItem } from './pack-places.ts';
import { itemsIn } from './read.ts';
import type { Item, Table } from './request.ts';
import { type Deadline, pause } from './retry.ts';
import { updateOne } from './try-to.ts';
import { writeAll } from './write-all.ts';

/** Writes places and tiles of the leaves behind `settled`, and then notes that; places share items where they may. */
export async function settle(
  table: Table,
  scope: Scope,
  { tree: { size }, settled, isPacked }: Pick<StoredLog, 'tree' | 'settled' | 'isPacked'>,
  deadline: Deadline,
): Promise<void> {
  const areShared = isPacked || isDense(await layoutOf(table, scope, deadline));
  await placeLeaves(table, scope, { from: settled, to: size, areShared }, deadline);
  await noteSettled(table, scope, size, deadline);
}

interface PlacedLeaves {
  readonly from: number;
  readonly to: number;
  /** True where places share items. */
  readonly areShared: boolean;
  /** The leaves, where they are known and lie in one tile. */
  readonly runs?: readonly Run[];
  /** The leaves before them in the tile that they fill, where these are known, too. */
  readonly before?: readonly Run[] | undefined;
}

/** Writes places and tiles of the leaves from one size of the log to another. */
export async function placeLeaves(
  table: Table,
  scope: Scope,
  { from: settled, to: size, areShared, runs: known, before }: PlacedLeaves,
  deadline: Deadline,
): Promise<void> {
  const last = Math.floor((size - 1) / tileWidth);
  const placed: Run[] = [];
  const tiles: Item[] = [];
  for (let tile = Math.floor(settled / tileWidth); tile <= last; tile += 1) {
    const [start, end] = [tile * tileWidth, (tile + 1) * tileWidth];
    const isFull = end <= size;
    // A tile that became full is made of all its leaves; otherwise the new ones are enough.
    const others = isFull ? before?.filter(({ index }) => index < settled) : [];
    const stretch = {
      from: isFull ? start : Math.max(start, settled),
      to: Math.min(end, size),
    };
    const own = known && others ? [...others, ...known] : [];
    const runs = areAllIn(own, stretch)
      ? own
      : await allRunsIn(table, scope, tile, stretch, deadline);
    placed.push(...runs.filter(({ index, leaves }) => index + leaves.length > settled));
    if (isFull) tiles.push(...tileItems(scope, 0, tile, hashesOfRuns(runs)));
  }
  // Records of the same time lie in several tiles.
  const places = placesOf(scope, placed, areShared);
  await Promise.all([
    writeAll(table, { puts: places }, deadline),
    writeAll(table, { puts: tiles }, deadline),
  ]);
  await settleAbove(table, scope, { from: settled, to: size }, deadline);
}

/** The items by which records find their leaves. */
export function placesOf(scope: Scope, runs: readonly Run[], areShared: boolean): Item[] {
  return areShared ? packPlaces(scope, runs) : runs.map((run) => placeItem(scope, run));
}

/** The items of the tile that leaves with these hashes fill, if they fill one; undefined where they fill more, or one of a level above. */
export async function fullTile(
  table: Table,
  scope: Scope,
  size: number,
  added: readonly Hash[],
  deadline: Deadline,
): Promise<readonly Item[] | undefined> {
  const number = Math.floor(size / tileWidth);
  const fullCount = Math.floor((size + added.length) / tileWidth) - number;
  if (fullCount === 0) return [];
  if (fullCount > 1 || (number + 1) % tileWidth === 0) return undefined;
  const before = hashesOfRuns(await runsIn(table, scope, number, 0, deadline));
  // Others have put leaves there.
  if (before.length !== size % tileWidth) return undefined;
  const hashes = [...before, ...added].slice(0, tileWidth);
  return tileItems(scope, 0, number, hashes);
}

/** The tiles above level 0 that became full. */
async function settleAbove(
  table: Table,
  scope: Scope,
  { from, to }: { readonly from: number; readonly to: number },
  deadline: Deadline,
): Promise<void> {
  for (let level = 1; to >= tileWidth ** (level + 1); level += 1) {
    const span = tileWidth ** (level + 1);
    for (let tile = Math.floor(from / span); tile < Math.floor(to / span); tile += 1) {
      const roots = await rootsIn(table, scope, level, tile, deadline);
      await writeAll(table, { puts: tileItems(scope, level, tile, roots) }, deadline);
    }
  }
}

/** A full tile, and its root among the hashes of the level above. */
function tileItems(scope: Scope, level: number, number: number, hashes: readonly Hash[]): Item[] {
  const root = packHashes([rootOfComplete(hashes)]);
  return [
    { ...tileKeyOf(scope, level, number), hashes: packHashes(hashes) },
    { ...hashesKeyOf(scope, level + 1, number), root },
  ];
}

async function noteSettled(
  table: Table,
  scope: Scope,
  size: number,
  deadline: Deadline,
): Promise<void> {
  const action = {
    TableName: table.tableName,
    Key: logKeyOf(scope),
    UpdateExpression: 'SET settled = :size',
    ConditionExpression: 'settled < :size',
    ExpressionAttributeValues: { ':size': size },
  };
  // It is refused when another sequencer has settled as much.
  await updateOne(table, action, deadline);
}

/** The runs of a tile, from an index on. */
export async function runsIn(
  table: Table,
  scope: Scope,
  tile: number,
  from: number,
  deadline: Deadline,
): Promise<Run[]> {
  const items = await itemsIn(table, hashesRangeOf(scope, 0, tile, from), deadline, {});
  return items.flatMap((item) => {
    const name = itemOf(String(item['pk']), String(item['sk']));
    return name?.item === 'leaves' ? unpackRuns(name.index, item) : [];
  });
}

/** Leaves from one size of the log to another, in one tile. */
interface LeafStretch {
  readonly from: number;
  readonly to: number;
}

/**
 * The runs of a stretch of a tile, all of which lie before the head. Who sees the head of a transaction may not see all
 * of its leaves yet.
 */
async function allRunsIn(
  table: Table,
  scope: Scope,
  tile: number,
  stretch: LeafStretch,
  deadline: Deadline,
): Promise<Run[]> {
  for (let attempt = 0; ; attempt += 1) {
    // Those that are missing may lie in an item that begins before.
    const runs = await runsIn(table, scope, tile, attempt === 0 ? stretch.from : 0, deadline);
    if (areAllIn(runs, stretch)) return runs;
    await pause(attempt, deadline);
  }
}

function areAllIn(runs: readonly Run[], { from, to }: LeafStretch): boolean {
  const start = Math.min(from, runs[0]?.index ?? from);
  return start + leavesBehind(start, runs).length >= to;
}

/** The leaves from a size of the log on, in its tile and the next one. */
export async function leavesFrom(
  table: Table,
  scope: Scope,
  size: number,
  deadline: Deadline,
): Promise<Leaf[]> {
  const tile = Math.floor(size / tileWidth);
  const runs = await Promise.all([
    runsIn(table, scope, tile, size, deadline),
    runsIn(table, scope, tile + 1, 0, deadline),
  ]);
  return leavesBehind(size, runs.flat());
}

/** The leaves of runs that follow a size without a gap. */
function leavesBehind(size: number, runs: readonly Run[]): Leaf[] {
  const found: Leaf[] = [];
  for (const { index, leaves } of runs) {
    if (index !== size + found.length) return found;
    found.push(...leaves);
  }
  return found;
}

/** The same leaves, with those that the head had come to since they were read. */
export async function leavesUpTo(
  table: Table,
  scope: Scope,
  {
    size,
    leaves,
    until,
  }: { readonly size: number; readonly leaves: readonly Leaf[]; readonly until: number },
  deadline: Deadline,
): Promise<Leaf[]> {
  const all = [...leaves];
  while (size + all.length < until) {
    const more = await leavesFrom(table, scope, size + all.length, deadline);
    assert(more.length > 0, 'all leaves before the head are there');
    all.push(...more);
  }
  return all;
}

export function hashesOfRuns(runs: readonly Run[]): Hash[] {
  return runs.flatMap(({ leaves }) => leaves.map(hashOfLeaf));
}

/** The hashes of a tile above level 0, as far as there are. */
export async function rootsIn(
  table: Table,
  scope: Scope,
  level: number,
  tile: number,
  deadline: Deadline,
): Promise<Hash[]> {
  const items = await itemsIn(table, hashesRangeOf(scope, level, tile), deadline, {});
  return items.flatMap(({ root }) => unpackHashes(root as Uint8Array));
}
