/**
 * The outbox in DynamoDB, where the contract does not look: what it costs, what it leaves behind, and
 * that nothing in it, however broken, holds up the rest.
 */
import { BatchWriteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import type { Outbox, OutboxEntry } from '../../shared/port/outbox.ts';
import type { Store } from '../../shared/port/ports.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { drain, type EventLine } from '../../shared/signal/relay.ts';
import { tableClient } from '../../shared/store/client.ts';
import {
  asideKeyOf,
  headKeyOf,
  type Key,
  outboxKeyOf,
  outboxPartitionOf,
  outboxShardCount,
  publishedKeyOf,
  shardOf,
  textOf,
} from '../../shared/store/keys.ts';
import { itemsAt } from '../../shared/store/read.ts';
import type { Consumed } from '../../shared/store/request.ts';
import { deadlineIn } from '../../shared/store/retry.ts';
import {
  dynamoCatalog,
  dynamoGroupCommit,
  dynamoOutbox,
  dynamoStore,
  type OutboxPlace,
} from '../../shared/store/store.ts';
import { writeAll } from '../../shared/store/write-all.ts';
import { stored, waiting } from '../contract/outbox.ts';
import { newScope } from '../contract/store.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { between, connectionReset, throttled } from '../fixture/trouble.ts';
import { commitOf, created, proved, revised, transferred, writeOf } from '../fixture/version.ts';

const tableName = 'outbox';
let database: Database;
let client: DynamoDBDocumentClient;
let store: Store;
let outbox: Outbox;
let told: Consumed[];
let places: (readonly OutboxPlace[])[];
let scope: string;

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  client = tableClient({ endpoint: database.endpoint });
  const onConsumed = (what: Consumed) => told.push(what);
  store = dynamoStore({ client, tableName, onStored: (some) => places.push(some) });
  outbox = dynamoOutbox({ client, tableName, onConsumed });
});

afterAll(() => database.stop());

beforeEach(() => {
  scope = newScope();
  told = [];
  places = [];
});

async function itemAt(key: Key) {
  const table = { client, tableName, deadlineMs: 15_000, onConsumed: undefined };
  return (await itemsAt(table, [key], deadlineIn(15_000))).get(textOf(key));
}

const entriesNow = () => waiting(outbox, scope) as Promise<[OutboxEntry, ...OutboxEntry[]]>;
const put = (Item: object) => client.send(new PutCommand({ TableName: tableName, Item }));

describe('what the outbox costs', () => {
  test('a look at a shard is one query', async () => {
    await stored(store, scope, created('wallet', 'alice'));
    await outbox.oldest(scope, 0, 50);
    expect(told.map(({ operation }) => operation)).toEqual(['Query']);
  });

  test('fifty current versions are one batch, superseded ones another', async () => {
    const wallets = Array.from({ length: 50 }, (_, index) => created('wallet', `w${index}`));
    for (const some of [wallets.slice(0, 20), wallets.slice(20, 40), wallets.slice(40)])
      await store.commit(commitOf(...some.map((one) => writeOf(scope, one))));
    const entries = await entriesNow();
    told = [];
    expect(await outbox.versions(entries)).toHaveLength(50);
    expect(told.map(({ operation }) => operation)).toEqual(['BatchGetItem']);
    const [first] = wallets as [Version];
    await store.commit(commitOf(writeOf(scope, revised(first, { handle: 'other' }), first)));
    told = [];
    const versions = await outbox.versions(entries);
    expect(versions.every((version) => version?.change === 1)).toBe(true);
    expect(told.map(({ operation }) => operation)).toEqual(['BatchGetItem', 'BatchGetItem']);
  });

  test('an entry that is told takes one write unit, twenty-five one request, a shard one unit', async () => {
    const versions = [created('wallet', 'alice')];
    while (versions.length < 30) versions.push(proved(versions.at(-1) as Version));
    await stored(store, scope, ...versions);
    const entries = await entriesNow();
    told = [];
    await outbox.markPublished(entries);
    const [mark, ...batches] = told;
    expect(mark).toEqual({ operation: 'UpdateItem', readUnits: 0, writeUnits: 1 });
    expect(batches.map(({ operation }) => operation)).toEqual(['BatchWriteItem', 'BatchWriteItem']);
    expect(batches.reduce((sum, { writeUnits }) => sum + writeUnits, 0)).toBe(30);
    expect(batches.every(({ readUnits }) => readUnits === 0)).toBe(true);
  });

  test('offline, entries that are told and the mark of their shard are one transaction', async () => {
    const versions = [created('wallet', 'alice')];
    while (versions.length < 30) versions.push(proved(versions.at(-1) as Version));
    await stored(store, scope, ...versions);
    const entries = await entriesNow();
    told = [];
    await outboxOffline().markPublished(entries);
    expect(told.map(({ operation }) => operation)).toEqual(['TransactWriteItems']);
    expect(await entriesNow()).toEqual([]);
  });
});

/** The outbox where transactions share a sync. */
function outboxOffline(): Outbox {
  const options = { client, tableName, onConsumed: (what: Consumed) => told.push(what) };
  return dynamoOutbox({ ...options, groupCommit: dynamoGroupCommit(options) });
}

function requestsOf({ input }: BatchWriteCommand) {
  return input.RequestItems?.[tableName] ?? [];
}

test.each([
  ['on AWS', () => outbox],
  ['offline', outboxOffline],
])('%s, how far a shard was told is kept, and does not go back', async (_, outboxNow) => {
  const own = outboxNow();
  const alice = created('wallet', 'alice');
  await stored(store, scope, alice, proved(alice));
  const [first, second] = (await entriesNow()) as [OutboxEntry, OutboxEntry];
  const key = publishedKeyOf(scope, shardOf(alice.record.luid));
  expect(await itemAt(key)).toBeUndefined();
  await own.markPublished([first]);
  expect(await itemAt(key)).toEqual({ ...key, place: first.place });
  await own.markPublished([second, first]);
  await own.markPublished([first]);
  expect(await itemAt(key)).toEqual({ ...key, place: second.place });
  expect(await entriesNow()).toEqual([]);
});

test('a whole tail that is too long to read is refused', async () => {
  const pk = outboxPartitionOf(scope, 3);
  const puts = Array.from({ length: 2_501 }, (_, index) => ({ pk, sk: `${10_000 + index}` }));
  const table = { client, tableName, deadlineMs: 15_000, onConsumed: () => {} };
  await writeAll(table, { puts }, deadlineIn(15_000));
  await expect(dynamoCatalog({ client, tableName }).tail(scope, 'whole')).rejects.toMatchObject({
    reason: 'api.request-timeout',
    detail:
      'Too many changes wait to be indexed for a request that all of them decide. Repeat it in a while.',
  });
});

describe('trouble with the outbox', () => {
  test('what the database left for later, or lost, is deleted all the same', async () => {
    for (let index = 0; index < 5; index += 1)
      await stored(store, scope, created('wallet', `w${index}`));
    const entries = await entriesNow();
    const errors = [throttled(), connectionReset()];
    let asked = 0;
    const wrapped = between(client, async (command, send) => {
      if (!(command instanceof BatchWriteCommand)) return send(command);
      const error = errors.shift();
      if (error) throw error;
      asked += 1;
      const [first, ...rest] = requestsOf(command);
      await send(new BatchWriteCommand({ RequestItems: { [tableName]: first ? [first] : [] } }));
      return rest.length > 0 ? { UnprocessedItems: { [tableName]: rest } } : {};
    });
    await dynamoOutbox({ client: wrapped, tableName }).markPublished(entries);
    expect(asked).toBe(5);
    expect(await waiting(outbox, scope)).toEqual([]);
  });

  test('an entry that is set aside keeps what it said, and why', async () => {
    const alice = created('wallet', 'alice');
    await stored(store, scope, alice);
    const [entry] = await entriesNow();
    const before = await itemAt(outboxKeyOf(scope, alice));
    await outbox.setAside(entry, 'Nobody understands it.');
    const key = asideKeyOf(scope, entry.place);
    expect(await itemAt(key)).toEqual({ ...before, ...key, why: 'Nobody understands it.' });
    expect(await itemAt(outboxKeyOf(scope, alice))).toBeUndefined();
  });

  test('poisoned entries are put aside, and the rest is told', async () => {
    const wallets = ['a', 'b', 'c', 'd', 'e'].map((handle) => created('wallet', handle));
    const [fine, mute, lost, torn] = wallets as [Version, Version, Version, Version];
    for (const wallet of wallets) await stored(store, scope, wallet);
    const keyOf = (version: Version) => outboxKeyOf(scope, version);
    await put({ ...(await itemAt(keyOf(mute))), signals: '[{' });
    const stray = keyOf(proved(lost));
    await put({ ...(await itemAt(keyOf(lost))), ...stray });
    const head = headKeyOf(scope, 'wallet', 'd');
    await put({ ...(await itemAt(head)), meta: '{' });
    const heard: LedgerEvent[] = [];
    const hear = (lines: readonly EventLine[]) => {
      heard.push(...lines.flat());
      return lines.map(({ length }) => length);
    };
    const ports = {
      outbox,
      bus: { publish: async (lines: readonly EventLine[]) => hear(lines) },
      clock: Date.now,
      metric: () => undefined,
      reader: {
        load: async () => [] as never,
        past: async () => [],
        indexed: async () => [],
      },
    };
    for (let shard = 0; shard < outboxShardCount; shard += 1)
      expect(await drain(ports, scope, [shard])).toBe(true);
    const luids = wallets.filter((one) => one !== mute && one !== torn);
    expect(new Set(heard.map(({ luid }) => luid))).toEqual(
      new Set(luids.map(({ record }) => record.luid)),
    );
    expect(heard.map(({ luid }) => luid)).toContain(fine.record.luid);
    expect(await waiting(outbox, scope)).toEqual([]);
    for (const { sk } of [keyOf(mute), stray, keyOf(torn)])
      expect(await itemAt(asideKeyOf(scope, sk))).toMatchObject({ why: expect.any(String) });
  });
});

test.each([
  '[null]',
  '[5]',
  '{}',
  '[{"change":1}]',
  '[{"signal":"wallet-created","change":"1"}]',
  '[{"signal":5,"change":1}]',
  '[{"signal":"wallet-created","change":1,"custom":null}]',
  '[{"signal":"wallet-created","change":1,"custom":["a"]}]',
  '[{"signal":"wallet-created","change":1,"custom":{"wallet":5}}]',
])('signals that are stored as %s are put aside and counted', async (signals) => {
  const [mute, bob] = [created('wallet', 'mute'), created('wallet', 'bob')];
  const symbol = created('symbol', 'usd');
  const pay = transferred('pay');
  const custom = { wallet: 'bob', symbol: 'usd', amount: '5' };
  await stored(store, scope, mute, bob, symbol);
  const receipt = { signal: 'balance-received', change: 4, custom };
  await store.commit(commitOf({ scope, next: pay, signals: [receipt] }));
  const key = outboxKeyOf(scope, mute);
  await put({ ...(await itemAt(key)), signals });
  const heard: LedgerEvent[] = [];
  const metrics: string[] = [];
  const publish = async (lines: readonly EventLine[]) => {
    heard.push(...lines.flat());
    return lines.map(({ length }) => length);
  };
  const metric = (name: string) => void metrics.push(name);
  const ports = { outbox, bus: { publish }, clock: Date.now, metric, reader: store };
  const shards = Array.from({ length: outboxShardCount }, (_, shard) => shard);
  expect(await drain(ports, scope, shards)).toBe(true);
  expect(metrics.filter((name) => name === 'OutboxSetAside')).toHaveLength(1);
  expect(await itemAt(asideKeyOf(scope, key.sk))).toMatchObject({ signals });
  expect(heard).toHaveLength(3);
  // It does not cost the others the records that their events name.
  expect(heard.find(({ luid }) => luid === pay.record.luid)?.data).toMatchObject({
    wallet: bob.record,
    symbol: symbol.record,
  });
});

test('whoever stores is told where signals wait, once for each shard, and only when they do', async () => {
  const wallets = Array.from({ length: 20 }, (_, index) => created('wallet', `w${index}`));
  await store.commit(commitOf(...wallets.map((one) => writeOf(scope, one))));
  const shards = new Set(wallets.map(({ record }) => shardOf(record.luid)));
  expect(places).toEqual([[...shards].map((shard) => ({ scope, shard }))]);
  const rival = commitOf(writeOf(scope, created('wallet', 'w1')));
  expect(await store.commit(rival)).toHaveLength(1);
  expect(places).toHaveLength(1);
  const pay = transferred('pay');
  await store.commit(commitOf(writeOf(scope, pay)));
  expect(places[1]).toEqual([{ scope, shard: shardOf(pay.record.luid) }]);
});
