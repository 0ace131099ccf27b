/** The contract of fencing a moment, by which a balance at a moment stays as it was answered. Decision 92. */
import { describe, expect, test } from 'vitest';
import type { Store } from '../../shared/port/ports.ts';
import { commitOf, created, openingOf, writeOf } from '../fixture/version.ts';
import { moveOf, movesOf, newScope, walletsWith } from './store.ts';

const refused = [{ what: 'balance', move: 0 }];

export function describeFencing(name: string, storeNow: () => Store): void {
  describe(`fenced balances in ${name}`, () => {
    test('take no move that states the moment or an earlier one, and every later one', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice, bob } = await walletsWith(store, scope, 9n);
      const { handle } = alice.record.data;
      const [before] = await store.balances(scope, handle);
      const move = moveOf(scope, alice, -1n);
      const atMs = move.statedMs + 1_000;
      const held = await store.fence(scope, { handle, luid: alice.record.luid }, atMs);
      expect(held.map(({ available }) => available)).toEqual([9n]);
      const commit = (statedMs: number) => store.commit(movesOf(scope, [{ ...move, statedMs }]));
      expect(await commit(atMs - 1)).toEqual(refused);
      expect(await commit(atMs)).toEqual(refused);
      expect(await store.balances(scope, handle)).toEqual([{ ...before, fencedMs: atMs }]);
      expect(await commit(atMs + 1)).toEqual([]);
      expect(await store.commit(movesOf(scope, [moveOf(scope, bob, 5n, 0n)]))).toEqual([]);
    });

    test('keep the latest fence', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice } = await walletsWith(store, scope, 9n);
      const wallet = { handle: 'alice', luid: alice.record.luid };
      for (const atMs of [2_000, 1_000]) await store.fence(scope, wallet, atMs);
      const [row] = await store.balances(scope, 'alice');
      expect(row?.fencedMs).toBe(2_000);
    });

    test('are also those that are opened later', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [carol, usd] = [created('wallet', 'carol'), created('symbol', 'usd')];
      await store.commit(commitOf(writeOf(scope, carol), writeOf(scope, usd)));
      const wallet = { handle: 'carol', luid: carol.record.luid };
      expect(await store.fence(scope, wallet, 5_000)).toEqual([]);
      expect(await store.open([openingOf(scope, carol, usd)])).toBe(true);
      const move = { ...moveOf(scope, carol, 5n, 0n), statedMs: 5_000 };
      expect(await store.commit(movesOf(scope, [move]))).toEqual(refused);
      expect(await store.commit(movesOf(scope, [{ ...move, statedMs: 5_001 }]))).toEqual([]);
    });

    test('are those of the wallet that was read, and none of one that took its handle', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice } = await walletsWith(store, scope, 9n);
      await store.fence(
        scope,
        { handle: 'alice', luid: created('wallet', 'x').record.luid },
        5_000,
      );
      const [row] = await store.balances(scope, 'alice');
      expect(row?.fencedMs).toBeUndefined();
      const pay = movesOf(scope, [{ ...moveOf(scope, alice, -1n), statedMs: 1 }]);
      expect(await store.commit(pay)).toEqual([]);
    });
  });
}
