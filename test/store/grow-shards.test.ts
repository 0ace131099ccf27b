/** More shards for a balance that others change while they are being made. Decision 125. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { growShards } from '../../shared/store/grow-shards.ts';
import type { ItemAction } from '../../shared/store/request.ts';
import { deadlineIn } from '../../shared/store/retry.ts';
import { newShardBook } from '../../shared/store/shard-book.ts';
import { type Ground, main, startGround, type World } from '../fixture/audited.ts';
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
    await growAfter(world, () => world.alter(at, { undivided: BigInt(Date.now() + 60_000) }));
    expect(await shardCount(world)).toBe(1);
  });
});

test.each([
  ['some minutes ago', BigInt(Date.now() - 1)],
  ['by an earlier release', 1n],
  ['by a clock that was set back since', BigInt(Date.now() + 48 * 3_600_000)],
])('a balance that was marked as undivided %s gets shards, and loses the mark', async (_, mark) => {
  const world = await hotWorld(ground, 799);
  await world.alter(at, { undivided: mark });
  await growAfter(world, async () => {});
  expect(await shardCount(world)).toBe(8);
  expect(await world.item(at)).not.toHaveProperty('undivided');
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

test('a balance gets so many shards first, and then eight times as many', async () => {
  const world = await hotWorld(ground, 799);
  const counts: number[] = [];
  for (const step of [4, 4, 4]) {
    const store = storeOf(world, crowded(world.client, 1).client, { growAfter: 1, step, most: 40 });
    await committing(store, await moveOf(store, 1n));
    counts.push(await shardCount(world));
  }
  expect(counts).toEqual([4, 32, 40]);
});

test('once shards are made, nobody waits for them any more, and meetings of before ask for no more', async () => {
  const world = await hotWorld(ground, 799);
  const nowMs = Date.now();
  const shards = newShardBook({ nowMs: () => nowMs });
  const isMade = ({ Update }: ItemAction) => Update?.UpdateExpression?.includes('shards = :next');
  let waitedMs = 0;
  const client = before(
    world.client,
    (action) => isMade(action) === true,
    async () => {
      // As who reads the balance meanwhile.
      shards.noteGrowing(at, Number((await world.item(at))['growing']));
      waitedMs = shards.growingUntil(at) - nowMs;
    },
  );
  const { tableName } = world;
  const table = { client, tableName, deadlineMs: 15_000, onConsumed: undefined, shards };
  const hot = { scope: main, wallet: 'hot', ...usd };
  expect([1, 2, 3].map(() => shards.noteCrowd(at))).toEqual([undefined, undefined, 8]);
  expect(await growShards(table, hot, deadlineIn(15_000), { wanted: 8 })).toBe(true);
  expect(shards.noteCrowd(at)).toBeUndefined();
  expect(waitedMs).toBeGreaterThan(0);
  expect(shards.growingUntil(at)).toBe(0);
});
