/**
 * Threads and processes share the file of a runtime: nothing that any of them adds is lost, no money is made or seen
 * half-moved, and what one was answered is read by all others.
 */
import { GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addressOfFile } from '../../localstack/engine/file-table.ts';
import { tableClient } from '../../shared/store/client.ts';
import { type Helper, startProcess, startThread } from '../fixture/file-helper.ts';
import {
  newPath,
  newTableFile,
  removePath,
  type TableFile,
  tableName,
} from '../fixture/table-file.ts';

const balances = Array.from({ length: 10 }, (_, index) => `${index}`);
const balance = 100n;
const whole = balance * BigInt(balances.length);
const countEach = 400;
const isFleeting = true;

let file: TableFile;
let helpers: readonly Helper[];

beforeAll(async () => {
  file = newTableFile({ isFleeting });
  const work = { path: file.path, isFleeting, tableName };
  helpers = await Promise.all([
    ...[1, 2].map((seed) => startProcess({ ...work, seed })),
    ...[3, 4].map((seed) => startThread({ ...work, seed })),
  ]);
});
afterAll(async () => {
  await Promise.all(helpers.map((one) => one.end()));
  file.remove();
});

beforeEach(async () => {
  const items = [
    { pk: 'counter', sk: 'n', n: 0n },
    ...balances.map((sk) => ({ pk: 'balances', sk, n: balance })),
  ];
  const TransactItems = items.map((Item) => ({ Put: { TableName: tableName, Item } }));
  await file.client.send(new TransactWriteCommand({ TransactItems }));
});

async function counter(): Promise<bigint> {
  const at = { TableName: tableName, Key: { pk: 'counter', sk: 'n' } };
  return (await file.client.send(new GetCommand(at))).Item?.['n'];
}

async function itemsIn(
  pk: string,
  client = file.client,
): Promise<readonly Record<string, bigint>[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      ...{ TableName: tableName, KeyConditionExpression: 'pk = :pk' },
      ExpressionAttributeValues: { ':pk': pk },
    }),
  );
  return Items;
}

const sumOf = (items: readonly Record<string, bigint>[]) =>
  items.reduce((sum, { n = 0n }) => sum + n, 0n);

describe('several at once', () => {
  test('lose nothing that they add, and a reader beside them never sees a move by halves', async () => {
    let isBusy = true;
    const reader = (async () => {
      let scanCount = 0;
      for (; isBusy; scanCount += 1) {
        const now = await itemsIn('balances');
        expect(sumOf(now)).toBe(whole);
        expect(now.every(({ n = -1n }) => n >= 0n)).toBe(true);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return scanCount;
    })();
    const answers = await Promise.all(helpers.map((one) => one.does(`crowd ${countEach}`)));
    isBusy = false;
    expect(await reader).toBeGreaterThan(0);
    const told = answers.map(
      ([line = '']) => JSON.parse(line) as { additions: number; moves: number },
    );
    expect(told.map(({ additions }) => additions)).toEqual(helpers.map(() => countEach));
    expect(await counter()).toBe(BigInt(countEach * helpers.length));
    const now = await itemsIn('balances');
    expect(sumOf(now)).toBe(whole);
    // The moves that were answered are those that were written down, and add up to the balances.
    const wanted = balances.map(() => balance);
    for (const [index, { moves }] of told.entries()) {
      const notes = await itemsIn(`moves-${index + 1}`);
      expect(notes).toHaveLength(moves);
      for (const { from, to, amount = 0n } of notes) {
        wanted[Number(from)] = (wanted[Number(from)] ?? 0n) - amount;
        wanted[Number(to)] = (wanted[Number(to)] ?? 0n) + amount;
      }
    }
    expect(now.map(({ n }) => n)).toEqual(wanted);
  });

  test('read what any other was answered before', async () => {
    for (let round = 0, next = 0n; round < 60; round += 1) {
      for (const one of helpers) {
        expect(await one.does('next')).toEqual([String(next)]);
        next += 1n;
        expect(await counter()).toBe(next);
      }
    }
  });
});

test('a new file may be made by several at once', async () => {
  const path = newPath();
  const seeds = [1, 2, 3, 4];
  const makers = await Promise.all(
    seeds.map((seed) => {
      const work = { path, isFleeting, tableName, seed };
      return seed < 4 ? startProcess(work) : startThread(work);
    }),
  );
  await Promise.all(makers.map((one) => one.does('some 1')));
  const client = tableClient({ endpoint: addressOfFile(path, { isFleeting }) });
  for (const seed of seeds)
    for (const part of [0, 1, 2])
      expect(await itemsIn(`part-${seed}-${part}`, client)).toHaveLength(60);
  client.destroy();
  await Promise.all(makers.map((one) => one.end()));
  removePath(path);
});

test('one that ends while it writes holds up nobody', async () => {
  const work = { path: file.path, isFleeting, tableName };
  for (let round = 0; round < 6; round += 1) {
    const seed = 100 + round;
    const start = round % 2 === 0 ? startThread : startProcess;
    const mortal = await start({ ...work, seed });
    await new Promise<void>((resolve) => {
      mortal.hears('endless 1', (line) => {
        if (Number(line) > 20 * round) resolve();
      });
    });
    const before = await counter();
    const others = helpers.map((one) => one.does('crowd 20'));
    await mortal.kill();
    await Promise.all(others);
    expect(await counter()).toBe(before + 20n * BigInt(helpers.length));
    const parts = await Promise.all([0, 1, 2].map((part) => itemsIn(`part-${seed}-${part}`)));
    const keys = parts.map((part) => part.map(({ sk }) => sk));
    expect(keys[1]).toEqual(keys[0]);
    expect(keys[2]).toEqual(keys[0]);
  }
});
