/**
 * Goal: reconciliation loses no row and no amount, pairs one to one within the bounds, and says the same of the same rows
 * in any order.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ReconcileRow,
  type Reconciliation,
  reconcile,
} from '../../localstack/cli/reconciliation.ts';

const amount = fc.bigInt({ min: -6n, max: 6n });
const rowsOf = (isDated: boolean) =>
  fc
    .array(
      fc.record({
        key: fc.constantFrom(['a'], ['b'], ['a', 'b'], ['a,b']),
        amount,
        day: fc.integer({ min: 0, max: 5 }),
        isOutside: fc.boolean(),
      }),
      { maxLength: 14 },
    )
    .map((rows) =>
      rows.map(({ day, isOutside, ...row }, index): ReconcileRow => {
        return { ...row, line: index + 2, ...(isDated && { day, isOutside }) };
      }),
    );
const sides = fc.boolean().chain((isDated) => fc.tuple(rowsOf(isDated), rowsOf(isDated)));
const bounds = fc.record({
  tolerance: fc.bigInt({ min: 0n, max: 3n }),
  days: fc.integer({ min: 0, max: 2 }),
});

const externalOf = (result: Reconciliation) => [
  ...[...result.matched, ...result.different].map(({ external }) => external),
  ...result.externalOnly,
  ...result.outside.external,
];
const ledgerOf = (result: Reconciliation) => [
  ...[...result.matched, ...result.different].map(({ ledger }) => ledger),
  ...result.ledgerOnly,
  ...result.outside.ledger,
];
const byLine = (rows: readonly ReconcileRow[]) => rows.toSorted((a, b) => a.line - b.line);
const size = (value: bigint) => (value < 0n ? -value : value);
const fits = (
  one: ReconcileRow,
  other: ReconcileRow,
  { tolerance, days }: { tolerance: bigint; days: number },
) =>
  JSON.stringify(one.key) === JSON.stringify(other.key) &&
  size(one.amount - other.amount) <= tolerance &&
  Math.abs((one.day ?? 0) - (other.day ?? 0)) <= days;

describe('for any rows and bounds', () => {
  test('every row is in one group, and no other', () => {
    fc.assert(
      fc.property(sides, bounds, ([external, ledger], within) => {
        const result = reconcile(external, ledger, within);
        expect(byLine(externalOf(result))).toEqual(external);
        expect(byLine(ledgerOf(result))).toEqual(ledger);
      }),
    );
  });

  test('a pair has one key, and matches when it is within the bounds', () => {
    fc.assert(
      fc.property(sides, bounds, ([external, ledger], within) => {
        const { matched, different } = reconcile(external, ledger, within);
        for (const pair of matched) expect(fits(pair.external, pair.ledger, within)).toBe(true);
        for (const pair of different) {
          expect(fits(pair.external, pair.ledger, within)).toBe(false);
          expect(pair.external.key).toEqual(pair.ledger.key);
        }
      }),
    );
  });

  test('no two rows are left that would match, and none of one key on both sides', () => {
    fc.assert(
      fc.property(sides, bounds, ([external, ledger], within) => {
        const { different, externalOnly, ledgerOnly } = reconcile(external, ledger, within);
        const left = [...externalOnly, ...different.map((pair) => pair.external)];
        const other = [...ledgerOnly, ...different.map((pair) => pair.ledger)];
        for (const one of left) for (const two of other) expect(fits(one, two, within)).toBe(false);
        const keys = new Set(ledgerOnly.map(({ key }) => JSON.stringify(key)));
        expect(externalOnly.filter(({ key }) => keys.has(JSON.stringify(key)))).toEqual([]);
      }),
    );
  });

  test('as many amounts are equal as can be, when dates are not compared', () => {
    fc.assert(
      fc.property(rowsOf(false), rowsOf(false), bounds, (external, ledger, within) => {
        const { matched } = reconcile(external, ledger, within);
        const countOf = (rows: ReconcileRow[], like: ReconcileRow) =>
          rows.filter((row) => fits(row, like, { tolerance: 0n, days: 0 })).length;
        const kinds = external.filter(
          (row, index) =>
            external.findIndex((one) => fits(one, row, { tolerance: 0n, days: 0 })) === index,
        );
        const most = kinds.reduce(
          (sum, row) => sum + Math.min(countOf(external, row), countOf(ledger, row)),
          0,
        );
        expect(matched.filter((one) => one.external.amount === one.ledger.amount)).toHaveLength(
          most,
        );
      }),
    );
  });

  test('the order of the rows in the files changes nothing', () => {
    fc.assert(
      fc.property(sides, bounds, fc.nat(), ([external, ledger], within, seed) => {
        const turned = (rows: ReconcileRow[]) => {
          const at = rows.length === 0 ? 0 : seed % rows.length;
          return [...rows.slice(at), ...rows.slice(0, at)].reverse();
        };
        const sorted = (result: Reconciliation) =>
          [...result.matched, ...result.different]
            .map((pair) => `${pair.external.line} ${pair.ledger.line}`)
            .sort();
        expect(sorted(reconcile(turned(external), turned(ledger), within))).toEqual(
          sorted(reconcile(external, ledger, within)),
        );
      }),
    );
  });
});

const row = (line: number, value: bigint, day?: number, isOutside = false): ReconcileRow => {
  return { line, key: ['k'], amount: value, ...(day !== undefined && { day, isOutside }) };
};

describe('a pair', () => {
  test('of equal amounts comes before one within the tolerance', () => {
    const { matched, externalOnly } = reconcile([row(2, 12n), row(3, 11n)], [row(2, 11n)], {
      tolerance: 1n,
      days: 0,
    });
    expect(matched).toEqual([{ external: row(3, 11n), ledger: row(2, 11n) }]);
    expect(externalOnly).toEqual([row(2, 12n)]);
  });

  test('of the nearest date comes first', () => {
    const { matched } = reconcile([row(2, 5n, 10)], [row(2, 5n, 8), row(3, 5n, 11)], {
      tolerance: 0n,
      days: 2,
    });
    expect(matched.map(({ ledger }) => ledger.line)).toEqual([3]);
  });

  test('with one row in the period counts; rows outside of it that have no partner are not missed', () => {
    const external = [row(2, 5n, 31, true), row(3, 6n, 40, true)];
    const ledger = [row(2, 5n, 30), row(3, 7n, 1, true)];
    const result = reconcile(external, ledger, { tolerance: 0n, days: 1 });
    expect(result.matched).toEqual([{ external: external[0], ledger: ledger[0] }]);
    expect([result.different, result.externalOnly, result.ledgerOnly]).toEqual([[], [], []]);
    expect(result.outside).toEqual({ external: [external[1]], ledger: [ledger[1]] });
  });
});

test('twenty thousand rows of one key are compared', () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => row(index, BigInt(index)));
  const { matched } = reconcile(rows, rows, { tolerance: 0n, days: 0 });
  expect(matched).toHaveLength(rows.length);
});
