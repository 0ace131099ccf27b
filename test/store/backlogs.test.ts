/** Goal: backlogs are counted by ledger, and a look at them costs little however much waits. */
import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { encodeTime } from '../../shared/crypto/luid.ts';
import type { Backlogs } from '../../shared/port/backlogs.ts';
import { tableClient } from '../../shared/store/client.ts';
import { dueKeyOf, type Key, outboxPartitionOf, workKeyOf } from '../../shared/store/keys.ts';
import type { Consumed } from '../../shared/store/request.ts';
import { dynamoBacklogs, dynamoStore } from '../../shared/store/store.ts';
import { type Database, startDatabase } from '../fixture/database.ts';

const tableName = 'backlogs';
const nowMs = Date.parse('2026-02-01T12:00:00.000Z');
let database: Database;
let client: DynamoDBDocumentClient;
let backlogs: Backlogs;
let consumed: Consumed[];

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  client = tableClient({ endpoint: database.endpoint });
  const onConsumed = (what: Consumed) => consumed.push(what);
  backlogs = dynamoBacklogs({ client, tableName, onConsumed });
});
afterAll(() => database.stop());
beforeEach(() => {
  consumed = [];
});

const readUnits = () => consumed.reduce((sum, one) => sum + one.readUnits, 0);

async function put(keys: readonly Key[]): Promise<void> {
  for (let start = 0; start < keys.length; start += 25) {
    const requests = keys.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
  }
}

const luidOf = (prefix: string, number: number) => `$${prefix}.${String(number).padStart(17, '0')}`;
const entry = (scope: string, number: number, ms: number): Key => ({
  pk: outboxPartitionOf(scope, number % 4),
  sk: `${encodeTime(ms)}${luidOf('int', number)}#0000000001`,
});
const delivery = (scope: string, number: number, dueMs: number): Key =>
  dueKeyOf({ scope, subject: luidOf('eff', 1), luid: luidOf('evd', number) }, dueMs);

test('what is due is told from what waits, of this ledger alone or of all', async () => {
  await put([
    ...[entry('a', 1, nowMs - 5_000), entry('a', 2, nowMs - 9_000), entry('b', 3, nowMs)],
    ...[delivery('a', 1, nowMs - 60_000), delivery('a', 2, nowMs), delivery('a', 3, nowMs + 1)],
    ...[delivery('b', 4, nowMs - 90_000), workKeyOf('a', luidOf('rep', 1), nowMs + 5_000)],
  ]);
  expect(await backlogs.outbox('a')).toEqual({
    ...{ count: 2, oldestMs: nowMs - 9_000, isPartial: false },
  });
  expect(await backlogs.outbox('none')).toEqual({ count: 0, isPartial: false });
  const none = { due: 0, waiting: 0, isPartial: false };
  expect(await backlogs.due(nowMs, 'a')).toEqual({
    deliveries: { due: 2, waiting: 1, oldestMs: nowMs - 60_000, isPartial: false },
    intents: none,
    reports: { ...none, waiting: 1 },
  });
  expect(await backlogs.due(nowMs)).toMatchObject({
    deliveries: { due: 3, waiting: 1, oldestMs: nowMs - 90_000 },
  });
});

test('an idle ledger costs 11 read units, and a full one at most 70', async () => {
  // A request reads the rulebook, and with it the layout, before anything else.
  await dynamoStore({ client, tableName }).load([{ what: 'rulebook', scope: 'idle' }]);
  consumed = [];
  await backlogs.outbox('idle');
  await backlogs.due(nowMs, 'idle');
  expect(readUnits()).toBeLessThanOrEqual(11);
  const numbers = Array.from({ length: 2_000 }, (_, number) => number);
  await put(numbers.map((number) => entry('full', number, nowMs)));
  await put(numbers.map((number) => delivery('full', number, nowMs)));
  consumed = [];
  expect(await backlogs.outbox('full')).toEqual({
    ...{ count: 400, oldestMs: nowMs, isPartial: true },
  });
  const { deliveries } = await backlogs.due(nowMs, 'full');
  expect(deliveries).toMatchObject({ isPartial: true });
  expect(deliveries.due).toBeGreaterThan(700);
  expect(readUnits()).toBeLessThanOrEqual(70);
});
