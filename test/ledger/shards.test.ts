/**
 * Shards of a balance. Goal: whatever is moved, the parts come to the move, each holds on its own shard, and all together
 * imply what the move needs. Method: random shards and moves, and a model in which parts are applied in any order.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isPartial,
  mayOverdraw,
  partsOf,
  type Shard,
  type ShardDemand,
  type ShardPart,
} from '../../shared/ledger/shards.ts';

const first = () => 0;

function shardOf(number: number, available: bigint, more: Partial<Shard> = {}): Shard {
  return { number, available, ...more };
}

test('a debit comes from a shard that has enough, and otherwise from as few as have it', () => {
  const seen = [shardOf(0, 3n), shardOf(1, 9n), shardOf(2, 5n)];
  const take = (needs: bigint) => partsOf({ amount: -needs, needs }, { count: 3, seen }, first);
  expect(take(9n)).toEqual([{ shard: 1, amount: -9n, needs: 9n, reserve: 0n, hold: 0 }]);
  expect(take(12n)).toEqual([
    { shard: 1, amount: -9n, needs: 9n, reserve: 0n, hold: 0 },
    { shard: 2, amount: -3n, needs: 3n, reserve: 0n, hold: 0 },
  ]);
  expect(take(17n)).toHaveLength(3);
  expect(take(18n)).toBeUndefined();
});

test('a credit goes to any shard, also one that was not read', () => {
  const seen = [shardOf(0, 3n)];
  const shards = [0, 0.3, 0.99].map((random) =>
    partsOf({ amount: 5n }, { count: 8, seen }, () => random)?.map(({ shard }) => shard),
  );
  expect(shards).toEqual([[0], [2], [7]]);
});

test('the own shard is taken where it does, and no other', () => {
  const seen = [shardOf(0, 9n), shardOf(1, 9n), shardOf(2, 5n)];
  const shards = { count: 8, seen };
  const chosen = (demand: ShardDemand, own: number) =>
    partsOf(demand, shards, first, own)?.map(({ shard }) => shard);
  expect(chosen({ amount: -5n, needs: 5n }, 2)).toEqual([2]);
  expect(chosen({ amount: -6n, needs: 6n }, 2)).toEqual([0]);
  expect(chosen({ amount: -5n, needs: 5n }, 7)).toEqual([0]);
  expect(chosen({ amount: 5n }, 7)).toEqual([7]);
  expect(chosen({ amount: 5n }, 8)).toEqual([0]);
});

test('what is taken and given back on the way stays in one shard', () => {
  const seen = [shardOf(0, 3n), shardOf(1, 9n)];
  expect(partsOf({ amount: 2n, needs: 7n }, { count: 2, seen }, first)).toEqual([
    { shard: 1, amount: 2n, needs: 7n, reserve: 0n, hold: 0 },
  ]);
});

test('a reservation lies in the shard that it was taken from', () => {
  const seen = [shardOf(0, 3n), shardOf(1, 9n)];
  const demand = { amount: -8n, needs: 8n, reserve: 8n, hold: 1 } as const;
  expect(partsOf(demand, { count: 2, seen }, first)).toEqual([{ ...demand, shard: 1 }]);
});

test('a decision takes a reservation and a hold from wherever some are', () => {
  const seen = [
    shardOf(0, 0n, { reserved: 4n }),
    shardOf(1, 0n, { reserved: 9n, holds: 1 }),
    shardOf(2, 0n, { reserved: 6n, holds: 0 }),
  ];
  const release = (reserve: bigint) =>
    partsOf({ amount: reserve, reserve: -reserve, hold: -1 }, { count: 3, seen }, first);
  expect(release(9n)).toEqual([{ shard: 1, amount: 9n, needs: 0n, reserve: -9n, hold: -1 }]);
  expect(release(16n)?.map(({ shard, reserve, hold }) => [shard, reserve, hold])).toEqual([
    [1, -9n, -1],
    [2, -6n, 0],
    [0, -1n, 0],
  ]);
  expect(release(20n)).toBeUndefined();
  const free = partsOf({ amount: 6n, reserve: -6n }, { count: 3, seen }, first);
  expect(free?.map(({ shard }) => shard)).toEqual([1]);
});

test('a hold ends in a shard that has one, or not at all', () => {
  const holding = [shardOf(0, 1n, { reserved: 5n }), shardOf(1, 1n, { holds: 2 })];
  const end = (reserve: bigint, seen: readonly Shard[]) =>
    partsOf({ amount: 0n, reserve, hold: -1 }, { count: 2, seen }, first);
  expect(end(0n, holding)?.map(({ shard, hold }) => [shard, hold])).toEqual([[1, -1]]);
  expect(end(-5n, holding)?.map(({ shard, reserve, hold }) => [shard, reserve, hold])).toEqual([
    [0, -5n, 0],
    [1, 0n, -1],
  ]);
  expect(end(0n, holding.slice(0, 1))).toBeUndefined();
});

test('only some shards were read where there are more', () => {
  expect(isPartial(undefined)).toBe(false);
  expect(isPartial({ count: 2, seen: [shardOf(0, 1n)], lookedMs: 0 })).toBe(true);
  expect(isPartial({ count: 1, seen: [shardOf(0, 1n)], lookedMs: 0 })).toBe(false);
});

test('a debit may overdraw unless it needs what it takes', () => {
  expect(mayOverdraw({ amount: -1n })).toBe(true);
  expect(mayOverdraw({ amount: -2n, needs: 1n })).toBe(true);
  expect(mayOverdraw({ amount: -2n, needs: 2n })).toBe(false);
  expect(mayOverdraw({ amount: 3n, needs: -9n })).toBe(false);
});

const small = fc.bigInt({ min: 0n, max: 20n });
const someShards = fc
  .array(fc.record({ available: small, reserved: small, holds: fc.nat({ max: 2 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((shards) => shards.map((shard, number) => ({ ...shard, number })));
const someDemand: fc.Arbitrary<ShardDemand> = fc
  .record({
    gain: small,
    needs: small,
    reserve: fc.bigInt({ min: -40n, max: 20n }),
    hold: fc.constantFrom(undefined, 1 as const, -1 as const),
  })
  .map(({ gain, needs, reserve, hold }) => ({
    ...{ amount: gain - needs, needs, reserve },
    ...(hold !== undefined && { hold }),
  }));

/** The shards after a part, or undefined when its condition does not hold there. */
function after(shards: readonly Required<Shard>[], part: ShardPart): Required<Shard>[] | undefined {
  const shard = shards.find(({ number }) => number === part.shard);
  const holds =
    shard !== undefined &&
    shard.available >= part.needs &&
    (part.reserve >= 0n || shard.reserved >= -part.reserve) &&
    (part.hold !== -1 || shard.holds > 0);
  if (!shard || !holds) return undefined;
  const next = {
    number: shard.number,
    available: shard.available + part.amount,
    reserved: shard.reserved + part.reserve,
    holds: shard.holds + part.hold,
  };
  return shards.map((one) => (one === shard ? next : one));
}

function totalOf(shards: readonly Required<Shard>[]) {
  return shards.reduce(
    (sum, { available, reserved, holds }) => ({
      available: sum.available + available,
      reserved: sum.reserved + reserved,
      holds: sum.holds + holds,
    }),
    { available: 0n, reserved: 0n, holds: 0 },
  );
}

const random = fc.double({ min: 0, max: 0.999, noNaN: true });

test('the parts come to the move, and no shard is ever below zero', () => {
  fc.assert(
    fc.property(someShards, someDemand, random, (shards, demand, drawn) => {
      const { amount, needs = 0n, reserve = 0n, hold = 0 } = demand;
      const total = totalOf(shards);
      const parts = partsOf(demand, { count: shards.length, seen: shards }, () => drawn);
      const isPossible =
        total.available >= needs && total.reserved >= -reserve && (hold !== -1 || total.holds > 0);
      expect(parts !== undefined).toBe(isPossible);
      if (!parts) return;
      expect(new Set(parts.map(({ shard }) => shard)).size).toBe(parts.length);
      const next = parts.reduce<Required<Shard>[]>((all, part) => after(all, part) ?? [], shards);
      expect(totalOf(next)).toEqual({
        available: total.available + amount,
        reserved: total.reserved + reserve,
        holds: total.holds + hold,
      });
      for (const shard of next)
        expect(shard.available >= 0n && shard.reserved >= 0n && shard.holds >= 0).toBe(true);
    }),
  );
});

test('moves that were decided by old readings hold the floor in any order', () => {
  const moves = fc.array(fc.tuple(someDemand, random), { maxLength: 30 });
  fc.assert(
    fc.property(someShards, moves, (shards, demands) => {
      const before = totalOf(shards);
      let now: readonly Required<Shard>[] = shards;
      let moved = before.available;
      for (const [demand, drawn] of demands) {
        // All are divided by the first reading, and meet the shards as they are by then.
        const parts = partsOf(demand, { count: shards.length, seen: shards }, () => drawn);
        const next = parts?.reduce<readonly Required<Shard>[] | undefined>(
          (all, part) => all && after(all, part),
          now,
        );
        if (!next) continue;
        expect(totalOf(now).available >= (demand.needs ?? 0n)).toBe(true);
        now = next;
        moved += demand.amount;
      }
      expect(totalOf(now).available).toBe(moved);
      expect(now.every(({ available }) => available >= 0n)).toBe(true);
    }),
  );
});
