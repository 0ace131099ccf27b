/**
 * The tree of a log against the vectors of the standard, and against a second verifier that was written from the RFC
 * alone. RFC 9162 2.1.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase64 } from '../../shared/log/bytes.ts';
import {
  consistencyRanges,
  inclusionRanges,
  isConsistent,
  rootByInclusion,
} from '../../shared/log/path.ts';
import { hashesIn, hashesOf, type Tile, widthIn } from '../../shared/log/tile.ts';
import {
  emptyTree,
  grownBy,
  type Hash,
  leafHashOf,
  nodeHashOf,
  rootOf,
  rootOfComplete,
} from '../../shared/log/tree.ts';
import vectors from '../vectors/merkle.json' with { type: 'json' };
import { type Entries, rfcExtends, rfcIncludes, rfcPath, rfcProof, rfcRoot } from './rfc.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const inputs = vectors.inputs.map((text) => Buffer.from(text, 'hex'));
const hashAt = (text: string) => fromBase64(text) as Hash;
const treeOf = (entries: Entries) => grownBy(emptyTree, entries.map(leafHashOf));
const seenOf = (entries: Entries) => {
  const tree = treeOf(entries);
  return { size: tree.size, root: rootOf(tree) };
};

/** Tiles of a tree that is whole in memory. */
const tilesOf = (entries: Entries) => async (tiles: readonly Tile[]) =>
  tiles.map(({ level, number, width }) => {
    expect(width).toBe(widthIn(entries.length, { level, number }));
    const span = 256 ** level;
    return Array.from({ length: width }, (_, index) => {
      const first = (number * 256 + index) * span;
      return rfcRoot(entries.slice(first, first + span));
    });
  });
const pathOf = (entries: Entries, index: number) =>
  hashesOf(inclusionRanges(index, entries.length), entries.length, tilesOf(entries));
const proofOf = (entries: Entries, from: number) =>
  hashesOf(consistencyRanges(from, entries.length), entries.length, tilesOf(entries));

const entriesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => Buffer.from(`entry ${index}`));

describe('the vectors of the standard', () => {
  test.each(vectors.roots.map((root, size) => [size, root] as const))(
    'the tree of %d entries has its root',
    (size, root) => {
      expect(hex(seenOf(inputs.slice(0, size)).root)).toBe(root);
      expect(hex(rfcRoot(inputs.slice(0, size)))).toBe(root);
    },
  );

  test.each(vectors.inclusion)('leaf $index of $size has its path', async (vector) => {
    const entries = inputs.slice(0, vector.size);
    const path = vector.path.map(hashAt);
    const leafHash = leafHashOf(inputs[vector.index] as Buffer);
    expect((await pathOf(entries, vector.index)).map(hex)).toEqual(path.map(hex));
    expect(hex(rootByInclusion(leafHash, vector, path) as Hash)).toBe(vectors.roots[vector.size]);
  });

  test.each(vectors.consistency)('$from is the beginning of $to', async ({ from, to, path }) => {
    const [first, second] = [seenOf(inputs.slice(0, from)), seenOf(inputs.slice(0, to))];
    const proof = path.map(hashAt);
    expect((await proofOf(inputs.slice(0, to), from)).map(hex)).toEqual(proof.map(hex));
    expect(isConsistent(first, second, proof)).toBe(true);
  });
});

describe('beside the second verifier', () => {
  test('all trees of up to 20 entries have the same roots, paths and proofs', async () => {
    const all = entriesOf(20);
    for (let size = 1; size <= all.length; size += 1) {
      const entries = all.slice(0, size);
      const root = rfcRoot(entries);
      expect(hex(seenOf(entries).root)).toBe(hex(root));
      for (let index = 0; index < size; index += 1) {
        const path = await pathOf(entries, index);
        expect(path.map(hex)).toEqual(rfcPath(index, entries).map(hex));
        const leafHash = leafHashOf(entries[index] as Buffer);
        expect(hex(rootByInclusion(leafHash, { index, size }, path) as Hash)).toBe(hex(root));
        expect(rfcIncludes(entries[index] as Buffer, index, size, path, root)).toBe(true);
        const older = all.slice(0, index + 1);
        const proof = await proofOf(entries, index + 1);
        expect(proof.map(hex)).toEqual(rfcProof(index + 1, entries).map(hex));
        expect(isConsistent(seenOf(older), seenOf(entries), proof)).toBe(true);
        expect(rfcExtends(index + 1, size, proof, [rfcRoot(older), root])).toBe(true);
      }
    }
  });

  test.each([255, 256, 257, 511, 512, 600])('tiles carry a tree of %d entries', async (size) => {
    const entries = entriesOf(size);
    const seen = seenOf(entries);
    expect(hex(seen.root)).toBe(hex(rfcRoot(entries)));
    for (const index of [0, 1, 128, 255, size >> 1, size - 1].filter((one) => one < size)) {
      const path = await pathOf(entries, index);
      expect(path.map(hex)).toEqual(rfcPath(index, entries).map(hex));
      const from = index + 1;
      const proof = await proofOf(entries, from);
      expect(proof.map(hex)).toEqual(rfcProof(from, entries).map(hex));
      expect(isConsistent(seenOf(entries.slice(0, from)), seen, proof)).toBe(true);
    }
  });

  test('a tree that grows in parts is the one that grew at once', () => {
    const counts = fc.array(fc.nat({ max: 40 }), { maxLength: 8 });
    fc.assert(
      fc.property(counts, (parts) => {
        let tree = emptyTree;
        const all = entriesOf(parts.reduce((sum, part) => sum + part, 0));
        for (const part of parts)
          tree = grownBy(tree, all.slice(tree.size, tree.size + part).map(leafHashOf));
        expect(hex(rootOf(tree))).toBe(hex(rfcRoot(all)));
        expect(tree).toEqual(treeOf(all));
      }),
      { numRuns: 100 },
    );
  });

  test('what one verifier refuses, the other one refuses', () => {
    const sizes = fc.integer({ min: 2, max: 40 });
    const changes = fc.constantFrom('hash', 'longer', 'shorter', 'larger', 'none');
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), changes, (size, at, byte, change) => {
        const index = at % size;
        const entries = entriesOf(size);
        const entry = entries[index] as Buffer;
        const root = rfcRoot(entries);
        const path = changedPath(rfcPath(index, entries), byte, change);
        const place = { index, size: change === 'larger' ? 2 * size + byte : size };
        const found = rootByInclusion(leafHashOf(entry), place, path);
        const isFound = found !== undefined && hex(found) === hex(root);
        expect(rfcIncludes(entry, index, place.size, path, root)).toBe(isFound);
        expect(isFound).toBe(change === 'none' || (isFound && change === 'larger'));
      }),
      { numRuns: 300 },
    );
  });
});

function changedPath(path: readonly Hash[], byte: number, change: string): readonly Hash[] {
  if (change === 'longer') return [...path, leafHashOf(Buffer.of(1))];
  if (change === 'shorter') return path.slice(1);
  return change === 'hash' ? path.with(byte % path.length, flipped(path[0] as Hash, byte)) : path;
}

/** The bytes with another value at one place. */
function flipped(bytes: Uint8Array, byte: number): Uint8Array {
  const at = byte % bytes.length;
  return Uint8Array.from(bytes, (value, index) =>
    index === at ? value ^ (1 + (byte % 255)) : value,
  );
}

describe('refused', () => {
  const entries = entriesOf(11);
  const seen = seenOf(entries);

  test('a path of another length, another index and no leaf at all', async () => {
    const path = await pathOf(entries, 4);
    const leafHash = leafHashOf(entries[4] as Buffer);
    const at = { index: 4, size: 11 };
    expect(rootByInclusion(leafHash, at, path.slice(1))).toBeUndefined();
    expect(rootByInclusion(leafHash, at, [...path, seen.root])).toBeUndefined();
    expect(rootByInclusion(leafHash, { index: 11, size: 11 }, path)).toBeUndefined();
    const beside = rootByInclusion(leafHash, { index: 5, size: 11 }, path);
    expect(hex(beside as Hash)).not.toBe(hex(seen.root));
  });

  test('a proof of another length, of other roots, and backwards', async () => {
    const older = seenOf(entries.slice(0, 6));
    const proof = await proofOf(entries, 6);
    expect(isConsistent(older, seen, proof)).toBe(true);
    expect(isConsistent(older, seen, proof.slice(1))).toBe(false);
    expect(isConsistent(older, seen, [...proof, seen.root])).toBe(false);
    expect(isConsistent(older, seen, [])).toBe(false);
    expect(isConsistent(seen, older, proof)).toBe(false);
    expect(isConsistent({ ...older, root: seen.root }, seen, proof)).toBe(false);
    expect(isConsistent(older, { ...seen, root: older.root }, proof)).toBe(false);
    expect(isConsistent({ size: 5, root: older.root }, seen, proof)).toBe(false);
  });

  test('trees of one size are the same tree, and every tree goes on from nothing', () => {
    expect(isConsistent(seen, seen, [])).toBe(true);
    expect(isConsistent(seen, seen, [seen.root])).toBe(false);
    expect(isConsistent(seen, { ...seen, root: leafHashOf(Buffer.of()) }, [])).toBe(false);
    expect(isConsistent(seenOf([]), seen, [])).toBe(true);
    expect(isConsistent(seenOf([]), seen, [seen.root])).toBe(false);
  });

  test('a leaf is never taken for a node', () => {
    const [left, right] = [leafHashOf(Buffer.of(1)), leafHashOf(Buffer.of(2))];
    expect(hex(leafHashOf(Buffer.concat([left, right])))).not.toBe(hex(nodeHashOf(left, right)));
    expect(hex(rootOfComplete([left, right]))).toBe(hex(nodeHashOf(left, right)));
  });
});

/** Another history than the one that was seen. */
function rewritten(history: Entries, at: number, byte: number, how: string): Uint8Array[] {
  const entry = flipped(history[at] as Uint8Array, byte);
  if (how === 'removed') return history.toSpliced(at, 1);
  if (how === 'added') return history.toSpliced(at, 0, entry);
  if (how === 'order') return [history[at] as Uint8Array, ...history.toSpliced(at, 1)];
  return history.with(at, entry);
}

/** Whoever holds a checkpoint finds any change of anything before it. */
test('any change of any byte of history is found by the holder of a checkpoint', async () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 });
  const histories = fc.array(bytes, { minLength: 2, maxLength: 40 });
  const ways = fc.constantFrom('byte', 'order', 'removed', 'added');
  await fc.assert(
    fc.asyncProperty(histories, fc.nat(), fc.nat(), ways, async (history, at, byte, how) => {
      const index = at % history.length;
      const held = seenOf(history);
      const other = rewritten(history, index, byte, how);
      const isSame = other.every((one, place) => hex(one) === hex(history[place] ?? one));
      // The second history goes on as long as it likes: the first one is never its beginning.
      const longer = [...other, ...entriesOf(2 + (byte % 9))];
      const proof = await proofOf(longer, history.length);
      const isBeginning = isSame && other.length >= history.length;
      expect(isConsistent(held, seenOf(longer), proof)).toBe(isBeginning);
      const roots = [held.root, rfcRoot(longer)] as const;
      expect(rfcExtends(held.size, longer.length, proof, roots)).toBe(isBeginning);
      const [path, place] = [rfcPath(index, history), { index, size: history.length }];
      const forged = leafHashOf(flipped(history[index] as Uint8Array, byte));
      expect(hex(rootByInclusion(forged, place, path) as Hash)).not.toBe(hex(held.root));
    }),
    { numRuns: 300 },
  );
});

test('hashes of a tile are cut at 32 bytes', () => {
  const [one, other] = [leafHashOf(Buffer.of(1)), leafHashOf(Buffer.of(2))];
  expect(hashesIn(Buffer.concat([one, other])).map(hex)).toEqual([one, other].map(hex));
});
