/**
 * Goal: several moves of one balance as a single one hold exactly when each would hold in its turn, and leave the same.
 * Method: random moves against a balance that takes them one after the other. Decision 128.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Balance, Move } from '../../shared/port/ports.ts';
import { balanceAfter, joinedMove, mayJoin } from '../../shared/record/joined-moves.ts';
import { runs } from '../fixture/runs.ts';

const names = { scope: 'main', wallet: 'ann', symbol: 'usd' } as const;
const empty: Balance = {
  ...{ luid: '$bal.x', wallet: 'ann', walletLuid: '$wlt.x', symbol: 'usd' },
  ...{ available: 0n, isActive: false },
};
const amount = fc.bigInt({ min: -20n, max: 20n });
const bound = fc.bigInt({ min: -40n, max: 60n });
/** How much a condition leaves beside what is there at its turn; below zero it does not hold. */
const slack = fc.bigInt({ min: -1n, max: 12n });
const most = fc.record({ available: slack, reserved: slack });
const statedMs = fc.integer({ min: 3, max: 9 });
const movesOnly = fc.record(
  { amount, needs: slack, most, statedMs, counters: fc.constant([]) },
  { requiredKeys: ['amount', 'statedMs'] },
);
const reserves = fc.record(
  {
    ...{ amount, needs: slack, most, statedMs },
    ...{ reserve: fc.bigInt({ min: 0n, max: 20n }), hold: fc.constant(1) },
  },
  { requiredKeys: ['amount', 'statedMs', 'hold'] },
);
const some = fc.oneof(
  fc.array(movesOnly, { minLength: 1, maxLength: 6 }),
  fc.array(reserves, { minLength: 1, maxLength: 6 }),
);

type Drawn = Omit<Move, keyof typeof names>;

/** The conditions of a move, as `Move` describes them. */
function holds({ available, reserved = 0n, fencedMs = -1 }: Balance, move: Move): boolean {
  const { needs, most: bounds, statedMs } = move;
  const isEnough = needs === undefined || available >= needs;
  const hasRoom = !bounds || (available <= bounds.available && reserved <= bounds.reserved);
  return isEnough && hasRoom && statedMs > fencedMs;
}

/** A move as it was drawn, with conditions on the balance that it meets. */
function met({ available, reserved = 0n }: Balance, { needs, most: room, ...move }: Drawn): Move {
  return {
    ...{ ...names, ...move },
    ...(needs !== undefined && { needs: available - needs }),
    ...(room && {
      most: { available: available + room.available, reserved: reserved + room.reserved },
    }),
  };
}

const shown = ({ limitsChange: _changes, ...balance }: Balance) => balance;

test('moves as one hold when each does, and leave the same', () => {
  const start = fc.record({ available: bound, reserved: fc.bigInt({ min: 0n, max: 40n }) });
  const counts = { fine: 0, all: 0 };
  fc.assert(
    fc.property(start, fc.option(fc.nat({ max: 3 })), some, (held, fence, drawn) => {
      const before: Balance = { ...empty, ...held, ...(fence !== null && { fencedMs: fence }) };
      const moves: Move[] = [];
      let [balance, isFine] = [before, true];
      for (const one of drawn) {
        const move = met(balance, one as Drawn);
        moves.push(move);
        isFine &&= holds(balance, move);
        balance = balanceAfter(balance, move);
      }
      counts.all += 1;
      counts.fine += isFine ? 1 : 0;
      const [first, ...rest] = moves as [Move, ...Move[]];
      const all = rest.reduce((one, other) => {
        expect(mayJoin(one, other)).toBe(true);
        return joinedMove(one, other);
      }, first);
      expect(holds(before, all)).toBe(isFine);
      expect(shown(balanceAfter(before, all))).toEqual(shown(balance));
    }),
    { numRuns: runs(500) },
  );
  // Of moves that never hold, or always do, nothing would follow.
  expect(counts.fine).toBeGreaterThan(counts.all / 5);
  expect(counts.fine).toBeLessThan((4 * counts.all) / 5);
});

test('limits, and holds beside moves without, are not joined', () => {
  const move: Move = { ...names, amount: 1n, statedMs: 0 };
  expect(mayJoin(undefined, { ...move, hold: 1 })).toBe(true);
  expect(mayJoin(move, { ...move, hold: 1 })).toBe(false);
  expect(mayJoin({ ...move, hold: 1 }, move)).toBe(false);
  expect(mayJoin(undefined, { ...move, limits: {} })).toBe(false);
});

test('a balance has after a move what the move brings, and is shown unless it is only held', () => {
  const before: Balance = { ...empty, available: 9n, reserved: 2n, holds: 1, limitsChange: 3 };
  const move: Move = { ...names, amount: -4n, reserve: 4n, hold: 1, counters: [], statedMs: 0 };
  expect(balanceAfter(before, move)).toEqual({
    ...before,
    ...{ available: 5n, reserved: 6n, holds: 2, counters: [], limitsChange: 4, isActive: true },
  });
  // As the store counts: the first change is 1.
  const counted = balanceAfter(empty, { ...names, amount: 1n, counters: [], statedMs: 0 });
  expect(counted.limitsChange).toBe(1);
  const held = balanceAfter(empty, { ...names, amount: 0n, hold: 1, statedMs: 0 });
  expect(held).toEqual({ ...empty, holds: 1 });
});
