/**
 * Goal: a commit that has taken its room adds nothing to the file, so that the disk cannot refuse it. Method: random
 * commits of puts and deletes, small and long, into small and large trees.
 */
import { statSync } from 'node:fs';
import fc from 'fast-check';
import { open, type RootDatabase } from 'lmdb';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { fileItems } from '../../localstack/engine/file-items.ts';
import {
  type FileRoom,
  type FileStats,
  NoRoom,
  openFileRoom,
  pagesMax,
} from '../../localstack/engine/file-room.ts';
import type { ItemStore } from '../../localstack/engine/items.ts';
import { runs } from '../fixture/runs.ts';
import { newPath, removePath } from '../fixture/table-file.ts';

const binary = { keyEncoding: 'binary', encoding: 'binary' } as const;
let path: string;
let root: RootDatabase<Buffer, Buffer>;
let items: ItemStore;
let room: FileRoom;

beforeEach(() => {
  path = newPath();
  root = open<Buffer, Buffer>({ path, noSubdir: true, noSync: true, ...binary });
  room = openFileRoom(path);
  items = fileItems(root, (bytes) => room.wrote(bytes));
});
afterEach(async () => {
  room.close();
  await root.close();
  removePath(path);
});

interface Change {
  readonly pk: string;
  readonly sk: string;
  /** Undefined deletes the item. */
  readonly length: number | undefined;
}

const sizeOf = () => statSync(path).size;
const statsOf = () => root.getStats() as FileStats;

function write(changes: readonly Change[]): void {
  for (const { pk, sk, length } of changes)
    items.put({ pk, sk }, length === undefined ? undefined : { pk, sk, text: 'x'.repeat(length) });
}

/** Puts or deletes items and commits, in one transaction; returns the size of the file before LMDB writes. */
function commit(...parts: readonly (readonly Change[])[]): number {
  return root.transactionSync(() => {
    for (const changes of parts)
      root.transactionSync(() => room.within(root, () => write(changes)));
    return sizeOf();
  });
}

/** Does what `commit` does, and is undone. */
function refused(changes: readonly Change[]): void {
  const refuse = () =>
    room.within(root, () => {
      write(changes);
      throw new Error('Refused.');
    });
  expect(() => root.transactionSync(refuse)).toThrow('Refused.');
}

const keyCount = 5_000;
const keyOf = (number: number) => ({ pk: `${number % 3}`, sk: `${number}`.repeat(8) });
const row = (first: number, count: number, length: number | undefined) =>
  Array.from({ length: count }, (_, index) => ({ ...keyOf(first + index), length }));
const deleted = { weight: 1, arbitrary: fc.constant(undefined) };
const short = { weight: 3, arbitrary: fc.nat(20) };
const medium = { weight: 3, arbitrary: fc.nat(3_000) };
const long = { weight: 1, arbitrary: fc.integer({ min: 3_000, max: 60_000 }) };
const partsOf = (length: fc.Arbitrary<number | undefined>) => {
  const change = fc
    .tuple(fc.nat(2 * keyCount), length)
    .map(([number, bytes]): Change => ({ ...keyOf(number), length: bytes }));
  const changes = fc.array(change, { minLength: 1, maxLength: 60, size: 'max' });
  return fc.array(changes, { minLength: 1, maxLength: 3, size: 'max' });
};

test.each([
  ['short', fc.oneof(deleted, short)],
  ['of all lengths', fc.oneof(deleted, short, medium, long)],
])('a commit of values %s adds nothing to a file in which it has room', (_, length) => {
  // The tree has several levels.
  for (let first = 0; first < keyCount; first += 250) commit(row(first, 250, 700));
  const property = fc.property(partsOf(length), (parts) => {
    const before = statsOf();
    const written = { count: 0, bytes: 0 };
    items = fileItems(root, (bytes) => {
      room.wrote(bytes);
      written.count += 1;
      written.bytes += bytes;
    });
    const size = commit(...parts);
    const { lastPageNumber, pageSize } = statsOf();
    const bound = before.lastPageNumber + pagesMax(written, [before]);
    expect(lastPageNumber).toBeLessThanOrEqual(bound);
    expect((bound + 1) * pageSize).toBeLessThanOrEqual(size);
    expect(sizeOf()).toBe(size);
  });
  fc.assert(property, { numRuns: runs(60) });
});

test('a commit of one value adds no more pages than its bound where tens of thousands are free', () => {
  const count = 110_000;
  for (let first = 0; first < count; first += 5_000) commit(row(first, 5_000, 2_100));
  // Every second page: no two in a row are free.
  commit(row(0, count, undefined).filter((_, index) => index % 2 === 0));
  let most = 0;
  for (let number = 0; number < 30; number += 1) {
    const before = statsOf();
    // A long value needs pages in a row, for which LMDB reads the whole list of free pages, and writes it anew.
    const length = number % 5 === 0 ? 9_000 : 10;
    commit(row(count + number, 1, length));
    const added = statsOf().lastPageNumber - before.lastPageNumber;
    const written = { count: 1, bytes: length + 100 };
    expect(added).toBeLessThanOrEqual(pagesMax(written, [before]));
    most = Math.max(most, added);
  }
  expect(most).toBeGreaterThan(50);
});

test('a file is some pages longer than it has to be, and not longer each time', () => {
  const sizes = new Set<number>();
  for (let count = 0; count < 50; count += 1) {
    sizes.add(commit(row(count, 1, 10)));
    refused(row(count, 100, 700));
  }
  expect(sizes.size).toBe(1);
  const { lastPageNumber, pageSize } = statsOf();
  expect(sizeOf() - lastPageNumber * pageSize).toBeLessThan(3 * 1024 * 1024);
});

test('what has no room is refused and undone, and the next one is done', () => {
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => told.mockRestore());
  commit(row(1, 1, 10));
  room.close();
  // What was lengthened before goes on counting.
  commit(row(2, 1, 10));
  expect(() => commit(row(3, 1, 4_000_000))).toThrow(NoRoom);
  expect(() => commit(row(3, 1, 4_000_000))).toThrow(NoRoom);
  expect(items.get(keyOf(3))).toBeUndefined();
  commit(row(4, 1, 10));
  root.resetReadTxn();
  expect(items.get(keyOf(4))).toBeDefined();
  // Said once, and not again for a minute.
  const line = `${path} cannot be lengthened, nothing is stored: The file is closed.\n`;
  expect(told.mock.calls).toEqual([[line]]);
  room = openFileRoom(path);
  commit(row(3, 1, 4_000_000));
  root.resetReadTxn();
  expect(items.get(keyOf(3))).toBeDefined();
});
