/** Shards that are put together while others change them. Decision 125. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ground, main, startGround, type World } from '../fixture/audited.ts';
import {
  at,
  before,
  committing,
  crowded,
  hotWorld,
  moveOf,
  shardAt,
  shardCount,
  spread,
  storeOf,
  usd,
} from '../fixture/hot.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

/** Folds the shards, and does something between the reading of them and the writing. */
async function foldAfter(world: World, act: () => Promise<unknown>): Promise<void> {
  const isShard = (pk: unknown): boolean => String(pk).includes('#shard#');
  const client = before(world.client, ({ Delete }) => isShard(Delete?.Key?.['pk']), act);
  await storeOf(world, client).watch(main, [{ wallet: 'hot', ...usd }]);
  expect(await shardCount(world)).toBe(1);
}

describe('a fold', () => {
  test('loses nothing where more shards are made meanwhile', async () => {
    const world = await hotWorld(ground, 799, { first: 8 });
    await spread(world, [799n, 0n, 0n, 0n, 0n, 0n, 0n, 0n]);
    await foldAfter(world, async () => {
      const options = { growAfter: 1, most: 16, random: () => 0 };
      const store = storeOf(world, crowded(world.client, 1).client, options);
      expect(await committing(store, await moveOf(store, 1n))).toEqual([]);
      expect(await shardCount(world)).toBe(16);
    });
    expect((await world.item(at))['available']).toBe(800n);
  });

  test('takes no reservation that has ended meanwhile, and leaves no mark by which others wait', async () => {
    const world = await hotWorld(ground, 100, { first: 2 });
    await world.alter(at, { available: 0n, reserved: 60n, holds: 1n, growing: 1n });
    await world.alter(shardAt(1), { available: 0n, reserved: 40n, holds: 0n });
    await foldAfter(world, async () => {
      const store = storeOf(world);
      const release = await moveOf(store, 0n, { reserve: -100n, hold: -1 });
      expect(await committing(store, release)).toEqual([]);
    });
    const item = await world.item(at);
    expect(item).toMatchObject({ available: 0n, reserved: 0n, holds: 0n });
    expect(item).not.toHaveProperty('growing');
  });
});
