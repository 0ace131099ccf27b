/** Goal: rows are intersected exactly as sets are, in their order, and cheaply where one of them is short. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListPlace } from '../../shared/port/catalog.ts';
import { intersectionOf, type SortedList, unionOf } from '../../shared/query/intersect.ts';

const atOf = (number: number) => String(number).padStart(6, '0');
const placeOf = (number: number): ListPlace => {
  const at = atOf(number);
  return { at, luid: at, name: at };
};
const numbersIn = (places: readonly ListPlace[]) => places.map(({ at }) => Number(at));

/** A row of these numbers that says how much was read of it. */
function rowOf(numbers: Iterable<number>): {
  row: SortedList;
  read: { calls: number; places: number };
} {
  const sorted = [...new Set(numbers)].sort((one, other) => other - one).map(placeOf);
  const read = { calls: 0, places: 0 };
  const row: SortedList = async (upTo = '~', limit) => {
    const start = sorted.findIndex(({ at }) => at <= upTo);
    const places = start < 0 ? [] : sorted.slice(start, start + limit);
    read.calls += 1;
    read.places += places.length;
    return { places, isEnd: places.length < limit };
  };
  return { row, read };
}

async function all(rows: readonly SortedList[], limit: number): Promise<number[]> {
  const found: ListPlace[] = [];
  for await (const place of intersectionOf(rows, limit)) found.push(place);
  return numbersIn(found);
}

const range = (count: number, step = 1, first = 0) =>
  Array.from({ length: count }, (_, index) => first + index * step);
const set = fc.array(fc.nat({ max: 60 }), { maxLength: 40 });
const limits = fc.integer({ min: 1, max: 9 });

describe('an intersection', () => {
  test('of one row is the row', async () => {
    await fc.assert(
      fc.asyncProperty(set, limits, async (numbers, limit) => {
        const { row } = rowOf(numbers);
        expect(await all([row], limit)).toEqual(
          [...new Set(numbers)].sort((one, other) => other - one),
        );
      }),
    );
  });

  test('lacks nothing, has nothing twice, keeps the order, and stays within a row', async () => {
    const rows = fc.array(set, { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(rows, limits, async (sets, limit) => {
        const found = await all(
          sets.map((numbers) => rowOf(numbers).row),
          limit,
        );
        const shared = (sets[0] ?? []).filter((one) => sets.every((other) => other.includes(one)));
        expect(found).toEqual([...new Set(found)].sort((one, other) => other - one));
        expect(shared.filter((one) => !found.includes(one))).toEqual([]);
        expect(sets.some((numbers) => found.every((one) => numbers.includes(one)))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('of broad rows is exact where all of them are in hand', async () => {
    const [even, third] = [rowOf(range(5_000, 2)), rowOf(range(3_334, 3))];
    const found: number[] = [];
    for await (const place of intersectionOf([even.row, third.row], 100)) {
      found.push(Number(place.at));
      if (found.length === 20) break;
    }
    expect(found.every((one) => one % 6 === 0)).toBe(true);
    expect(even.read.places + third.read.places).toBe(200);
  });

  test('reads little of a broad row beside a short one', async () => {
    const [rare, broad] = [rowOf([5, 70_000]), rowOf(range(100_000))];
    expect(await all([broad.row, rare.row], 100)).toEqual([70_000, 5]);
    expect(broad.read).toEqual({ calls: 1, places: 100 });
  });

  test('leaps over what the other row does not have', async () => {
    const sparse = rowOf(range(150, 600));
    const broad = rowOf(range(90_000));
    expect(await all([sparse.row, broad.row], 100)).toEqual(range(150, 600).reverse());
    expect(broad.read.places).toBeLessThan(20_000);
  });

  test('of a row that is empty is empty', async () => {
    const broad = rowOf(range(1_000));
    expect(await all([rowOf([]).row, broad.row], 10)).toEqual([]);
    expect(await all([unionOf([]), broad.row], 10)).toEqual([]);
  });
});

describe('a union', () => {
  test('is one row, each place once', async () => {
    const rows = fc.array(set, { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(rows, limits, async (sets, limit) => {
        const union = unionOf(sets.map((numbers) => rowOf(numbers).row));
        const wanted = [...new Set(sets.flat())].sort((one, other) => other - one);
        expect(await all([union], limit)).toEqual(wanted);
      }),
    );
  });

  test('of one row is the row itself', () => {
    const { row } = rowOf([1]);
    expect(unionOf([row])).toBe(row);
  });
});
