/** Notes in DynamoDB, when the way there is not smooth. What they do otherwise is in the contract. */
import { GetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Attempts } from '../../shared/port/notes.ts';
import { tableClient } from '../../shared/store/client.ts';
import { attemptsKeyOf, usedKeyOf } from '../../shared/store/keys.ts';
import type { Consumed, TableClient } from '../../shared/store/request.ts';
import { dynamoNotes } from '../../shared/store/store.ts';
import { expiresAttribute } from '../../shared/store/table.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { between, connectionReset, throttled } from '../fixture/trouble.ts';

const tableName = 'notes';
const nowMs = Date.UTC(2026, 2, 1);
const minuteMs = 60_000;
let database: Database;
let client: ReturnType<typeof tableClient>;

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  client = tableClient({ endpoint: database.endpoint });
});
afterAll(async () => {
  client.destroy();
  await database.stop();
});

/** Notes over a way on which each command of a kind meets trouble once. */
function notesOver(kind: object, trouble: 'lost answer' | 'throttled') {
  const met = new Set<object>();
  const way: TableClient = between(client, async (command, send) => {
    const isFirst = command.constructor === kind && !met.has(kind);
    met.add(command.constructor);
    if (isFirst && trouble === 'throttled') throw throttled();
    const output = await send(command);
    if (isFirst) throw connectionReset();
    return output;
  });
  return dynamoNotes({ client: way, tableName });
}

const attemptsOf = (scope: string): Attempts => ({
  scope,
  who: 'who',
  startMs: nowMs,
  endMs: nowMs + minuteMs,
  points: 1,
  pointsMax: 3,
});

test.each(['lost answer', 'throttled'] as const)(
  '%s: what was used once is no second use',
  async (trouble) => {
    const notes = notesOver(TransactWriteCommand, trouble);
    expect(await notes.use(trouble, 'token', nowMs + minuteMs, nowMs)).toBe(true);
    expect(await notes.use(trouble, 'token', nowMs + minuteMs, nowMs)).toBe(false);
  },
);

test.each(['lost answer', 'throttled'] as const)('%s: an attempt still counts', async (trouble) => {
  const notes = notesOver(UpdateCommand, trouble);
  const results: boolean[] = [];
  for (let attempt = 0; attempt < 4; attempt += 1)
    results.push(await notes.attempt(attemptsOf(trouble)));
  expect(results[0]).toBe(true);
  expect(results.at(-1)).toBe(false);
});

test('each note says when it is of no use any more', async () => {
  const notes = dynamoNotes({ client, tableName });
  await notes.use('s', 'token', nowMs + 1, nowMs);
  await notes.attempt(attemptsOf('s'));
  for (const [Key, endMs] of [
    [usedKeyOf('s', 'token'), nowMs + 1000],
    [attemptsKeyOf(attemptsOf('s')), nowMs + minuteMs],
  ] as const) {
    const { Item } = await client.send(new GetCommand({ TableName: tableName, Key }));
    expect(Number(Item?.[expiresAttribute]) * 1000).toBe(endMs);
  }
});

test('what is refused is no trouble, and what is broken is told', async () => {
  const consumed: Consumed[] = [];
  const notes = dynamoNotes({ client, tableName, onConsumed: (what) => consumed.push(what) });
  for (let attempt = 0; attempt < 5; attempt += 1) await notes.attempt(attemptsOf('t'));
  expect(consumed.map(({ operation }) => operation)).toEqual(Array(5).fill('UpdateItem'));
  expect(consumed.every(({ readUnits }) => readUnits === 0)).toBe(true);
  const nowhere = dynamoNotes({ client, tableName: 'nowhere' });
  await expect(nowhere.attempt(attemptsOf('t'))).rejects.toThrow();
  await expect(nowhere.use('t', 'x', nowMs + 1, nowMs)).rejects.toThrow();
});
