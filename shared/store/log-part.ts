/** The versions that one step of an append takes, of those that are missing in a log. Decisions 115, 141 and 148. */
import type { Version } from '../ledger/record.ts';
import { tileWidth } from '../log/tile.ts';
import type { Tree } from '../log/tree.ts';
import type { Table } from './request.ts';

/** The most leaves of one transaction: they lie in so many tiles, and so many items, that it always fits. */
const leafCountMax = 4_096;
/** So many leaves are not put in one transaction, since an item takes twice the units in it. */
const lightCountMax = 2 * tileWidth;

/** The versions that an append begins with. */
interface Part {
  readonly versions: readonly Version[];
  /** True where their leaves lie in one tile, and so in one item. */
  readonly isOneItem: boolean;
}

/**
 * Those of the versions that the tile takes as a whole, or else one that lies in two tiles, in a transaction; where there
 * are many, as many as it takes. Where transactions share a sync, it is always one transaction.
 */
export function partOf({ groupCommit }: Table, { size }: Tree, versions: readonly Version[]): Part {
  const room = tileWidth - (size % tileWidth);
  const some = groupCommit ? [] : (filling(versions, room) ?? firstOf(versions, room));
  if (some.length > 0) return { versions: some, isOneItem: true };
  const isLight = !groupCommit && firstOf(versions, lightCountMax).length === versions.length;
  const many = isLight ? [] : firstOf(versions, leafCountMax);
  return { versions: many.length > 0 ? many : versions.slice(0, 1), isOneItem: false };
}

/**
 * Versions that have exactly so many leaves: those that come first, and later ones in place of some that do not fit. Those
 * of a record keep their order.
 */
function filling(versions: readonly Version[], count: number): readonly Version[] | undefined {
  const taken: Version[] = [];
  const passed = new Set<string>();
  let left = count;
  for (const one of versions) {
    const { record, steps } = one;
    if (steps.length > left || passed.has(record.luid)) {
      passed.add(record.luid);
      continue;
    }
    taken.push(one);
    left -= steps.length;
    if (left === 0) return taken;
  }
  return undefined;
}

/** The first versions that have so many leaves together. */
function firstOf(versions: readonly Version[], countMax: number): readonly Version[] {
  let count = 0;
  const end = versions.findIndex(({ steps }) => {
    count += steps.length;
    return count > countMax;
  });
  return end < 0 ? versions : versions.slice(0, end);
}
