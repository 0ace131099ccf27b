/** Reading balances with shards, of which others change some between the reads of one reading. Decision 125. */
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIntent } from '../../shared/action/create-intent.ts';
import { textOf } from '../../shared/store/keys.ts';
import { type Ground, main, signed, startGround } from '../fixture/audited.ts';
import { at, hotWorld, runBy, shardAt, spread, storeOf, usd } from '../fixture/hot.ts';
import { between } from '../fixture/trouble.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

type Row = { readonly pk: string; readonly sk: string };

/** The keys that a command reads; none for any other command. */
function keysIn(command: object): string[] {
  const asked = command instanceof BatchGetCommand ? (command.input.RequestItems ?? {}) : {};
  return Object.values(asked).flatMap(({ Keys = [] }) => Keys.map((key) => textOf(key as Row)));
}

describe('a balance with shards', () => {
  test.each([2, 3])('pays what it had at every moment, from %i shards', async (first) => {
    const world = await hotWorld(ground, 100, { first });
    await spread(world, [0n, 100n, 0n].slice(0, first));
    let isArmed = false;
    const client = between(world.client, async (command, send) => {
      const keys = keysIn(command);
      if (!isArmed || ![at, shardAt(1)].every((key) => keys.includes(textOf(key))))
        return send(command);
      isArmed = false;
      // The first shard is read before 100 come in there, and the second one after 100 have left it.
      const read = await world.item(at);
      await world.alter(at, { available: 100n, moves: 9n });
      await world.alter(shardAt(1), { available: 0n, moves: 9n });
      const answer = (await send(command)) as { readonly Responses: Record<string, Row[]> };
      const Responses = Object.entries(answer.Responses).map(([table, rows]) => [
        table,
        rows.map((row) => (textOf(row) === textOf(at) ? read : row)),
      ]);
      return { ...answer, Responses: Object.fromEntries(Responses) };
    });
    const store = storeOf(world, client, { first });
    // The process knows of the shards.
    await store.balances(main, 'hot');
    isArmed = true;
    const claim = { action: 'transfer', source: 'hot', target: 'w0', amount: 50, ...usd };
    const body = signed({ handle: 'pay', claims: [claim] }, world.key);
    const { meta } = await runBy(world, { store }, createIntent, { body });
    expect([meta.status, isArmed]).toEqual(['completed', false]);
  });

  test('is read again where one has moved and has the same amount as before', async () => {
    const world = await hotWorld(ground, 100, { first: 8 });
    await spread(world, [10n, 10n, 10n, 0n, 10n, 10n, 10n, 10n]);
    await world.alter(shardAt(3), { moves: 1n });
    let readings = 0;
    const client = between(world.client, async (command, send) => {
      const answer = await send(command);
      if (keysIn(command).length < 8) return answer;
      readings += 1;
      // After the first reading 30 come in and leave again, and after the second one they come and stay.
      if (readings === 1) await world.alter(shardAt(3), { moves: 3n });
      if (readings === 2) await world.alter(shardAt(3), { moves: 4n, available: 30n });
      return answer;
    });
    const want = { what: 'balance', scope: main, wallet: 'hot', ...usd, whole: 'exact' } as const;
    const [balance] = await storeOf(world, client).load([want]);
    expect([balance?.available, readings]).toEqual([100n, 4]);
  });
});
