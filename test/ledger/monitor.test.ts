/** Goal: whatever the steps in which a book is gone through, its crossings are told once. Ruling 95, Decision 110. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BookEntry, noTotals, totalsWith } from '../../shared/ledger/book.ts';
import {
  availableOf,
  type CountedEntry,
  type Crossing,
  crossingsFrom,
  type MonitorPlace,
  sideOf,
} from '../../shared/ledger/monitor.ts';

const anyEntry = fc.record({
  ms: fc.integer({ min: 1, max: 40 }),
  schema: fc.constantFrom<BookEntry['schema']>('debit', 'credit', 'reserve', 'release'),
  amount: fc.integer({ min: 1, max: 30 }),
});
type Entry = typeof anyEntry extends fc.Arbitrary<infer One> ? One : never;

const momentOf = (ms: number) => new Date(ms).toISOString();
const beginning: MonitorPlace = { until: new Date(0).toISOString(), side: 'above', count: 0 };

/** The entries of a book after a moment, in order, and the totals before them. */
function restOf(entries: readonly Entry[], after: string) {
  let totals = noTotals;
  const rows: CountedEntry[] = [];
  for (const { ms, schema, amount } of [...entries].sort((one, other) => one.ms - other.ms)) {
    const intent = { handle: `at-${ms}`, luid: `$int.${ms}` };
    const entry = {
      symbol: 'usd',
      schema,
      amount: BigInt(amount),
      moment: momentOf(ms),
      intent,
      number: 0,
      inputs: [],
    };
    totals = totalsWith(totals, entry);
    rows.push({ entry, totals });
  }
  const before = rows.filter(({ entry }) => entry.moment <= after).at(-1)?.totals;
  return {
    before: before ?? noTotals,
    rows: rows.filter(({ entry }) => entry.moment > after),
  };
}

/** The crossings of a book, counted without the monitor: the sides at the ends of its milliseconds. */
function crossingsIn(entries: readonly Entry[], threshold: number): [number, string][] {
  const sums = Array.from({ length: 41 }, (_, ms) =>
    entries
      .filter((one) => one.ms <= ms)
      .reduce(
        (sum, { schema, amount }) =>
          sum + (schema === 'credit' || schema === 'release' ? amount : -amount),
        0,
      ),
  );
  return sums.flatMap((sum, ms): [number, string][] => {
    const side = sum < threshold ? 'below' : 'above';
    const before = ms === 0 ? side : (sums[ms - 1] ?? 0) < threshold ? 'below' : 'above';
    return side === before ? [] : [[sum, side]];
  });
}

const start = (threshold: number): MonitorPlace => ({
  ...beginning,
  side: sideOf(noTotals, BigInt(threshold)),
});

describe('a monitor', () => {
  test('tells the crossings of a book, however often it looks', () => {
    fc.assert(
      fc.property(
        fc.array(anyEntry),
        fc.integer({ min: -40, max: 40 }),
        fc.array(fc.integer({ min: 0, max: 40 })),
        (entries, threshold, looks) => {
          let place = start(threshold);
          const told: Crossing[] = [];
          for (const ms of [...looks.sort((one, other) => one - other), 40]) {
            const { before, rows } = restOf(
              entries.filter((one) => one.ms <= ms),
              place.until,
            );
            const step = crossingsFrom({ threshold }, place, before, rows);
            told.push(...step.crossings);
            place = step.place;
          }
          expect(told.map(({ available, direction }) => [Number(available), direction])).toEqual(
            crossingsIn(entries, threshold),
          );
          expect(told.map(({ number }) => number)).toEqual(told.map((_, index) => index + 1));
        },
      ),
    );
  });

  test('tells sides in turn, and the last one rightly, when entries come late', () => {
    fc.assert(
      fc.property(
        fc.array(anyEntry),
        fc.integer({ min: -40, max: 40 }),
        fc.integer({ min: 1, max: 5 }),
        (entries, threshold, size) => {
          let place = start(threshold);
          const told: Crossing[] = [];
          for (let end = size; end < entries.length + size; end += size) {
            const { before, rows } = restOf(entries.slice(0, end), place.until);
            const step = crossingsFrom({ threshold }, place, before, rows);
            told.push(...step.crossings);
            place = step.place;
          }
          const all = restOf(entries, momentOf(0)).rows.at(-1)?.totals ?? noTotals;
          expect(place.side).toBe(sideOf(all, BigInt(threshold)));
          const sides = [start(threshold).side, ...told.map(({ direction }) => direction)];
          expect(sides.slice(1).every((side, index) => side !== sides[index])).toBe(true);
          expect(sides.at(-1)).toBe(place.side);
          expect(place.count).toBe(told.length);
        },
      ),
    );
  });

  test('counts and tells the direction that it is made for alone', () => {
    const entries: Entry[] = [
      { ms: 1, schema: 'credit', amount: 5 },
      { ms: 2, schema: 'debit', amount: 4 },
      { ms: 3, schema: 'credit', amount: 9 },
      { ms: 4, schema: 'reserve', amount: 10 },
    ];
    const { before, rows } = restOf(entries, momentOf(0));
    const { crossings, place } = crossingsFrom(
      { threshold: 5, direction: 'below' },
      start(5),
      before,
      rows,
    );
    expect(crossings).toEqual([
      {
        number: 1,
        direction: 'below',
        available: 1n,
        moment: momentOf(2),
        intent: { handle: 'at-2', luid: '$int.2' },
      },
      {
        number: 2,
        direction: 'below',
        available: 0n,
        moment: momentOf(4),
        intent: { handle: 'at-4', luid: '$int.4' },
      },
    ]);
    expect(place).toEqual({ until: momentOf(4), side: 'below', count: 2 });
  });

  test('a late entry is told without an intent, at the moment up to which it had looked', () => {
    const before =
      restOf([{ ms: 1, schema: 'credit', amount: 7 }], momentOf(0)).rows.at(-1)?.totals ?? noTotals;
    const { crossings } = crossingsFrom(
      { threshold: 7 },
      { until: momentOf(9), side: 'below', count: 3 },
      before,
      [],
    );
    expect(crossings).toEqual([
      { number: 4, direction: 'above', available: 7n, moment: momentOf(9) },
    ]);
    expect(availableOf(before)).toBe(7n);
  });
});
