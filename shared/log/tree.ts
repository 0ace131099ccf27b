/**
 * The Merkle tree of a log: its hashes, and its growth at the right. Sizes and indexes are safe integers, so halves are
 * taken by division: bit operators would cut them at 32 bits. RFC 9162 2.1, which is RFC 6962 2.1.
 */
import { concatBytes } from '@noble/hashes/utils.js';
import { assert } from '../ledger/assert.ts';
import { hashOfBytes, hashOfText } from './sha256.ts';

/** The 32 bytes of a sha256. */
export type Hash = Uint8Array;

export const hashByteCount = 32;

// The prefixes keep a leaf from being taken for a node. RFC 9162 2.1.1.
const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

/** A tree: its number of leaves, and the roots of its complete subtrees, the largest first. */
export interface Tree {
  readonly size: number;
  readonly peaks: readonly Hash[];
}

export const emptyTree: Tree = { size: 0, peaks: [] };

/** The hash of an entry: of its bytes, or of the text that they are in UTF-8, whose prefix is the character 0. */
export function leafHashOf(entry: Uint8Array | string): Hash {
  if (typeof entry === 'string') return hashOfText(`\0${entry}`);
  return hashOfBytes(concatBytes(leafPrefix, entry));
}

export function nodeHashOf(left: Hash, right: Hash): Hash {
  return hashOfBytes(concatBytes(nodePrefix, left, right));
}

/** The tree with more leaves behind its last one. */
export function grownBy({ size, peaks }: Tree, leafHashes: readonly Hash[]): Tree {
  const roots = [...peaks];
  for (const [index, leafHash] of leafHashes.entries()) {
    let node = leafHash;
    for (let rest = size + index; rest % 2 === 1; rest = (rest - 1) / 2) {
      const left = roots.pop();
      assert(left, 'a tree has a root for each binary digit 1 of its size');
      node = nodeHashOf(left, node);
    }
    roots.push(node);
  }
  return { size: size + leafHashes.length, peaks: roots };
}

/** The root hash of a tree; that of an empty one is the hash of nothing. */
export function rootOf({ peaks }: Tree): Hash {
  return rootOfPeaks(peaks) ?? hashOfBytes(new Uint8Array());
}

/** The hash over complete subtrees, the largest first; undefined when there are none. */
export function rootOfPeaks(peaks: readonly Hash[]): Hash | undefined {
  return peaks.reduceRight<Hash | undefined>(
    (right, left) => (right ? nodeHashOf(left, right) : left),
    undefined,
  );
}

/** The root hash of a complete subtree, over its 1, 2, 4, 8 … hashes. */
export function rootOfComplete(hashes: readonly Hash[]): Hash {
  let row = hashes;
  while (row.length > 1)
    row = Array.from({ length: row.length / 2 }, (_, index) =>
      nodeHashOf(row[2 * index] as Hash, row[2 * index + 1] as Hash),
    );
  const [root] = row;
  assert(root, 'a complete subtree has a hash');
  return root;
}
