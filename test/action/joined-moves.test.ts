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
const most = fc.record({ available: bound, reserved: bound });
const movesOnly = fc.record(
  { amount, needs: bound, most, statedMs: fc.nat({ max: 9 }), counters: fc.constant([]) },
  { requiredKeys: ['amount', 'statedMs'] },
);
const reserves = fc.record(
  {
    ...{ amount, needs: bound, most, statedMs: fc.nat({ max: 9 }) },
    ...{ reserve: fc.bigInt({ min: 0n, max: 20n }), hold: fc.constant(1) },
  },
  { requiredKeys: ['amount', 'statedMs', 'hold'] },
);
const some = fc.oneof(
  fc.array(movesOnly, { minLength: 1, maxLength: 6 }),
  fc.array(reserves, { minLength: 1, maxLength: 6 }),
);

/** The conditions of a move, as `Move` describes them. */
function holds({ available, reserved = 0n, fencedMs = -1 }: Balance, move: Move): boolean {
  const { needs, most: bounds, statedMs } = move;
  const isEnough = needs === undefined || available >= needs;
  const hasRoom = !bounds || (available <= bounds.available && reserved <= bounds.reserved);
  return isEnough && hasRoom && statedMs > fencedMs;
}

const shown = ({ limitsChange: _changes, ...balance }: Balance) => balance;

test('moves as one hold when each does, and leave the same', () => {
  const start = fc.record({ available: bound, reserved: fc.bigInt({ min: 0n, max: 40n }) });
  fc.assert(
    fc.property(start, fc.option(fc.nat({ max: 9 })), some, (held, fence, drawn) => {
      const before: Balance = { ...empty, ...held, ...(fence !== null && { fencedMs: fence }) };
      const moves = drawn.map((one): Move => ({ ...names, ...one }));
      let [balance, isFine] = [before, true];
      for (const move of moves) {
        isFine &&= holds(balance, move);
        balance = balanceAfter(balance, move);
      }
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
});

test('limits, and holds beside moves without, are not joined', () => {
  const move: Move = { ...names, amount: 1n, statedMs: 0 };
  expect(mayJoin(undefined, { ...move, hold: 1 })).toBe(true);
  expect(mayJoin(move, { ...move, hold: 1 })).toBe(false);
  expect(mayJoin({ ...move, hold: 1 }, move)).toBe(false);
  expect(mayJoin(undefined, { ...move, limits: {} })).toBe(false);
});
