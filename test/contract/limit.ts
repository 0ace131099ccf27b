/**
 * The contract of a store about limits: a move is committed only under the limits that it was decided by, and within
 * their bounds. Decision 59.
 */
import { describe, expect, test } from 'vitest';
import type { Limit, Limits } from '../../shared/ledger/limit.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Balance, Move, Store } from '../../shared/port/ports.ts';
import { commitOf, dropped, newLuid, writeOf } from '../fixture/version.ts';
import { moveOf, movesOf, newScope, walletsWith } from './store.ts';

const moment = '2026-01-01T00:00:00.000Z';
const blocked = [{ what: 'balance', move: 0 }];

/** A limit, set a moment ago. */
export function limitOf(amount: number): Limit {
  return { luid: newLuid('lmt'), amount, moment, since: moment, intent: newLuid('int') };
}

/** Runs the contract against the store that is there once the tests run. */
export function describeLimits(name: string, storeNow: () => Store): void {
  describe(`limits in ${name}`, () => {
    /** Makes two wallets, the first with this balance, and functions to commit moves of it. */
    async function held(available = 0n) {
      const [store, scope] = [storeNow(), newScope()];
      const { alice, bob } = await walletsWith(store, scope, available);
      const commit = (move: Partial<Move>, wallet: Version = alice) =>
        store.commit(movesOf(scope, [{ ...bare(moveOf(scope, wallet, 0n)), ...move }]));
      const row = async (wallet = 'alice') => (await store.balances(scope, wallet))[0] as Balance;
      return { store, scope, alice, bob, commit, row };
    }

    /** A move without conditions. */
    function bare({ needs: _needs, ...move }: Move): Move {
      return move;
    }

    test('are kept as they were set, with their counters', async () => {
      const { store, scope, commit, row } = await held();
      const limits: Limits = {
        minBalance: limitOf(-(2 ** 53 - 1)),
        maxBalance: limitOf(2 ** 53 - 1),
        dailyCount: limitOf(0),
      };
      const counters = [
        { quarter: 1_900_000, count: 2, amount: 2n ** 60n + 1n },
        { quarter: 1_900_001, count: 0, amount: 5n },
      ];
      expect(await commit({ limits, counters })).toEqual([]);
      const first = await row();
      expect(first).toMatchObject({ available: 0n, limits, counters, limitsChange: 1 });
      const [found] = await store.load([
        { what: 'balance', scope, wallet: 'alice', symbol: 'usd' },
      ]);
      expect(found).toEqual(first);
      expect(await commit({ limitsChange: 1, counters: [] })).toEqual([]);
      expect(await row()).toMatchObject({ limits, counters: [], limitsChange: 2 });
    });

    test('make no balance active', async () => {
      const { commit, row, bob } = await held();
      expect((await row('bob')).isActive).toBe(false);
      expect(await commit({ limits: { maxBalance: limitOf(5) } }, bob)).toEqual([]);
      expect((await row('bob')).isActive).toBe(false);
      expect(await commit({ amount: 5n, limitsChange: 1 }, bob)).toEqual([]);
      expect((await row('bob')).isActive).toBe(true);
    });

    test('keep back what was judged by others, or by none', async () => {
      const { commit, row } = await held(10n);
      expect(await commit({ limitsChange: 1 })).toEqual(blocked);
      expect(await commit({ limits: { minBalance: limitOf(5) } })).toEqual([]);
      for (const judged of [{}, { limitsChange: 2 }])
        expect(await commit({ amount: -1n, ...judged })).toEqual(blocked);
      expect(await commit({ amount: -1n, limitsChange: 1 })).toEqual([]);
      expect(await commit({ limitsChange: 1, counters: [] })).toEqual([]);
      expect(await commit({ amount: -1n, limitsChange: 1 })).toEqual(blocked);
      expect(await row()).toMatchObject({ available: 9n, limitsChange: 2 });
    });

    test('are written by one of many who have read the same', async () => {
      const { commit, row } = await held(10n);
      await commit({ limits: { dailyCount: limitOf(9) } });
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, count) =>
          commit({
            amount: -1n,
            limitsChange: 1,
            counters: [{ quarter: 7, count: count + 1, amount: 0n }],
          }),
        ),
      );
      expect(outcomes.filter((obstacles) => obstacles.length === 0)).toHaveLength(1);
      expect(await row()).toMatchObject({ available: 9n, limitsChange: 2 });
    });

    test('leave a move so much room as there is available, and as is reserved', async () => {
      const { commit, row } = await held(10n);
      const within = (available: bigint, reserved: bigint) =>
        commit({ amount: 1n, most: { available, reserved } });
      expect(await within(9n, 0n)).toEqual(blocked);
      expect(await within(10n, -5n)).toEqual([]);
      expect(await commit({ amount: -4n, reserve: 4n, hold: 1 })).toEqual([]);
      expect(await within(7n, 3n)).toEqual(blocked);
      expect(await within(6n, 4n)).toEqual(blocked);
      expect(await within(7n, 4n)).toEqual([]);
      expect(await row()).toMatchObject({ available: 8n, reserved: 4n });
    });

    test('let what is held move by whoever has not read it, unless there are some', async () => {
      const { store, scope, alice, commit, row } = await held(10n);
      const { walletLuid: _walletLuid, ...unread } = bare(moveOf(scope, alice, 0n));
      const release = { ...unread, amount: 4n, reserve: -4n, hold: -1 } as const;
      const decide = () => store.commit(movesOf(scope, [release]));
      expect(await decide()).toEqual(blocked);
      for (let count = 0; count < 2; count += 1)
        expect(await commit({ amount: -4n, reserve: 4n, hold: 1 })).toEqual([]);
      expect(await decide()).toEqual([]);
      expect(await row()).toMatchObject({ available: 6n, reserved: 4n, holds: 1 });
      expect(await commit({ limits: { maxBalance: limitOf(50) } })).toEqual([]);
      expect(await decide()).toEqual(blocked);
    });

    test('end with their wallet', async () => {
      const { store, scope, alice, commit } = await held();
      await commit({ limits: { maxBalance: limitOf(5) } });
      const closes = await store.balances(scope, 'alice');
      const last = { ...writeOf(scope, dropped(alice), alice), closes };
      expect(await store.commit(commitOf(last))).toEqual([]);
      expect(await store.balances(scope, 'alice')).toEqual([]);
    });
  });
}
