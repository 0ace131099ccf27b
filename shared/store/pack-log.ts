/**
 * The leaves of a log as items. Changes that were made at once are a run: they share luid and hash, so a run takes a
 * third of the bytes of its leaves. A run never goes beyond its tile.
 */
import type { Leaf } from '../log/leaf.ts';
import { tileWidth } from '../log/tile.ts';
import { type Hash, hashByteCount, type Tree } from '../log/tree.ts';
import type { Item } from './request.ts';

/** The leaves of changes of one record that were made at once; their numbers follow each other. */
export interface Run {
  /** The index of its first leaf. */
  readonly index: number;
  readonly leaves: readonly Leaf[];
}

/** The runs that one item holds; all lie in the same tile. */
export interface RunsItem {
  /** The index of the first leaf. */
  readonly index: number;
  /** JSON of `PackedRun`s. */
  readonly runs: string;
}

type PackedRun = readonly [
  luid: string,
  change: number,
  hash: string,
  changes: readonly (readonly [moment: string, proofs: string])[],
];

/** The runs of leaves that come behind this size, the leaves of each version given together. */
export function runsOf(size: number, versions: readonly (readonly Leaf[])[]): Run[] {
  const runs: Run[] = [];
  let index = size;
  for (const leaves of versions)
    for (let rest = leaves; rest.length > 0; ) {
      const room = tileWidth - (index % tileWidth);
      runs.push({ index, leaves: rest.slice(0, room) });
      index += Math.min(room, rest.length);
      rest = rest.slice(room);
    }
  return runs;
}

/** The items of runs, one for each tile. */
export function packRuns(runs: readonly Run[]): RunsItem[] {
  const byTile = new Map<number, Run[]>();
  for (const run of runs) {
    const tile = Math.floor(run.index / tileWidth);
    byTile.set(tile, [...(byTile.get(tile) ?? []), run]);
  }
  return [...byTile.values()].map((some) => ({
    index: some[0]?.index ?? 0,
    runs: JSON.stringify(some.map(packRun)),
  }));
}

function packRun({ leaves }: Run): PackedRun {
  const [{ luid, change, hash }] = leaves as [Leaf];
  return [luid, change, hash, leaves.map(({ moment, proofs }) => [moment, proofs])];
}

/** The runs of an item, from its first index on. */
export function unpackRuns(index: number, { runs }: Item): Run[] {
  let at = index;
  return (JSON.parse(String(runs)) as readonly PackedRun[]).map(([luid, first, hash, changes]) => {
    const leaves = changes.map(([moment, proofs], count) => ({
      ...{ luid, change: first + count, hash, moment, proofs },
    }));
    const run = { index: at, leaves };
    at += leaves.length;
    return run;
  });
}

/** The attributes of the head of a log, beside its key. */
export interface LogItem {
  readonly size: number;
  /** The size up to which places and tiles are written. */
  readonly settled: number;
  /** The roots of the complete subtrees, the largest first; absent in an empty log. */
  readonly peaks?: Uint8Array;
  readonly whole?: boolean;
}

/** A log as it is stored. */
export interface StoredLog {
  readonly tree: Tree;
  readonly settled: number;
  readonly isWhole: boolean;
}

export function unpackLog(item: Item): StoredLog {
  const { size, settled, peaks, whole } = item as unknown as LogItem;
  return {
    tree: { size: Number(size), peaks: peaks ? unpackHashes(peaks) : [] },
    settled: Number(settled),
    isWhole: whole === true,
  };
}

export function packHashes(hashes: readonly Hash[]): Uint8Array {
  return Buffer.concat(hashes);
}

/** The hashes in bytes that the database has answered. */
export function unpackHashes(bytes: Uint8Array): Hash[] {
  return Array.from({ length: bytes.length / hashByteCount }, (_, index) =>
    Uint8Array.from(bytes.subarray(index * hashByteCount, (index + 1) * hashByteCount)),
  );
}
