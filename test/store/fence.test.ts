/** Fences of balances in the table, beside what happens between their requests. Decision 92. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { balances } from '../../shared/action/balances.ts';
import { dynamoBooks } from '../../shared/store/store.ts';
import { type Ground, main, startGround, type World } from '../fixture/audited.ts';
import {
  at,
  before,
  hotWorld,
  runBy,
  shardAt,
  storeOf,
  usd,
  versionIn,
  walletIn,
} from '../fixture/hot.ts';
import { openingOf } from '../fixture/version.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

const aheadMs = 5_000;

/** The balances of the wallet at a moment, by a process whose clock is ahead. */
async function shown(world: World, moment: string, store = world.services.store) {
  const { client, tableName } = world;
  const books = dynamoBooks({ client, tableName });
  const other = { store, books, clock: () => Date.now() + aheadMs };
  const call = { path: { id: 'hot' }, query: { moment: [moment] } };
  const { data } = await runBy(world, other, balances, call);
  return (data as unknown as readonly { readonly data: object }[]).map((row) => row.data);
}

describe('a fence', () => {
  test('shows what moved for the first time just before its balance was fenced', async () => {
    const world = await hotWorld(ground, 0);
    const wallet = await versionIn(world, 'wallet', 'hot');
    const symbol = await versionIn(world, 'symbol', 'usd');
    await world.services.store.open([openingOf(main, wallet, symbol)]);
    const moment = new Date(Date.now() + aheadMs - 1_000).toISOString();
    const client = before(
      world.client,
      ({ Update }) =>
        Update?.Key?.['pk'] === at.pk && Update.UpdateExpression === 'SET fenced = :at',
      () => world.settle('first', { action: 'issue', target: 'hot', amount: 5, ...usd }),
    );
    const rows = await shown(world, moment, storeOf(world, client));
    expect(rows).toMatchObject([{ wallet: 'hot', schema: 'available', amount: 5n }]);
    expect(await shown(world, moment)).toEqual(rows);
  });

  test('comes to all shards where another one ended after the first of them', async () => {
    const world = await hotWorld(ground, 800, { first: 8 });
    const atMs = Date.now() + 1_000;
    await world.alter(at, { fenced: BigInt(atMs) });
    const { luid } = await walletIn(world);
    await world.services.store.fence(main, { handle: 'hot', luid }, atMs);
    for (let number = 0; number < 8; number += 1)
      expect((await world.item(shardAt(number)))['fenced']).toBe(BigInt(atMs));
  });
});
