/**
 * Tiles: the tree in pieces of up to 256 hashes, each of which stands for a subtree of eight rows. At level 0 they are
 * the hashes of leaves, above the roots of full tiles. A tile that is full never changes. C2SP tlog-tiles.
 */
import { assert } from '../ledger/assert.ts';
import { completeRanges, type LeafRange } from './path.ts';
import { type Hash, hashByteCount, rootOfComplete, rootOfPeaks } from './tree.ts';

export const tileWidth = 256;
/** Levels above this one would hold more leaves than there are safe integers. */
const levelMax = 6;

/** A tile; a bundle of entries has the number and the width of the tile of level 0 with their hashes. */
export interface Tile {
  readonly level: number;
  readonly number: number;
  /** 1 to 256 hashes; fewer than 256 for the last tile of a level. */
  readonly width: number;
}

/** The hashes of a tile, in their order. */
export type TileHashes = readonly Hash[];

/** The width of a tile in a tree of this size; 0 where there is none. */
export function widthIn(size: number, { level, number }: Omit<Tile, 'width'>): number {
  if (level > levelMax) return 0;
  const hashes = Math.floor(size / tileWidth ** level) - number * tileWidth;
  return Math.max(0, Math.min(tileWidth, hashes));
}

/** The path of a tile behind `tile/`, or, for `entries`, that of a bundle. */
export function pathOfTile({ level, number, width }: Tile, place: string = String(level)): string {
  const groups = [String(number % 1000).padStart(3, '0')];
  for (let rest = Math.floor(number / 1000); rest > 0; rest = Math.floor(rest / 1000))
    groups.unshift(`x${String(rest % 1000).padStart(3, '0')}`);
  const partial = width < tileWidth ? `.p/${width}` : '';
  return `${place}/${groups.join('/')}${partial}`;
}

const pathPattern = /^(0|[1-9]\d?|entries)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** The tile of a path, or the bundle of one; undefined for a path that `pathOfTile` does not form. */
export function tileOfPath(path: string): (Tile & { readonly isEntries: boolean }) | undefined {
  const [, place = '', groups = '', partial] = pathPattern.exec(path) ?? [];
  if (place === '') return undefined;
  const isEntries = place === 'entries';
  const tile = {
    level: isEntries ? 0 : Number(place),
    number: Number(groups.replaceAll(/[x/]/g, '')),
    width: partial === undefined ? tileWidth : Number(partial),
  };
  const isFormed = Number.isSafeInteger(tile.number) && pathOfTile(tile, place) === path;
  return isFormed ? { ...tile, isEntries } : undefined;
}

/** Reads tiles of a tree, in their order. */
export type ReadTiles = (tiles: readonly Tile[]) => Promise<readonly TileHashes[]>;

/** The hashes over ranges of leaves in a tree of this size. Each range is one of a proof (`path.ts`). */
export async function hashesOf(
  ranges: readonly LeafRange[],
  size: number,
  read: ReadTiles,
): Promise<Hash[]> {
  const parts = ranges.map((range) => completeRanges(range).map(sliceOf));
  const wanted = new Map(parts.flat().map((slice) => [nameOf(slice), slice]));
  const tiles = [...wanted.values()].map(({ level, number }) => ({
    ...{ level, number },
    width: widthIn(size, { level, number }),
  }));
  const found = await read(tiles);
  const hashesAt = new Map(tiles.map((tile, index) => [nameOf(tile), found[index]]));
  return parts.map((slices) => {
    const roots = slices.map((slice) => {
      const hashes = hashesAt.get(nameOf(slice));
      assert(hashes, 'every tile that is wanted is read');
      return rootOfComplete(hashes.slice(slice.first, slice.first + slice.count));
    });
    const root = rootOfPeaks(roots);
    assert(root, 'a range of a proof has leaves');
    return root;
  });
}

/** The hashes of a tile over which a complete subtree is made. */
function sliceOf([start, end]: LeafRange) {
  let [level, count] = [0, end - start];
  for (; count >= tileWidth; count /= tileWidth) level += 1;
  const first = start / tileWidth ** level;
  return { level, number: Math.floor(first / tileWidth), first: first % tileWidth, count };
}

function nameOf({ level, number }: Omit<Tile, 'width'>): string {
  return `${level} ${number}`;
}

/** The hashes of a tile as it is served, one behind the other. */
export function hashesIn(bytes: Uint8Array): Hash[] {
  return Array.from({ length: bytes.length / hashByteCount }, (_, index) =>
    bytes.subarray(index * hashByteCount, (index + 1) * hashByteCount),
  );
}
