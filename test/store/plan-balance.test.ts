/** Conditions of moves and ends of balances that got or lost shards since they were read. Decision 125. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drop } from '../../shared/action/drop.ts';
import {
  type Ground,
  main,
  momentNow,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';
import {
  at,
  before,
  committing,
  crowded,
  hotWorld,
  moveOf,
  runBy,
  shardCount,
  spread,
  storeOf,
  usd,
  walletIn,
} from '../fixture/hot.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

const conflict = { what: 'balance', move: 0 };

/** Gives the balance 8 shards, by another process. */
async function divide(world: World): Promise<void> {
  const store = storeOf(world, crowded(world.client, 1).client, { growAfter: 1, step: 8 });
  await committing(store, await moveOf(store, 1n));
  expect(await shardCount(world)).toBe(8);
}

test('what needs the whole is not stored beside shards that its process does not know of', async () => {
  const world = await hotWorld(ground, 799);
  const [store, other] = [storeOf(world), storeOf(world)];
  const { needs: _needs, ...free } = await moveOf(store, -900n);
  const moment = momentNow();
  const minBalance = { luid: '$lmt.x', amount: 500, moment, since: moment, intent: '$int.x' };
  const limiting = await moveOf(other, 0n, { needs: 1n, limits: { minBalance } });
  await divide(world);
  expect(await committing(store, free)).toEqual([conflict]);
  expect(await committing(other, limiting)).toEqual([conflict]);
  expect((await world.item(at))['limits']).toBeUndefined();
});

test('a move of a shard that has ended is a conflict', async () => {
  const world = await hotWorld(ground, 800, { first: 8 });
  const store = storeOf(world, world.client, { random: () => 0.5 });
  const { walletLuid: _luid, ...move } = await moveOf(store, 5n);
  await world.services.store.watch(main, [{ wallet: 'hot', ...usd }]);
  // As by a fold of shards that were quiet, which marks nothing.
  const {
    limitsChange: _changes,
    watched: _watched,
    undivided: _mark,
    ...item
  } = await world.item(at);
  await world.put(item);
  expect(await committing(store, move)).toEqual([conflict]);
});

test('a wallet does not end whose balance got shards since it was read, and something in one of them', async () => {
  const world = await hotWorld(ground, 799);
  await world.settle('out', { action: 'destroy', source: 'hot', amount: 799, ...usd });
  let isDone = false;
  const isEnd = ({ pk, sk }: Record<string, unknown> = {}) => pk === at.pk && sk === at.sk;
  const client = before(
    world.client,
    ({ Delete }) => isEnd(Delete?.Key),
    async () => {
      isDone = true;
      await divide(world);
      await spread(world, [0n, 0n, 0n, 1n, 0n, 0n, 0n, 0n]);
    },
  );
  const words = { moment: momentNow(), status: 'dropped' };
  const body = signed({ parent: (await walletIn(world)).hash }, world.key, words);
  const other = { store: storeOf(world, client) };
  const ended = runBy(world, other, drop('wallet'), { path: { id: 'hot' }, body });
  await expect(ended).rejects.toMatchObject({ reason: 'record.drop-rejected' });
  expect(isDone).toBe(true);
});
