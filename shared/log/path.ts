/**
 * Proofs of inclusion and consistency: which parts of the tree they consist of, and their verification. A part is a
 * range of leaves, from its start up to, but not including, its end; its hash is the root over them.
 * RFC 9162 2.1.3 and 2.1.4.
 */
import { isSameBytes } from './bytes.ts';
import { type Hash, nodeHashOf } from './tree.ts';

/** Leaves from the first index up to, but not including, the second one. */
export type LeafRange = readonly [start: number, end: number];

/** The parts that prove a leaf to be in a tree of this size, from its sibling up to the child of the root. */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + halfOf(end - start);
    ranges.unshift(index < middle ? [middle, end] : [start, middle]);
    [start, end] = index < middle ? [start, middle] : [middle, end];
  }
  return ranges;
}

/** The parts that prove a tree of the size `from`, at least 1, to be the beginning of one of the size `to`. */
export function consistencyRanges(from: number, to: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let [start, end] = [0, to];
  while (end !== from) {
    const middle = start + halfOf(end - start);
    ranges.unshift(from <= middle ? [middle, end] : [start, middle]);
    [start, end] = from <= middle ? [start, middle] : [middle, end];
  }
  // The verifier has the root of the older tree, so that is left out where it is a part.
  return start === 0 ? ranges : [[start, end], ...ranges];
}

/** The complete subtrees of a range, the largest first; each is as long as a power of two. */
export function completeRanges([start, end]: LeafRange): LeafRange[] {
  const ranges: LeafRange[] = [];
  for (let from = start; from < end; ) {
    const length = powerUpTo(end - from);
    ranges.push([from, from + length]);
    from += length;
  }
  return ranges;
}

/** The root hash that follows from a leaf and its path; undefined for a path of another length. RFC 9162 2.1.3.2. */
export function rootByInclusion(
  leafHash: Hash,
  { index, size }: { readonly index: number; readonly size: number },
  path: readonly Hash[],
): Hash | undefined {
  if (index >= size) return undefined;
  const walk = walkFrom(index, size - 1);
  let root = leafHash;
  for (const hash of path) {
    if (walk.isAtRoot()) return undefined;
    root = walk.isRight() ? nodeHashOf(hash, root) : nodeHashOf(root, hash);
    walk.up();
  }
  return walk.isAtRoot() ? root : undefined;
}

/** A tree that somebody has seen: its size and its root hash. */
export interface SeenTree {
  readonly size: number;
  readonly root: Hash;
}

/** True when the path proves that the first tree is the beginning of the second one. RFC 9162 2.1.4.2. */
export function isConsistent(first: SeenTree, second: SeenTree, path: readonly Hash[]): boolean {
  if (first.size === second.size) return path.length === 0 && isSameBytes(first.root, second.root);
  if (first.size === 0) return path.length === 0;
  const roots = first.size < second.size ? rootsByConsistency(first, second.size, path) : undefined;
  return (
    roots !== undefined &&
    isSameBytes(roots.older, first.root) &&
    isSameBytes(roots.newer, second.root)
  );
}

/** The roots of both trees that follow from a path; undefined for a path of another length. */
function rootsByConsistency(
  { size, root }: SeenTree,
  newerSize: number,
  path: readonly Hash[],
): { readonly older: Hash; readonly newer: Hash } | undefined {
  // A complete tree is a part of the newer one, so its root is left out of the path.
  const [begin, ...rest] = powerUpTo(size) === size ? [root, ...path] : path;
  if (!begin) return undefined;
  const walk = walkFrom(size - 1, newerSize - 1);
  walk.skipRights();
  let [older, newer] = [begin, begin];
  for (const hash of rest) {
    if (walk.isAtRoot()) return undefined;
    const isRight = walk.isRight();
    if (isRight) older = nodeHashOf(hash, older);
    newer = isRight ? nodeHashOf(hash, newer) : nodeHashOf(newer, hash);
    walk.up();
  }
  return walk.isAtRoot() ? { older, newer } : undefined;
}

/** A walk from a node to the root, with the last node of each row: the numbers `fn` and `sn` of RFC 9162. */
function walkFrom(node: number, last: number) {
  let [fn, sn] = [node, last];
  const up = () => {
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  };
  return {
    isAtRoot: () => sn === 0,
    isRight: () => fn % 2 === 1 || fn === sn,
    /** Goes up one row, or, from a last node without a sibling, to the next one that has one. */
    up: () => {
      if (fn === sn) while (fn % 2 === 0 && fn !== 0) up();
      up();
    },
    /** Goes up as long as the node is a right one. */
    skipRights: () => {
      while (fn % 2 === 1) up();
    },
  };
}

/** The length of the left part of a tree: the largest power of two below its own. */
function halfOf(length: number): number {
  return powerUpTo(length - 1);
}

/** The largest power of two up to a number. */
function powerUpTo(length: number): number {
  let power = 1;
  while (power * 2 <= length) power *= 2;
  return power;
}
