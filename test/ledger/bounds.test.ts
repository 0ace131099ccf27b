import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BalanceState } from '../../shared/ledger/balance-state.ts';
import {
  type Bounds,
  boundsOfBoth,
  boundsOfDeciding,
  boundsOfReserving,
  breachOfDeciding,
  breachOfReserving,
  unreserved,
} from '../../shared/ledger/bounds.ts';
import type { Limit, Limits } from '../../shared/ledger/limit.ts';
import type { NetMove } from '../../shared/ledger/net-move.ts';
import type { LimitMetric } from '../../shared/shape/intent.ts';

const moment = '2026-03-01T00:00:00.000Z';
const still: NetMove = {
  ...{ wallet: 'alice', symbol: 'usd', amount: 0n, needs: 0n, gives: 0n, room: 0n },
  ...{ isFree: true, transfers: { count: 0, amount: 0n }, settings: [] },
};

function limits(amounts: Partial<Record<LimitMetric, number>>): Limits {
  const limit = { luid: '$lmt.1', moment, since: moment, intent: '$int.1' };
  return Object.fromEntries(
    Object.entries(amounts).map(([metric, amount]): [string, Limit] => [
      metric,
      { ...limit, amount },
    ]),
  );
}
const setting = (metric: LimitMetric, amount: number) => {
  return { wallet: 'alice', symbol: 'usd', metric, amount } as const;
};
const takes = (amount: bigint, isFree = false): NetMove => ({
  ...still,
  ...{ amount: -amount, needs: amount, gives: amount, isFree },
});
const brings = (amount: bigint): NetMove => ({ ...still, amount, room: amount });
const faultOf = (move: NetMove, cell: BalanceState, countsAt: string | undefined = moment) =>
  breachOfReserving(move, cell, countsAt)?.reason;

describe('what is reserved', () => {
  test('leaves 0, or what is set in its place; a bridge has no floor but a set one', () => {
    const cell = { available: 5n };
    expect(faultOf(takes(5n), cell)).toBeUndefined();
    expect(faultOf(takes(6n), cell)).toBe('core.insufficient-balance');
    expect(faultOf(takes(6n, true), cell)).toBeUndefined();
    for (const isFree of [false, true]) {
      const low = { available: 5n, limits: limits({ minBalance: -2 }) };
      const high = { available: 5n, limits: limits({ minBalance: 2 }) };
      expect(faultOf(takes(7n, isFree), low)).toBeUndefined();
      expect(faultOf(takes(8n, isFree), low)).toBe('core.limit-exceeded');
      expect(faultOf(takes(3n, isFree), high)).toBeUndefined();
      expect(faultOf(takes(4n, isFree), high)).toBe('core.limit-exceeded');
    }
  });

  test('needs nothing where what is taken came with it, however low the balance is', () => {
    const passes = { ...takes(5n), amount: 0n, needs: 0n };
    for (const limit of [{}, { limits: limits({ minBalance: 2 }) }]) {
      expect(faultOf(passes, { available: -50n, ...limit })).toBeUndefined();
      expect(boundsOfReserving(passes, { available: -50n, ...limit })).toEqual({});
      expect(faultOf({ ...passes, needs: 1n }, { available: -50n, ...limit })).toBeDefined();
    }
  });

  test('has room for what it brings, whatever is taken beside it', () => {
    const cell = { available: 3n, reserved: 2n, limits: limits({ maxBalance: 10 }) };
    expect(faultOf(brings(5n), cell)).toBeUndefined();
    expect(faultOf(brings(6n), cell)).toBe('core.limit-exceeded');
    expect(faultOf({ ...brings(6n), amount: 0n }, cell)).toBe('core.limit-exceeded');
    const full = { ...cell, available: 30n };
    expect(faultOf(takes(1n), full)).toBeUndefined();
    expect(boundsOfBoth(takes(1n), full)).toEqual({ needs: 1n });
  });

  test('is within the day, unless that is not asked', () => {
    const counters = [{ quarter: Date.parse(moment) / 900_000, count: 2, amount: 20n }];
    const cell = { available: 9n, counters, limits: limits({ dailyCount: 3, dailyAmount: 25 }) };
    const transfers = (count: number, amount: bigint) => ({
      ...still,
      transfers: { count, amount },
    });
    expect(faultOf(transfers(1, 5n), cell)).toBeUndefined();
    expect(faultOf(transfers(2, 5n), cell)).toBe('core.limit-exceeded');
    expect(faultOf(transfers(1, 6n), cell)).toBe('core.limit-exceeded');
    expect(breachOfReserving(transfers(9, 99n), cell, undefined)).toBeUndefined();
    const lower = { ...cell, limits: limits({ dailyCount: 1 }) };
    expect(faultOf(brings(5n), lower)).toBeUndefined();
    expect(faultOf(transfers(1, 1n), { ...cell, limits: limits({ dailyAmount: 20 }) })).toBe(
      'core.limit-exceeded',
    );
  });
});

describe('a limit that is set', () => {
  const cell = { available: 3n, reserved: 2n };
  const faultAfter = (move: Partial<NetMove>) =>
    breachOfDeciding({ ...still, ...move }, cell)?.reason;

  test('holds for what the move leaves behind', () => {
    expect(faultAfter({ settings: [setting('minBalance', 3)] })).toBeUndefined();
    expect(faultAfter({ settings: [setting('minBalance', 4)] })).toBe('core.limit-exceeded');
    expect(faultAfter({ amount: 1n, settings: [setting('minBalance', 4)] })).toBeUndefined();
    expect(faultAfter({ settings: [setting('maxBalance', 5)] })).toBeUndefined();
    expect(faultAfter({ settings: [setting('maxBalance', 4)] })).toBe('core.limit-exceeded');
    expect(faultAfter({ amount: -1n, settings: [setting('maxBalance', 4)] })).toBeUndefined();
  });

  test('is the last one of several, for the judgement and for the bounds', () => {
    const settings = [...[5, 3].map((one) => setting('minBalance', one)), setting('maxBalance', 4)];
    expect(faultAfter({ settings })).toBe('core.limit-exceeded');
    const later = [...settings, setting('maxBalance', 6)];
    expect(faultAfter({ settings: later })).toBeUndefined();
    expect(boundsOfDeciding({ ...still, settings: later }, cell, 0n)).toEqual({
      needs: 3n,
      most: { available: 4n, reserved: 2n },
    });
  });

  test('of a day may be below what was counted', () => {
    const settings = [setting('dailyCount', 0), setting('dailyAmount', 0)];
    expect(faultAfter({ settings })).toBeUndefined();
  });
});

// The conditions of a commit are held against the very judgement that they stand for.

const amounts = fc.bigInt({ min: 0n, max: 12n });
const optional = (min: number) => fc.option(fc.integer({ min, max: 15 }), { nil: undefined });
const cells = fc
  .record({ available: amounts, reserved: fc.option(amounts), min: optional(-5), max: optional(0) })
  .map(({ available, reserved, min, max }): BalanceState => {
    const set = {
      ...(min !== undefined && { minBalance: min }),
      ...(max !== undefined && { maxBalance: max }),
    };
    return { available, ...(reserved !== null && { reserved }), limits: limits(set) };
  })
  // No balance is ever outside of its limits.
  .filter((cell) => {
    const { minBalance, maxBalance } = cell.limits ?? {};
    const held = cell.available + (cell.reserved ?? 0n);
    return (
      cell.available >= BigInt(minBalance?.amount ?? 0) &&
      (maxBalance === undefined || held <= BigInt(maxBalance.amount))
    );
  });
const moves = fc
  .record({
    debits: amounts,
    credits: amounts,
    isFree: fc.boolean(),
    min: optional(-5),
    max: optional(0),
  })
  .map(({ debits, credits, isFree, min, max }): NetMove => {
    const settings = [
      ...(min === undefined ? [] : [setting('minBalance', min)]),
      ...(max === undefined ? [] : [setting('maxBalance', max)]),
    ];
    const free = isFree || debits === 0n;
    const sums = { amount: credits - debits, needs: debits, gives: debits, room: credits };
    return { ...still, ...sums, isFree: free, settings };
  });

function allows({ needs, most }: Bounds, { available, reserved }: BalanceState): boolean {
  if (needs !== undefined && available < needs) return false;
  if (!most) return true;
  return available <= most.available && (reserved ?? 0n) <= most.reserved;
}

test('the bounds of a move allow what was judged to be allowed, and nothing that would be refused', () => {
  fc.assert(
    fc.property(cells, cells, moves, (read, found, move) => {
      const now: BalanceState = { ...found, ...(read.limits && { limits: read.limits }) };
      const breach = (cell: BalanceState) =>
        breachOfReserving(move, cell, undefined) ?? breachOfDeciding(move, cell);
      const bounds = boundsOfBoth(move, read);
      if (!breach(read)) expect(allows(bounds, read)).toBe(true);
      if (allows(bounds, now)) expect(breach(now)).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
});

test('a move that is reserved first and decided later is bounded the same way', () => {
  fc.assert(
    fc.property(cells, moves, (read, move) => {
      const start = boundsOfReserving(move, read);
      const isRefused = breachOfReserving(move, { ...read, limits: {} }, undefined) !== undefined;
      if (read.limits?.minBalance === undefined && read.limits?.maxBalance === undefined)
        expect(allows(start, read)).toBe(!isRefused);
      const { available, reserved = 0n } = read;
      const held = { ...read, available: available - move.needs, reserved: reserved + move.needs };
      expect(unreserved(move, held)).toEqual({ ...read, reserved });
      const bounds = boundsOfDeciding(move, held, move.amount + move.needs);
      expect(allows(bounds, held)).toBe(breachOfDeciding(move, read) === undefined);
    }),
    { numRuns: 2_000 },
  );
});
