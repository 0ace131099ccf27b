/**
 * Items in a file are those in memory. Goal: what the model of the cloud shows holds for the offline runtime. Method:
 * random puts, deletes and reads go to both, with keys of all kinds of characters in neighbouring partitions.
 */
import fc from 'fast-check';
import { open, type RootDatabase } from 'lmdb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fileItems } from '../../localstack/engine/file-items.ts';
import type { Direction, ItemStore } from '../../localstack/engine/items.ts';
import type { StoredItem, StoredValue } from '../../localstack/engine/value.ts';
import type { Key } from '../../shared/store/keys.ts';
import { MemoryItems } from '../cloud/items.ts';
import { runs } from '../fixture/runs.ts';
import { newPath, removePath } from '../fixture/table-file.ts';

const path = newPath();
const binary = { keyEncoding: 'binary', encoding: 'binary' } as const;
let root: RootDatabase<Buffer, Buffer>;
let items: ItemStore;

beforeAll(() => {
  root = open<Buffer, Buffer>({ path, noSubdir: true, noSync: true, ...binary });
  items = fileItems(root);
});
beforeEach(() => root.clearSync());
afterAll(async () => {
  await root.close();
  removePath(path);
});

/** Reads what was written until now, as the client of a table does. */
function fresh(): ItemStore {
  root.resetReadTxn();
  return items;
}

/** Of one byte to four in UTF-8, around the bytes that part a key, and around the surrogates. */
const characters = [
  '\u0001',
  '\u0002',
  ' ',
  'a',
  'b',
  '\u007f',
  'é',
  '\u07ff',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '𐀀',
  '💰',
  '\u{10ffff}',
];
const character = fc.constantFrom(...characters);
const partitions = [
  'a',
  'aa',
  'a\u0001',
  'a\u0001b',
  'a é',
  'a💰',
  'a\uffff',
  'b',
  '\u0001',
  '\u{10ffff}',
];
const pk = fc.constantFrom(...partitions);
const sk = fc.oneof(
  fc.string({ unit: character, minLength: 1, maxLength: 3 }),
  fc.constantFrom('a\u0000', 'a\u0000b', '\u0000'),
);
const key = fc.record({ pk, sk });
const direction: fc.Arbitrary<Direction> = fc.record(
  { isForward: fc.boolean(), from: sk, after: sk },
  { requiredKeys: ['isForward'] },
);

type Step =
  | { readonly put: Key; readonly text: string }
  | { readonly remove: Key }
  | { readonly within: string; readonly direction: Direction; readonly countMax: number }
  | { readonly all: Key | undefined; readonly countMax: number };

const countMax = fc.integer({ min: 0, max: 8 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ put: key, text: fc.string({ maxLength: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ remove: key }) },
  { weight: 4, arbitrary: fc.record({ within: pk, direction, countMax }) },
  { weight: 1, arbitrary: fc.record({ all: fc.option(key, { nil: undefined }), countMax }) },
);

/** As many items as a page takes; the rest is left, as at the end of a page. */
function pageOf(all: Iterable<StoredItem>, countMax: number): StoredItem[] {
  const page: StoredItem[] = [];
  for (const item of all) {
    if (page.length === countMax) break;
    page.push(item);
  }
  return page;
}

test('items in a file are read as those in memory, whatever is put and removed', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 80 }), (steps) => {
      root.clearSync();
      const memory = new MemoryItems();
      const put = (at: Key, item: StoredItem | undefined): void => {
        for (const both of [memory, items]) both.put(at, item);
        expect(fresh().get(at)).toEqual(memory.get(at));
      };
      for (const one of steps) {
        if ('put' in one) put(one.put, { ...one.put, text: one.text });
        else if ('remove' in one) put(one.remove, undefined);
        else {
          const [mine, theirs] = [fresh(), memory].map((both) =>
            pageOf(
              'within' in one ? both.within(one.within, one.direction) : both.all(one.all),
              one.countMax,
            ),
          );
          expect(mine).toEqual(theirs);
        }
      }
      expect([...fresh().all()]).toEqual([...memory.all()]);
      for (const each of partitions)
        for (const isForward of [true, false])
          expect([...fresh().within(each, { isForward })]).toEqual([
            ...memory.within(each, { isForward }),
          ]);
    }),
    { numRuns: runs(150) },
  );
});

describe('values', () => {
  /** No client can send a member of the name `__proto__`. */
  const name = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 5 }),
    fc.constantFrom('constructor', 'toString', '', '1', 'pk', 'sk', 'length'),
  );
  const digits = 10n ** 38n - 1n;
  const number = fc.oneof(
    fc.bigInt({ min: -digits, max: digits }),
    fc.constantFrom(
      ...[0, 7, 8, 15, 16, 31, 32, 52, 53, 63, 64, 127].flatMap((bits) => [
        1n << BigInt(bits),
        -(1n << BigInt(bits)),
      ]),
      0n,
      2n ** 63n - 1n,
      2n ** 64n - 1n,
    ),
  );
  const leaf: fc.Arbitrary<StoredValue> = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary', maxLength: 40 }),
    number,
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Uint8Array.from(bytes)),
    fc.uniqueArray(fc.string({ unit: 'grapheme' }), { minLength: 1 }).map((all) => new Set(all)),
  );
  const { value } = fc.letrec<{ value: StoredValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  const attributes = fc.dictionary(
    name.filter((one) => one !== 'pk' && one !== 'sk'),
    value,
    { maxKeys: 6, noNullPrototype: true },
  );

  test('of all types come back as they were', () => {
    fc.assert(
      fc.property(key, attributes, (at, more) => {
        const item: StoredItem = { ...at, ...more };
        items.put(at, item);
        for (const read of [
          fresh().get(at),
          ...items.within(at.pk, { isForward: true, from: at.sk }),
        ].slice(0, 2))
          assertSame(read as StoredItem, item);
      }),
      { numRuns: runs(600) },
    );
  });

  test.each([100, 5_000, 40_000, 300_000])(
    'of %i bytes come back, in an item and in a range',
    (length) => {
      const bytes = Uint8Array.from({ length }, (_, index) => index);
      const many = Array.from({ length: 12 }, (_, index) => ({
        ...{ pk: 'a', sk: `${index + 10}`, bytes, text: '💰'.repeat(length / 10 + index) },
      }));
      for (const one of many) items.put(one, one);
      // Read together first: what is read later overwrites none of it.
      const inRange = [...fresh().within('a', { isForward: true })];
      const alone = many.map((one) => items.get(one));
      for (const [index, one] of many.entries())
        for (const read of [inRange[index], alone[index]]) assertSame(read as StoredItem, one);
    },
  );
});

/** Compares the values, the names of members that every object has, and the types of bytes. */
function assertSame(read: StoredValue, written: StoredValue): void {
  if (typeof written !== 'object' || written === null) {
    expect(read).toBe(written);
    return;
  }
  expect(Object.getPrototypeOf(read)).toBe(Object.getPrototypeOf(written));
  if (written instanceof Uint8Array) {
    expect(Buffer.compare(read as Uint8Array, written)).toBe(0);
    return;
  }
  if (written instanceof Set) {
    expect(read).toEqual(written);
    return;
  }
  const names = Object.keys(written);
  expect(Object.keys(read as object).sort()).toEqual(names.toSorted());
  for (const name of names)
    assertSame(
      (read as StoredItem)[name] as StoredValue,
      (written as StoredItem)[name] as StoredValue,
    );
}

describe('keys', () => {
  const refused = expect.objectContaining({ name: 'ValidationException' });
  const item = { pk: 'a', sk: 'b' };

  test('that are as long as a file takes are kept, and a longer one is refused and is not there', () => {
    const longest = { pk: 'a'.repeat(1_000), sk: 'b'.repeat(977) };
    items.put(longest, { ...longest, n: 1n });
    expect(fresh().get(longest)).toEqual({ ...longest, n: 1n });
    expect([...items.within(longest.pk, { isForward: false, from: longest.sk })]).toHaveLength(1);
    const tooLong = { ...longest, sk: 'b'.repeat(978) };
    expect(() => items.put(tooLong, { ...tooLong })).toThrow(refused);
    expect(fresh().get(tooLong)).toBeUndefined();
  });

  test.each([978, 1_024, 3_000, 5_000])(
    'of a range may be longer than any in a file: %i',
    (length) => {
      const memory = new MemoryItems();
      for (const both of [memory, items])
        for (const sk of ['a', 'b', 'b'.repeat(970), 'c'])
          both.put({ pk: 'p'.repeat(1_000), sk }, { pk: 'p'.repeat(1_000), sk });
      for (const isForward of [true, false])
        for (const name of ['from', 'after']) {
          const wanted = { isForward, [name]: 'b'.repeat(length) };
          const [mine, theirs] = [fresh(), memory].map((both) => [
            ...both.within('p'.repeat(1_000), wanted),
          ]);
          expect(mine).toEqual(theirs);
        }
      const after = { pk: 'p'.repeat(1_000), sk: 'b'.repeat(length) };
      expect([...fresh().all(after)]).toEqual([...memory.all(after)]);
    },
  );

  test.each(['p'.repeat(1_978), 'p'.repeat(2_048), 'p'.repeat(6_000)])(
    'of a partition may be longer than any in a file',
    (long) => {
      items.put(item, item);
      expect([...fresh().within(long, { isForward: true })]).toEqual([]);
      expect([...fresh().within(long, { isForward: false, from: 'a' })]).toEqual([]);
      expect([...fresh().all({ pk: long, sk: 'a' })]).toEqual([]);
    },
  );

  test('with a zero byte in the partition are refused, and are taken for no other', () => {
    const other = { pk: 'a', sk: 'b\0c' };
    items.put(other, other);
    const mixed = { pk: 'a\0b', sk: 'c' };
    expect(() => items.put(mixed, mixed)).toThrow(refused);
    expect(() => fresh().get(mixed)).toThrow(refused);
    for (const isForward of [true, false])
      expect(() => [...fresh().within(mixed.pk, { isForward })]).toThrow(refused);
    expect(() => [...fresh().all(mixed)]).toThrow(refused);
  });
});

test('what is read and not read to its end keeps no old pages: the file does not grow', () => {
  const put = (round: number): void =>
    root.transactionSync(() => {
      for (let index = 0; index < 20; index += 1)
        items.put(
          { pk: 'a', sk: `${index + 10}` },
          { pk: 'a', sk: `${index + 10}`, text: `${round}`.repeat(3_000) },
        );
    });
  const pagesNow = () => (root.getStats() as { lastPageNumber: number }).lastPageNumber;
  for (let round = 0; round < 20; round += 1) put(round);
  const before = pagesNow();
  for (let round = 0; round < 100; round += 1) {
    expect(pageOf(fresh().within('a', { isForward: true }), 3)).toHaveLength(3);
    expect(pageOf(fresh().all(), 3)).toHaveLength(3);
    put(round);
  }
  expect(pagesNow()).toBeLessThan(before * 2);
});
