/** The contract of watching balances, by which a freeze is exact. Decision 109. */
import { describe, expect, test } from 'vitest';
import type { Store } from '../../shared/port/ports.ts';
import { commitOf, created, openingOf, proved, writeOf } from '../fixture/version.ts';
import { limitOf } from './limit.ts';
import { moveOf, movesOf, newScope, walletsWith } from './store.ts';

export function describeWatching(name: string, storeNow: () => Store): void {
  describe(`watched balances in ${name}`, () => {
    test('let no move pass that was decided before, and later ones as before', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice, bob } = await walletsWith(store, scope, 9n);
      const [before] = await store.balances(scope, 'alice');
      expect(before?.isWatched).toBeUndefined();
      await store.watch(scope, [{ wallet: 'alice', symbol: 'usd' }]);
      const pay = { ...moveOf(scope, alice, -5n) };
      expect(await store.commit(movesOf(scope, [pay]))).toEqual([{ what: 'balance', move: 0 }]);
      const [row] = await store.balances(scope, 'alice');
      expect(row).toEqual({ ...before, isWatched: true, limitsChange: 1 });
      expect(await store.commit(movesOf(scope, [{ ...pay, limitsChange: 1 }]))).toEqual([]);
      expect(await store.commit(movesOf(scope, [moveOf(scope, bob, 5n, 0n)]))).toEqual([]);
      await store.watch(scope, [{ wallet: 'alice', symbol: 'usd' }]);
      expect((await store.balances(scope, 'alice'))[0]).toMatchObject({ limitsChange: 2 });
    });

    test('are those that are there; none is made', async () => {
      const [store, scope] = [storeNow(), newScope()];
      await walletsWith(store, scope, 0n);
      await store.watch(scope, []);
      await store.watch(scope, [
        { wallet: 'alice', symbol: 'eur' },
        { wallet: 'nobody', symbol: 'usd' },
      ]);
      expect(await store.balances(scope, 'alice')).toHaveLength(1);
      expect(await store.balances(scope, 'nobody')).toEqual([]);
    });

    test('are all that a frozen wallet has, or it is not frozen', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice } = await walletsWith(store, scope, 0n);
      const [eur, carol] = [created('symbol', 'eur'), created('wallet', 'carol')];
      await store.commit(commitOf(writeOf(scope, eur), writeOf(scope, carol)));
      const freeze = (watches: number, wallet = alice) =>
        store.commit(commitOf({ ...writeOf(scope, proved(wallet, 1), wallet), watches }));
      const refused = [{ what: 'closing', write: 0 }];
      expect(await freeze(0)).toEqual(refused);
      await store.open([openingOf(scope, alice, eur)]);
      expect(await freeze(1)).toEqual(refused);
      expect(await freeze(2)).toEqual([]);
      expect(await freeze(1, carol)).toEqual(refused);
      expect(await freeze(0, carol)).toEqual([]);
    });

    test('are watched no more once their wallet is active again, but for what their limits say', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice, usd } = await walletsWith(store, scope, 9n);
      const eur = created('symbol', 'eur');
      await store.commit(commitOf(writeOf(scope, eur)));
      await store.open([openingOf(scope, alice, eur)]);
      const limits = { minBalance: limitOf(0) };
      const limiting = { ...moveOf(scope, alice, 0n, 0n), symbol: 'eur', limits };
      expect(await store.commit(movesOf(scope, [limiting]))).toEqual([]);
      const before = await store.balances(scope, 'alice');
      await store.watch(scope, before);
      const unwatches = await store.balances(scope, 'alice');
      const next = proved(alice, 1);
      const thaw = { ...writeOf(scope, next, alice), unwatches };
      const stale = unwatches.map((row) => ({ ...row, limitsChange: 7 }));
      expect(await store.commit(commitOf({ ...thaw, unwatches: stale }))).toContainEqual({
        what: 'closing',
        write: 0,
      });
      expect((await store.balances(scope, 'alice')).every(({ isWatched }) => isWatched)).toBe(true);
      expect(await store.commit(commitOf(thaw))).toEqual([]);
      const after = unwatches.map(({ isWatched: _watched, ...row }) => row);
      expect(after.map(({ limitsChange }) => limitsChange)).toEqual([2, 1]);
      expect(await store.balances(scope, 'alice')).toEqual(after);
      expect(await store.open([openingOf(scope, next, usd)])).toBe(true);
      const pay = moveOf(scope, alice, -5n);
      expect(await store.commit(movesOf(scope, [pay]))).toEqual([{ what: 'balance', move: 0 }]);
      expect(await store.commit(movesOf(scope, [{ ...pay, limitsChange: 1 }]))).toEqual([]);
    });

    test('are those that a frozen wallet gets: none that was there before the freeze, and is opened anew, takes a move of then', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice, usd } = await walletsWith(store, scope, 0n);
      const [eur, frozen] = [created('symbol', 'eur'), proved(alice, 1, 'inactive')];
      await store.commit(commitOf(writeOf(scope, eur)));
      const freeze = { ...writeOf(scope, frozen, alice), watches: 1 };
      await store.watch(scope, [{ wallet: 'alice', symbol: 'usd' }]);
      expect(await store.commit(commitOf(freeze))).toEqual([]);
      const before = await store.balances(scope, 'alice');
      expect(await store.open([usd, eur].map((one) => openingOf(scope, frozen, one)))).toBe(true);
      const rows = await store.balances(scope, 'alice');
      expect(rows.map(({ isWatched }) => isWatched)).toEqual([true, true]);
      expect(rows).toContainEqual(before[0]);
      const late = { ...moveOf(scope, alice, 5n, 0n), symbol: 'eur' };
      expect(await store.commit(movesOf(scope, [late]))).toEqual([{ what: 'balance', move: 0 }]);
    });

    test('are not opened for a wallet that has changed since it was read', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice, usd } = await walletsWith(store, scope, 0n);
      const [eur, carol] = [created('symbol', 'eur'), created('wallet', 'carol')];
      await store.commit(commitOf(writeOf(scope, eur), writeOf(scope, carol)));
      const next = proved(alice, 1);
      expect(await store.commit(commitOf(writeOf(scope, next, alice)))).toEqual([]);
      expect(await store.open([openingOf(scope, alice, eur)])).toBe(false);
      // One that is there needs no opening, whatever has changed.
      expect(await store.open([openingOf(scope, alice, usd)])).toBe(true);
      expect(await store.open([openingOf(scope, next, eur)])).toBe(true);
      expect(await store.balances(scope, 'alice')).toHaveLength(2);
    });

    test('may be hundreds', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const wallet = created('wallet', 'rich');
      expect(await store.commit(commitOf(writeOf(scope, wallet)))).toEqual([]);
      const symbols = Array.from({ length: 130 }, (_, index) => created('symbol', `s${index}`));
      await Promise.all(symbols.map((one) => store.commit(commitOf(writeOf(scope, one)))));
      await store.open(symbols.map((symbol) => openingOf(scope, wallet, symbol)));
      await store.watch(scope, await store.balances(scope, 'rich'));
      const rows = await store.balances(scope, 'rich');
      expect(rows.filter(({ isWatched }) => isWatched)).toHaveLength(130);
    });
  });
}
