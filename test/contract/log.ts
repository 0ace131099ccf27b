/** The contract of logs, as tests that any implementation passes. Decision 115. */
import { describe, expect, test } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import { hashOfLeaf, type Leaf, leavesOf } from '../../shared/log/leaf.ts';
import { widthIn } from '../../shared/log/tile.ts';
import { emptyTree, grownBy, rootOf } from '../../shared/log/tree.ts';
import type { CosignedLog, Logs } from '../../shared/port/logs.ts';
import { created, proved, transferred } from '../fixture/version.ts';
import { newScope } from './store.ts';

/** Versions with so many changes each. */
export function versionsWith(counts: readonly number[]): Version[] {
  return counts.map((count, index) => {
    const first = created('wallet', `w${index}`);
    return count === 1 ? first : proved(first, count);
  });
}

/** All leaves of a log, tile by tile, after a check that each tile is made of them. */
async function logged(logs: Logs, scope: string): Promise<Leaf[]> {
  const { size } = (await logs.read(scope))?.tree ?? emptyTree;
  const leaves: Leaf[] = [];
  for (let number = 0; number * 256 < size; number += 1) {
    const width = widthIn(size, { level: 0, number });
    const some = await logs.leaves(scope, number, width);
    const [hashes] = await logs.tiles(scope, [{ level: 0, number, width }]);
    expect(hashes).toEqual(some.map(hashOfLeaf));
    leaves.push(...some);
  }
  return leaves;
}

/** Checks a log against its leaves: head, places and the tiles of level 1. */
export async function expectSound(logs: Logs, scope: string): Promise<Leaf[]> {
  const leaves = await logged(logs, scope);
  const hashes = leaves.map(hashOfLeaf);
  expect((await logs.read(scope))?.tree).toEqual(grownBy(emptyTree, hashes));
  const names = new Set(leaves.map(({ luid, change }) => `${luid} ${change}`));
  expect(names.size).toBe(leaves.length);
  for (const [index, { luid, change }] of leaves.entries())
    expect(await logs.indexOf(scope, luid, change)).toBe(index);
  const width = widthIn(leaves.length, { level: 1, number: 0 });
  if (width === 0) return leaves;
  const [roots] = await logs.tiles(scope, [{ level: 1, number: 0, width }]);
  for (const [number, root] of (roots ?? []).entries())
    expect(root).toEqual(
      rootOf(grownBy(emptyTree, hashes.slice(number * 256, (number + 1) * 256))),
    );
  return leaves;
}

/** Runs the contract against the logs that are there once the tests run. */
export function describeLogs(name: string, logsNow: () => Logs): void {
  describe(`the log in ${name}`, () => {
    test('a ledger without a log appends nothing', async () => {
      const [logs, scope] = [logsNow(), newScope()];
      expect(await logs.append(scope, versionsWith([1]))).toBeUndefined();
      expect(await logs.read(scope)).toBeUndefined();
      expect(await logs.indexOf(scope, '$wlt.1', 1)).toBeUndefined();
    });

    test('a log that began once is begun no second time', async () => {
      const [logs, scope] = [logsNow(), newScope()];
      await logs.begin(scope, false);
      expect(await logs.read(scope)).toEqual({ tree: emptyTree, isWhole: false });
      const versions = versionsWith([1, 2]);
      const state = await logs.append(scope, versions);
      await logs.begin(scope, true);
      expect(await logs.read(scope)).toEqual(state);
      expect(state).toMatchObject({ isWhole: false, tree: { size: 3 } });
      await logs.markWhole(scope);
      expect(await logs.read(scope)).toEqual({ ...state, isWhole: true });
    });

    test('changes are appended in their order, once, and are found', async () => {
      const [logs, scope] = [logsNow(), newScope()];
      await logs.begin(scope, true);
      const pay = transferred('pay');
      const [one, other] = versionsWith([3, 1]) as [Version, Version];
      await logs.append(scope, [one, pay]);
      const state = await logs.append(scope, [pay, other, one, other]);
      expect(state).toEqual(await logs.read(scope));
      const wanted = [one, pay, other].flatMap(leavesOf);
      expect(await expectSound(logs, scope)).toEqual(wanted);
      const { luid } = other.record;
      expect(await logs.indexOf(scope, luid, other.change + 1)).toBeUndefined();
      expect(await logs.indexOf(scope, luid, other.change - 1)).toBeUndefined();
      expect(await logs.append(scope, [])).toEqual(state);
    });

    test('versions go on across the ends of tiles', async () => {
      const [logs, scope] = [logsNow(), newScope()];
      await logs.begin(scope, true);
      // 250 + 10, over the end of the first tile; 600 at once; then exactly up to the end of the fourth one.
      const parts = [[...Array(50).fill(5)], [10], Array(60).fill(10), [164]];
      for (const counts of parts) await logs.append(scope, versionsWith(counts));
      const leaves = await expectSound(logs, scope);
      expect(leaves).toHaveLength(1024);
      const narrow = { level: 0, number: 1, width: 9 };
      const [hashes] = await logs.tiles(scope, [narrow]);
      expect(hashes).toEqual(leaves.slice(256, 265).map(hashOfLeaf));
      expect(await logs.leaves(scope, 1, 9)).toEqual(leaves.slice(256, 265));
    });

    test('a checkpoint takes the place of a smaller one only', async () => {
      const [logs, scope] = [logsNow(), newScope()];
      await logs.begin(scope, true);
      const sizes: (number | undefined)[] = [];
      for (const size of [0, 3, 2, 3, 7]) {
        await logs.keep(scope, { size, note: `note ${size} ${sizes.length}` });
        sizes.push((await logs.read(scope))?.checkpoint?.size);
      }
      expect(sizes).toEqual([0, 3, 3, 3, 7]);
      expect((await logs.read(scope))?.checkpoint?.note).toBe('note 7 4');
    });

    test('answers of witnesses are kept behind those before, by one process alone', async () => {
      const [logs, scope] = [logsNow(), newScope()];
      await logs.begin(scope, true);
      expect(await logs.cosigned(scope)).toBeUndefined();
      const first: CosignedLog = {
        change: 1,
        progress: { 'w+1+k': { known: 0, failures: 2, nextMs: 9, sinceMs: 7, fault: 'No.' } },
      };
      expect(await logs.keepCosigned(scope, first)).toBe(true);
      expect(await logs.keepCosigned(scope, first)).toBe(false);
      expect(await logs.cosigned(scope)).toEqual(first);
      const second: CosignedLog = {
        change: 2,
        checkpoint: { size: 3, note: 'note 3' },
        progress: { 'w+1+k': { known: 3, failures: 0, nextMs: 0 } },
      };
      expect(await logs.keepCosigned(scope, { ...second, change: 3 })).toBe(false);
      expect(await logs.keepCosigned(scope, second)).toBe(true);
      expect(await logs.cosigned(scope)).toEqual(second);
      expect(await logs.cosigned(newScope())).toBeUndefined();
    });

    test('logs are apart', async () => {
      const [logs, scope, other] = [logsNow(), newScope(), newScope()];
      await logs.begin(scope, true);
      await logs.begin(other, true);
      const versions = versionsWith([1, 4]);
      await logs.append(scope, versions);
      await logs.append(other, versions.slice(1));
      expect(await expectSound(logs, scope)).toHaveLength(5);
      expect(await expectSound(logs, other)).toHaveLength(4);
    });
  });
}
