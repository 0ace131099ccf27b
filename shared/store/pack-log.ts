/**
 * The leaves of a log as items. Changes that were made at once are a run: they share luid and hash, so a run takes a
 * third of the bytes of its leaves. A run never goes beyond its tile.
 */
import type { Leaf } from '../log/leaf.ts';
import { tileWidth } from '../log/tile.ts';
import { type Hash, hashByteCount, type Tree } from '../log/tree.ts';
import { packMoment, unpackMoment } from './pack-words.ts';
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
  /** JSON of `PackedRun`s; of `ShortRun`s beside their hashes. */
  readonly runs: string;
  /** Of each run the hash and then those of its proofs, 32 bytes each. */
  readonly hashes?: Uint8Array;
}

type PackedRun = readonly [
  luid: string,
  change: number,
  hash: string,
  changes: readonly (readonly [moment: string, proofs: string])[],
];

/** A run without its hashes; its moments are milliseconds after that of the first leaf of the item. */
type ShortRun = readonly [luid: string, change: number, ...moments: (number | string)[]];

const hexForm = new RegExp(`^[0-9a-f]{${2 * hashByteCount}}$`);

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

/** The items of runs, one for each tile; with hashes as bytes where `isShort`, which the release before cannot read. */
export function packRuns(runs: readonly Run[], isShort: boolean): RunsItem[] {
  const byTile = new Map<number, Run[]>();
  for (const run of runs) {
    const tile = Math.floor(run.index / tileWidth);
    byTile.set(tile, [...(byTile.get(tile) ?? []), run]);
  }
  return [...byTile.values()].map((some) => ({
    index: some[0]?.index ?? 0,
    ...(isShort && some.every(isPlain) ? shortOf(some) : plainOf(some)),
  }));
}

/** Runs as any release reads them. */
export function plainOf(runs: readonly Run[]): Pick<RunsItem, 'runs'> {
  return { runs: JSON.stringify(runs.map(packRun)) };
}

function shortOf(runs: readonly Run[]): Omit<RunsItem, 'index'> {
  const first = runs[0]?.leaves[0]?.moment ?? '';
  const short = runs.map(({ leaves }, index): ShortRun => {
    const [{ luid, change }] = leaves as [Leaf];
    const moments = leaves.map(({ moment }) => packMoment(moment, first));
    return [luid, change, ...(index === 0 ? [first, ...moments.slice(1)] : moments)];
  });
  const hashes = runs.flatMap(({ leaves: [first, ...rest] }) => [
    first?.hash ?? '',
    ...[first, ...rest].map((leaf) => leaf?.proofs ?? ''),
  ]);
  return { runs: JSON.stringify(short), hashes: Buffer.from(hashes.join(''), 'hex') };
}

/** True for a run whose hashes are as the ledger writes them. */
function isPlain({ leaves }: Run): boolean {
  return leaves.every(({ hash, proofs }) => hexForm.test(hash) && hexForm.test(proofs));
}

function packRun({ leaves }: Run): PackedRun {
  const [{ luid, change, hash }] = leaves as [Leaf];
  return [luid, change, hash, leaves.map(({ moment, proofs }) => [moment, proofs])];
}

/** The runs of an item, from its first index on. */
export function unpackRuns(index: number, { runs, hashes }: Item): Run[] {
  if (hashes instanceof Uint8Array) return unpackShort(index, String(runs), hashes);
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

function unpackShort(index: number, runs: string, hashes: Uint8Array): Run[] {
  const all = unpackHashes(hashes).map((hash) => Buffer.from(hash).toString('hex'));
  let at = index;
  let next = 0;
  const short = JSON.parse(runs) as readonly ShortRun[];
  const first = String(short[0]?.[2]);
  return short.map(([luid, change, ...packed]) => {
    const hash = all[next++] ?? '';
    const moments = packed.map((one) => unpackMoment(one, first));
    const leaves = moments.map((one, count) => ({
      ...{ luid, change: change + count, hash, moment: one, proofs: all[next++] ?? '' },
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
  /** True where places of changes lie in items with others. Decision 142. */
  readonly packed?: boolean;
}

/** A log as it is stored. */
export interface StoredLog {
  readonly tree: Tree;
  readonly settled: number;
  readonly isWhole: boolean;
  readonly isPacked: boolean;
}

export function unpackLog(item: Item): StoredLog {
  const { size, settled, peaks, whole, packed } = item as unknown as LogItem;
  return {
    tree: { size: Number(size), peaks: peaks ? unpackHashes(peaks) : [] },
    settled: Number(settled),
    isWhole: whole === true,
    isPacked: packed === true,
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
