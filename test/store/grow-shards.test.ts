/** More shards for a balance that others change while they are being made. Decision 125. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ground, startGround, type World } from '../fixture/audited.ts';
import {
  at,
  before,
  committing,
  crowded,
  heldBy,
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

/** Adds 1 by a process that gives the balance more shards, and does something just before they are made. */
async function growAfter(world: World, act: () => Promise<unknown>): Promise<void> {
  let isDone = false;
  const client = before(
    crowded(world.client, 1).client,
    ({ Update }) => Update?.UpdateExpression?.includes('shards = :next') === true,
    async () => {
      isDone = true;
      await act();
    },
  );
  const store = storeOf(world, client, { growAfter: 1, step: 8, most: 16 });
  await committing(store, await moveOf(store, 1n));
  expect(isDone).toBe(true);
}

describe('a balance gets no shards that meanwhile', () => {
  test('gets a limit', async () => {
    const world = await hotWorld(ground, 799);
    const limit = { action: 'limit', wallet: 'hot', metric: 'minBalance', amount: 500, ...usd };
    await growAfter(world, () => world.settle('limit', limit));
    expect(await shardCount(world)).toBe(1);
    expect((await world.item(at))['limits']).toBeDefined();
  });

  test('is marked as undivided', async () => {
    const world = await hotWorld(ground, 799);
    await growAfter(world, () => world.alter(at, { undivided: 1n }));
    expect(await shardCount(world)).toBe(1);
  });
});

test.each([0, 1])('shard %i gives none of what it has no more to new ones', async (number) => {
  const world = await hotWorld(ground, 799, { first: 8 });
  const amounts = Array.from({ length: 8 }, (_, index) => (index === number ? 800n : 0n));
  await spread(world, amounts);
  await growAfter(world, () => world.alter(shardAt(number), { available: 10n }));
  const balance = await heldBy(world);
  expect(balance?.available).toBe(11n);
  expect(balance?.shards?.seen.filter(({ available }) => available < 0n)).toEqual([]);
});
