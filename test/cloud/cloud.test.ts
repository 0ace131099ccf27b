/** What requests to the table meet, as AWS documents it. */
import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { AuditClient } from '../../shared/audit/table.ts';
import { put } from '../../shared/store/item-action.ts';
import { add, batchWrite, get, type Table, transact } from '../../shared/store/request.ts';
import { failedIndexesOf, isConflict, natureOf } from '../../shared/store/retry.ts';
import { VirtualClock } from './clock.ts';
import { newCloud } from './cloud.ts';
import { Engine } from './engine.ts';
import { silenceMs } from './parameters.ts';
import { randomOf } from './random.ts';

const tableName = 'cloud';
const keyOf = (sk: string) => ({ pk: 'p', sk });
const putAt = (sk: string, condition?: string) => put(tableName, keyOf(sk), {}, condition);

interface World extends Omit<Table, 'client'> {
  readonly client: AuditClient;
  readonly clock: VirtualClock;
  readonly friction: ReturnType<typeof newCloud>['friction'];
  readonly engine: Engine;
}

/** Runs work on an empty table in virtual time. */
function inCloud<Result>(lost: number, work: (world: World) => Promise<Result>): Promise<Result> {
  const random = randomOf(1);
  const clock = new VirtualClock(0, random);
  const engine = new Engine(tableName, () => clock.now());
  const cloud = newCloud({ engine, clock, random, savedSeconds: 0, lost });
  cloud.open();
  const table = { ...cloud, tableName, deadlineMs: 15_000, onConsumed: undefined };
  return clock.run(() => work({ ...table, clock, engine }));
}

/** The error of a request, and when it came. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('a transaction', () => {
  test('that meets another one on an item is cancelled, and the other is done', async () => {
    await inCloud(0, async (world) => {
      const first = transact(world, 'one', [putAt('a'), putAt('b')]);
      const error = await failureOf(transact(world, 'two', [putAt('b'), putAt('c')]));
      await first;
      expect([natureOf(error), isConflict(error)]).toEqual(['busy', true]);
      expect(await get(world, keyOf('b'), 1_000)).toEqual(keyOf('b'));
      expect(await get(world, keyOf('c'), 1_000)).toBeUndefined();
      expect([...world.friction.met]).toEqual([['p b', 1]]);
    });
  });

  test('that is cancelled holds its other items until its end', async () => {
    await inCloud(0, async (world) => {
      const outcomes = await Promise.all([
        failureOf(transact(world, 'one', [putAt('a')])),
        failureOf(transact(world, 'two', [putAt('a'), putAt('b')])),
        failureOf(transact(world, 'three', [putAt('b')])),
      ]);
      expect(outcomes.map((one) => one !== undefined)).toEqual([false, true, true]);
      await transact(world, 'four', [putAt('a'), putAt('b')]);
    });
  });

  test('reports a failed condition beside a conflict', async () => {
    await inCloud(0, async (world) => {
      const first = transact(world, 'one', [putAt('a')]);
      const actions = [putAt('a'), putAt('z', 'attribute_exists(pk)')];
      const error = await failureOf(transact(world, 'two', actions));
      await first;
      expect([natureOf(error), failedIndexesOf(error)]).toEqual(['refused', [1]]);
    });
  });

  test('sent twice at a time is done once, and the second is told to wait', async () => {
    await inCloud(0, async (world) => {
      const first = transact(world, 'one', [putAt('a')]);
      expect(natureOf(await failureOf(transact(world, 'one', [putAt('a')])))).toBe('busy');
      await first;
      await transact(world, 'one', [putAt('a')]);
    });
  });

  test('is throttled where a partition has no units left', async () => {
    await inCloud(0, async (world) => {
      const puts = Array.from({ length: 100 }, (_, index) => putAt(`${index}`));
      const all = Array.from({ length: 6 }, (_, round) =>
        failureOf(
          transact(
            { ...world },
            `${round}`,
            puts.map((one) => named(one, round)),
          ),
        ),
      );
      const natures = (await Promise.all(all)).map((one) => one && natureOf(one));
      expect(natures).toEqual([...Array(5).fill(undefined), 'busy']);
      expect([...world.friction.throttled.keys()]).toEqual(['p']);
      await world.clock.sleep(1_000);
      await transact(world, 'later', puts);
    });
  });
});

/** The same put at another key of the partition. */
function named(action: ReturnType<typeof putAt>, round: number) {
  const sk = `${action.Put?.Item?.['sk']}-${round}`;
  return putAt(sk);
}

describe('a write beside a transaction', () => {
  test('is rejected on the items of the transaction', async () => {
    await inCloud(0, async (world) => {
      const first = transact(world, 'one', [putAt('a')]);
      const change = { points: 1, room: 9, expires: 1 };
      const error = await failureOf(add(world, keyOf('a'), change));
      await first;
      expect([natureOf(error), isConflict(error)]).toEqual(['busy', true]);
    });
  });

  test('in a batch is left over', async () => {
    await inCloud(0, async (world) => {
      const first = transact(world, 'one', [putAt('a')]);
      const writes = ['a', 'b'].map((sk) => ({ put: keyOf(sk) }));
      expect(await batchWrite(world, writes)).toEqual([{ put: keyOf('a') }]);
      await first;
      expect(await batchWrite(world, writes)).toEqual([]);
    });
  });
});

describe('a batch over a partition without units', () => {
  test('is left over where some were taken, and fails where none was', async () => {
    await inCloud(0, async ({ client, engine }) => {
      const Keys = Array.from({ length: 100 }, (_, index) => keyOf(`${index}`));
      engine.answer(
        new BatchWriteCommand({
          RequestItems: {
            [tableName]: [{ PutRequest: { Item: { ...keyOf('0'), long: 'x'.repeat(390_000) } } }],
          },
        }),
      );
      const ask = () =>
        client.send(new BatchGetCommand({ RequestItems: { [tableName]: { Keys } } }));
      const answers = await Promise.all(Array.from({ length: 40 }, () => failureOf(ask())));
      const failed = answers.filter((one) => one !== undefined);
      expect(failed.length).toBeGreaterThan(0);
      expect(failed.length).toBeLessThan(40);
      expect(new Set(failed.map(natureOf))).toEqual(new Set(['busy']));
    });
  });
});

test('a lost answer says nothing of what was done', async () => {
  await inCloud(1, async (world) => {
    const error = await failureOf(transact(world, 'one', [putAt('a')]));
    expect(natureOf(error)).toBe('unknown');
    expect(world.clock.now()).toBeLessThanOrEqual(silenceMs);
    const { Responses } = world.engine.answer(
      new BatchGetCommand({ RequestItems: { [tableName]: { Keys: [keyOf('a')] } } }),
    ) as { Responses: Record<string, object[]> };
    expect(Responses[tableName]).toEqual([keyOf('a')]);
    expect(world.friction.lost()).toBe(1);
  });
});
