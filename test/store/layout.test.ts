/**
 * Goal: a ledger that has spread its intents costs a quiet one nothing, is audited, exported, imported and reindexed
 * like any other, and an item in the wrong partition is found. Method: what is sent is counted, and a ledger that grew
 * three times while it was used is tampered with. Decision 124.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import { tableSource } from '../../shared/audit/table.ts';
import { sign } from '../../shared/crypto/proof.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { BookName } from '../../shared/port/books.ts';
import { type Delivery, spreadMemberOf } from '../../shared/port/deliveries.ts';
import type { Layout } from '../../shared/port/layouts.ts';
import { tableClient } from '../../shared/store/client.ts';
import {
  deliveryKeyOf,
  expiryMarkKey,
  expiryShardCount,
  expiryShardCountMax,
  hashesRangeOf,
  headKeyOf,
  type Key,
  keyOfItem,
  listedBookKeyOf,
  listKeyOf,
  listPartitionOf,
  nameOfItem,
  outboxKeyOf,
  outboxPartitionOf,
  outboxShardsOf,
  publishedKeyOf,
  rulebookKeyOf,
  shardOfVersion,
  wholeBooksKeyOf,
} from '../../shared/store/keys.ts';
import { mergedIn } from '../../shared/store/merge.ts';
import { unpack } from '../../shared/store/pack.ts';
import { passingIndexItemsOf } from '../../shared/store/projection.ts';
import { itemsAt, itemsIn } from '../../shared/store/read.ts';
import { reindex } from '../../shared/store/reindex.ts';
import type { Consumed, Item, Table } from '../../shared/store/request.ts';
import {
  dynamoBacklogs,
  dynamoBooks,
  dynamoDeliveries,
  dynamoExpiries,
  dynamoLayouts,
  dynamoLogs,
  dynamoOutbox,
  dynamoStore,
} from '../../shared/store/store.ts';
import { writeAll } from '../../shared/store/write-all.ts';
import { grow, intentIn } from '../contract/layout.ts';
import { toldOf } from '../contract/packed.ts';
import { newScope } from '../contract/store.ts';
import { auditedFile, auditedTable, loaded, newFolder, saved } from '../fixture/archived.ts';
import { type Ground, main, momentNow, startGround, type World } from '../fixture/audited.ts';
import { delivered, laterMs, newDelivery } from '../fixture/delivery.ts';
import { fullAt, storedAtLast } from '../fixture/full.ts';
import { closed } from '../fixture/tampered.ts';
import {
  commitOf,
  created,
  newLuid,
  nextMs,
  transferred,
  waiting,
  writeOf,
} from '../fixture/version.ts';

let ground: Ground;
let original: World;
const folder = newFolder();
let tables = 0;

const rounds = 4;
const each = 7;
/** Intents that take effect later, and so have markers. */
const laterCount = 4;
const notBefore = new Date(Date.now() + 86_400_000).toISOString();
/** What a bridge was told: the first of each two is to be told again. */
const bridge = newLuid('brg');
const told = [0, 3, 63].flatMap((spread) => {
  const [one, other] = [1, 2].map(() => newDelivery(main, bridge, spreadMemberOf({ spread })));
  return [{ ...one, replay: 1 }, delivered(other as Delivery)] as Delivery[];
});
const issue = (amount: number) => ({ action: 'issue', target: 'alice', symbol: 'usd', amount });
const deadline = () => performance.now() + 60_000;

beforeAll(async () => {
  ground = await startGround();
  original = await grownWorld();
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A ledger that grew between its intents, up to the largest layout. */
async function grownWorld(): Promise<World> {
  const world = await ground.newWorld();
  const { client } = ground;
  const layouts = dynamoLayouts({ client, tableName: world.tableName });
  await world.make(create('symbol'), { handle: 'usd', factor: 100 });
  await world.make(create('wallet'), { handle: 'alice' });
  for (let round = 0; round < rounds; round += 1) {
    for (let number = 0; number < each; number += 1)
      await world.settle(`i${round}-${number}`, issue(number + 1));
    if (round < rounds - 1) await grow({ layouts }, main);
  }
  for (let number = 0; number < laterCount; number += 1)
    await world.make(createIntent, {
      handle: `later-${number}`,
      claims: [issue(1)],
      config: { notBefore },
    });
  await dynamoDeliveries({ client, tableName: world.tableName }).add(told);
  const { luid, hash } = await world.settle('noted', issue(5));
  const proof = sign(hash, { moment: momentNow(), note: 'seen' }, world.key);
  await world.call(prove('intent'), proof, luid);
  return world;
}

const grown = () => ground.copyOf(original);
const tableOf = ({ tableName }: Pick<World, 'tableName'>): Table => ({
  client: ground.client,
  tableName,
  deadlineMs: 30_000,
  onConsumed: undefined,
});

/** The newest intent that is not in the list of a quiet ledger. */
async function spreadIn(world: World): Promise<{ readonly version: Version; readonly head: Key }> {
  for (let number = each - 1; number >= 0; number -= 1) {
    const head = headKeyOf(main, 'intent', `i${rounds - 1}-${number}`);
    const version = unpack(await world.item(head));
    if (version.spread) return { version, head };
  }
  throw new Error('Some intents are spread.');
}

async function moved(world: World, from: Key, to: Key): Promise<void> {
  await world.put({ ...(await world.item(from)), ...to });
  await world.remove(from);
}

/** Takes away all items of some partitions. */
async function emptied({ tableName }: World, pks: readonly string[]): Promise<void> {
  for (const pk of pks)
    for (const { sk } of await itemsIn(tableOf({ tableName }), { pk }, deadline(), {}))
      await ground.client.send(new DeleteCommand({ TableName: tableName, Key: { pk, sk } }));
}

describe('a quiet ledger', () => {
  let sent: Consumed[] = [];
  const tableName = 'quiet';
  beforeAll(() => ground.database.createTable(tableName));
  // What was read just now is known as long as the clock stands still.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() }));
  const ports = () => {
    const options = {
      ...{ client: tableClient({ endpoint: ground.database.endpoint }) },
      ...{ tableName, onConsumed: (one: Consumed) => void sent.push(one) },
    };
    return { store: dynamoStore(options), layouts: dynamoLayouts(options) };
  };
  const operations = () => sent.map(({ operation }) => operation);

  test('sends what it sent before: the layout lies in the rulebook that a request reads', async () => {
    const { store } = ports();
    const scope = newScope();
    await store.load([{ what: 'rulebook', scope }]);
    sent = [];
    const { record } = await intentIn({ store }, scope);
    expect(operations()).toEqual(['TransactWriteItems', 'BatchGetItem']);
    sent = [];
    await store.list(scope, 'intent', { index: 0, limit: 20 });
    expect(operations()).toEqual(['Query', 'BatchGetItem']);
    sent = [];
    const { luid } = record;
    await store.load([{ what: 'pointer', scope, kind: 'intent', luid }]);
    expect(operations()).toEqual(['BatchGetItem']);
    expect(sent[0]?.readUnits).toBe(1);
  });

  test('looks for the layout where a luid is not found, and not again at once', async () => {
    const { store } = ports();
    const scope = newScope();
    const want = {
      what: 'pointer',
      scope,
      kind: 'intent',
      luid: '$int.-P75yG4miTnNQ5s5g',
    } as const;
    sent = [];
    expect(await store.load([want])).toEqual([undefined]);
    expect(operations()).toEqual(['BatchGetItem', 'BatchGetItem', 'Query']);
    sent = [];
    expect(await store.load([want])).toEqual([undefined]);
    expect(operations()).toEqual(['BatchGetItem', 'Query']);
  });

  test('is known as busy to another process before it is spread', async () => {
    const [one, other] = [ports(), ports()];
    const scope = newScope();
    await other.store.load([{ what: 'rulebook', scope }]);
    const before = await intentIn(one, scope);
    await one.layouts.grow(scope, await one.layouts.read(scope), Date.now());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15_000 });
    const intents = [before];
    for (let count = 0; count < 12; count += 1) intents.push(await intentIn(one, scope));
    expect(new Set(intents.map(({ spread }) => spread)).size).toBeGreaterThan(1);
    const pointers = await other.store.load(
      intents.map(({ record: { luid } }) => ({ what: 'pointer', scope, kind: 'intent', luid })),
    );
    expect(pointers.map((pointer) => pointer?.handle)).toEqual(
      intents.map(({ record }) => record.data.handle),
    );
    const page = await other.store.list(scope, 'intent', { index: 0, limit: 50 });
    expect(page.map(({ record }) => record.luid)).toEqual(
      intents.map(({ record }) => record.luid).reverse(),
    );
  });
});

test('a grown ledger is in order, at rest and while it runs, and its intents lie apart', async () => {
  const world = await grown();
  expect(await world.audited()).toEqual([]);
  expect(await world.audited({ isLive: true })).toEqual([]);
  const page = await world.services.store.list(main, 'intent', { index: 0, limit: 100 });
  expect(page).toHaveLength(rounds * each + laterCount + 1);
  expect(new Set(page.map((version) => listKeyOf(main, version).pk)).size).toBeGreaterThan(3);
});

test('what waits in its outbox is counted, and is in its books at once', async () => {
  const world = await grown();
  const options = { client: ground.client, tableName: world.tableName };
  const { count } = await dynamoBacklogs(options).outbox(main);
  const shards = outboxShardsOf((await dynamoLayouts(options).read(main)).count);
  const entries = await Promise.all(
    shards.map((shard) => dynamoOutbox(options).oldest(main, shard, 100)),
  );
  expect(count).toBe(entries.flat().length);
  const [totals] = await dynamoBooks(options).totals(
    main,
    [{ scope: main, symbol: 'usd' }],
    Date.now(),
  );
  const sum = rounds * ((each * (each + 1)) / 2) + 5;
  expect(
    JSON.stringify(totals, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  ).toContain(`${sum}`);
});

const wrongs: [string, (world: World) => Promise<void>, RegExp][] = [
  [
    'a list entry in the list of a quiet ledger',
    async (world) => {
      const from = listKeyOf(main, (await spreadIn(world)).version);
      await moved(world, from, { ...from, pk: listPartitionOf(main, 'intent') });
    },
    /The list entry of the record is missing at 'main#~\d+#list#intent/,
  ],
  [
    'a list entry taken away',
    async (world) => world.remove(listKeyOf(main, (await spreadIn(world)).version)),
    /The list entry of the record is missing/,
  ],
  [
    'an outbox entry in another shard',
    async (world) => {
      const from = outboxKeyOf(main, (await spreadIn(world)).version);
      await moved(world, from, { ...from, pk: outboxPartitionOf(main, 0) });
    },
    /The outbox entry is missing at 'main#~\d+#outbox#0/,
  ],
  [
    'an outbox entry taken away, in a shard of which nothing is published',
    async (world) => world.remove(outboxKeyOf(main, (await spreadIn(world)).version)),
    /The outbox entry is missing/,
  ],
  [
    'a version that says another number',
    async (world) => {
      const { version, head } = await spreadIn(world);
      await world.alter(head, { spread: ((version.spread ?? 0) % 63) + 1 });
    },
    /The list entry of the record is missing/,
  ],
  [
    'an intent in partitions that its luid does not allow',
    async (world) => {
      const { version, head } = await spreadIn(world);
      const spread = ((version.spread ?? 0) % 62) + 1;
      const next = { ...version, spread };
      await world.alter(head, { spread });
      await moved(world, listKeyOf(main, version), listKeyOf(main, next));
      await moved(world, outboxKeyOf(main, version), outboxKeyOf(main, next));
    },
    /The intent is in partitions in which nobody looks for it/,
  ],
  [
    'markers in shards of which nothing says that there are any',
    async (world) => world.remove(expiryMarkKey),
    /Nobody looks for the marker that the intent has yet to end/,
  ],
  [
    'a delivery in a partition beyond the layout',
    async (world) => {
      const from = deliveryKeyOf(told[2] as Delivery);
      await moved(world, from, { ...from, pk: from.pk.replace('~3#', '~64#') });
    },
    /The delivery is in a partition in which nobody looks for it/,
  ],
  [
    'a layout that was taken away',
    async (world) => world.remove(rulebookKeyOf(main)),
    /The intent is in partitions in which nobody looks for it/,
  ],
];
test.each(wrongs)('the audit finds %s', async (_, tamper, finding) => {
  const world = await grown();
  await tamper(world);
  for (const isLive of [false, true])
    expect((await world.audited({ isLive })).join('\n')).toMatch(finding);
});

test('an entry is told of by the mark of its own shard', async () => {
  const world = await grown();
  const { version } = await spreadIn(world);
  const { pk, sk: place } = outboxKeyOf(main, version);
  await world.remove({ pk, sk: place });
  const mark = (shard: number) => world.put({ ...publishedKeyOf(main, shard), place });
  await mark(0);
  expect((await world.audited()).join('\n')).toMatch(/The outbox entry is missing/);
  await mark(shardOfVersion(version));
  expect((await world.audited()).join('\n')).not.toMatch(/The outbox entry is missing/);
});

test.each([
  ['a ledger grows', 1, 4],
  ['a ledger that has grown stays as it is', 4, 4],
])('%s where the markers of all ledgers have no capacity', async (_, first, count) => {
  // Long waits would let a process forget the throttles.
  vi.spyOn(Math, 'random').mockReturnValue(0.2);
  const tableName = `markers-${++tables}`;
  await ground.database.createTable(tableName);
  const scope = newScope();
  const layouts = dynamoLayouts({ client: ground.client, tableName });
  if (first > 1) await grow({ layouts }, scope);
  const { client } = fullAt(ground.client, 'expiry', 4);
  const options = { client, tableName };
  await storedAtLast(dynamoStore(options), commitOf(writeOf(scope, waiting('one', nextMs()))));
  expect((await dynamoLayouts(options).read(scope)).count).toBe(count);
  expect(await dynamoExpiries(options).due(nextMs())).toMatchObject({ due: [{ handle: 'one' }] });
});

test('a ledger stays as it is where records that are never spread have no capacity', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.2);
  const tableName = `others-${++tables}`;
  await ground.database.createTable(tableName);
  const scope = newScope();
  const { client, left } = fullAt(ground.client, 'outbox', 4);
  const options = { client, tableName };
  await storedAtLast(dynamoStore(options), commitOf(writeOf(scope, created('wallet', 'one'))));
  expect(left()).toBe(0);
  expect((await dynamoLayouts(options).read(scope)).count).toBe(1);
});

test('a table without a busy ledger has eight partitions of markers, and one with has all', async () => {
  const tableName = `sweep-${++tables}`;
  await ground.database.createTable(tableName);
  const scope = newScope();
  const sent: Consumed[] = [];
  const options = {
    client: ground.client,
    tableName,
    onConsumed: (one: Consumed) => void sent.push(one),
  };
  const [store, layouts] = [dynamoStore(options), dynamoLayouts(options)];
  const look = async () => {
    sent.length = 0;
    await dynamoExpiries(options).due(nextMs());
    await dynamoBacklogs(options).due(nextMs());
    return sent.filter(({ operation }) => operation === 'Query').length;
  };
  const quietCount = await look();
  await grow({ layouts }, scope);
  expect(await look()).toBe(quietCount + 2 * (expiryShardCountMax - expiryShardCount));
  const intents = Array.from({ length: 40 }, (_, number) => waiting(`w-${number}`, nextMs()));
  for (const next of intents) await store.commit(commitOf(writeOf(scope, next)));
  const { intents: backlog } = await dynamoBacklogs(options).due(nextMs(), scope);
  expect(backlog).toMatchObject({ due: intents.length, waiting: 0 });
  const { due } = await dynamoExpiries(options).due(nextMs());
  expect(due.map(({ luid }) => luid).sort()).toEqual(
    intents.map(({ record }) => record.luid).sort(),
  );
});

test('what its bridges are told lies apart, and is listed in its order', async () => {
  const { tableName } = original;
  const deliveries = dynamoDeliveries({ client: ground.client, tableName });
  expect(new Set(told.map((one) => deliveryKeyOf(one).pk)).size).toBe(3);
  expect(await deliveries.list(main, bridge, { index: 0, limit: 9 })).toEqual(told.toReversed());
});

test('a grown ledger moves to another table as it is', async () => {
  const path = await saved(ground.client, original.tableName, folder.path('grown'));
  expect(await auditedFile(path)).toEqual([]);
  const tableName = `moved-${++tables}`;
  await ground.database.createTable(tableName);
  await loaded(ground.client, tableName, path);
  expect(await auditedTable(ground.client, tableName)).toEqual([]);
  const { client } = ground;
  const layout = await dynamoLayouts({ client, tableName }).read(main);
  expect(layout).toEqual({ count: 64, before: 64, sinceMs: 0 } satisfies Layout);
  const page = { index: 0, limit: 100 };
  const [here, there] = await Promise.all(
    [original.tableName, tableName].map((name) =>
      dynamoStore({ client, tableName: name }).list(main, 'intent', page),
    ),
  );
  expect(there).toEqual(here);
  const deliveries = dynamoDeliveries({ client, tableName });
  expect(await deliveries.list(main, bridge, { index: 0, limit: 9 })).toEqual(told.toReversed());
  const { due } = await deliveries.due(laterMs);
  expect(due.map(({ spread, isReplay }) => [spread, isReplay])).toEqual(
    expect.arrayContaining([undefined, 3, 63].map((spread) => [spread, true])),
  );
  expect(await deliveries.readDue(due, laterMs)).toHaveLength(3);
  const again = await saved(client, tableName, folder.path('again'));
  expect(await auditedFile(again)).toEqual([]);
});

test.each([0, 5, 2 ** 31])(
  'an archive that spreads intents over %d partitions is none',
  async (count) => {
    const path = await saved(ground.client, original.tableName, folder.path(`over-${count}`));
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -2);
    const other = lines.map((line) =>
      line.replace('"layout","spread":64', `"layout","spread":${count}`),
    );
    writeFileSync(path, closed(other));
    const fact = `Expected one of 1, 4, 16, 64, found ${count}.`;
    expect(await auditedFile(path)).toEqual([expect.stringContaining(fact)]);
    const tableName = `over-${++tables}`;
    await ground.database.createTable(tableName);
    await expect(loaded(ground.client, tableName, path)).rejects.toThrow(fact);
  },
);

test('the books of a grown ledger are made anew by reindexing', async () => {
  const world = await grown();
  const table = tableOf(world);
  const books = async () => itemsIn(table, { pk: `${main}#book#alice#usd#` }, deadline(), {});
  const mend = async () => {
    const pages = tableSource(ground.client, world.tableName).outlines([main]);
    for await (const _ of reindex(table, pages, Date.now));
  };
  await mend();
  const before = await books();
  expect(before.length).toBeGreaterThan(rounds * each);
  await emptied(world, [`${main}#book#alice#usd#`, wholeBooksKeyOf(main).pk]);
  await mend();
  expect(await books()).toEqual(before);
  expect(await world.audited()).toEqual([]);
});

test('the log of a grown ledger has its places in few items, moves, and is audited', async () => {
  const world = await grown();
  const table = tableOf(world);
  await dynamoLogs({ client: ground.client, tableName: world.tableName }).begin(main, false);
  const log = async () => {
    const found: Item[] = [];
    for await (const items of tableSource(ground.client, world.tableName).outlines([main]))
      found.push(...items.filter((item) => nameOfItem(item)?.item === 'places'));
    return found.map(keyOfItem);
  };
  const pages = tableSource(ground.client, world.tableName).outlines([main]);
  for await (const _ of reindex(table, pages, Date.now));
  const packs = await log();
  expect(packs.length).toBeGreaterThan(0);
  expect(await world.audited()).toEqual([]);
  const [tile = {}] = await itemsIn(table, hashesRangeOf(main, 0, 0), deadline(), {});
  expect(tile).toHaveProperty('hashes');
  const path = await saved(ground.client, world.tableName, folder.path('logged'));
  expect(await auditedFile(path)).toEqual([]);
  const tableName = `moved-${++tables}`;
  await ground.database.createTable(tableName);
  await loaded(ground.client, tableName, path);
  expect(await auditedTable(ground.client, tableName)).toEqual([]);
  const item = await world.item(packs[0] as Key);
  await world.alter(packs[0] as Key, {
    places: String(item['places']).replace(/,(\d+)\]/, ',9$1]'),
  });
  expect((await world.audited()).join('\n')).toMatch(
    /The place of a change is not that of its leaf/,
  );
  await world.remove(packs[0] as Key);
  expect((await world.audited()).join('\n')).toMatch(
    /The place of a change is not that of its leaf/,
  );
});

test('what passes of a spread intent is indexed anew by reindexing, and what has passed is removed', async () => {
  const options = { client: ground.client, tableName: original.tableName };
  const [store, layouts] = [dynamoStore(options), dynamoLayouts(options)];
  const scope = newScope();
  await grow({ layouts }, scope);
  const intents = Array.from({ length: 32 }, (_, number) => waiting(`late-${number}`, nextMs()));
  for (const next of intents)
    expect(await store.commit(commitOf(writeOf(scope, next)))).toEqual([]);
  const stored = await store.list(scope, 'intent', { index: 0, limit: 50 });
  const has = (status: string) =>
    stored.flatMap((version) => {
      const { record } = version;
      const meta = { ...record.meta, status };
      return passingIndexItemsOf(scope, { ...version, record: { ...record, meta } });
    });
  expect(new Set(has('pending').map(({ pk }) => pk)).size).toBeGreaterThan(2);
  const table = tableOf(original);
  await writeAll(table, { puts: has('processing') }, deadline());
  const pages = () => tableSource(ground.client, original.tableName).outlines([scope]);
  for await (const _ of reindex(table, pages(), Date.now));
  const found = async (items: readonly Item[]) =>
    (await itemsAt(table, items.map(keyOfItem), deadline())).size;
  expect(await found(has('pending'))).toBe(intents.length);
  expect(await found(has('processing'))).toBe(0);
});

test('the books of a symbol are listed in their order, whatever the layout was when they began', async () => {
  const options = { client: ground.client, tableName: original.tableName };
  const [books, layouts] = [dynamoBooks(options), dynamoLayouts(options)];
  const scope = newScope();
  const names = Array.from({ length: 40 }, (_, number) => `w-${(number * 7) % 40}`);
  for (const [number, name] of names.entries()) {
    const version = transferred(`pay-${number}`, name, 'w-0');
    expect(await books.keep([toldOf(scope, version)], Date.now())).toEqual([]);
    if (number % 10 === 9) await grow({ layouts }, scope);
  }
  const keys = names.map((wallet) => listedBookKeyOf({ scope, wallet, symbol: 'usd' }, 64));
  expect(new Set(keys.map(({ pk }) => pk)).size).toBeGreaterThan(4);
  // Two relays that knew different layouts have listed the same books.
  const table = tableOf(original);
  await writeAll(table, { puts: keys.slice(0, 25).map((key) => ({ ...key })) }, deadline());
  for (const limit of [1, 7, 100]) {
    const found: BookName[] = [];
    for (let page: BookName[] = []; ; ) {
      page = await books.listed(scope, 'usd', limit, found.at(-1));
      found.push(...page);
      if (page.length < limit) break;
    }
    expect(found).toEqual(names.toSorted().map((wallet) => ({ scope, symbol: 'usd', wallet })));
  }
});

test('partitions are read as one, whatever is skipped, and from either end', async () => {
  const world = await ground.newWorld();
  const table = tableOf(world);
  const pks = ['one', 'two', 'three'].map((name) => `${main}#asset#$rep.${name}`);
  const all: string[] = [];
  for (let number = 0; number < 60; number += 1) {
    const sk = `csv#${String(number).padStart(10, '0')}`;
    // Most are in one of them, and one is empty.
    await world.put({ pk: pks[number % 5 === 0 ? 1 : 0], sk });
    all.push(sk);
  }
  const ranges = pks.map((pk) => ({ pk }));
  const wanted = [0, 1, 13, 59, 60, 99].flatMap((skip) =>
    [1, 9, 100].flatMap((countMax) =>
      [false, true].map((newestFirst) => ({ skip, countMax, newestFirst })),
    ),
  );
  for (const { skip, countMax, newestFirst } of wanted) {
    const found = await mergedIn(table, ranges, deadline(), { newestFirst, skip, countMax });
    const expected = newestFirst ? all.toReversed() : all;
    expect(found.map(({ sk }) => sk)).toEqual(expected.slice(skip, skip + countMax));
  }
  const options = { countMax: 10, after: all[40] as string };
  const items = await mergedIn(table, ranges, deadline(), options);
  expect(items.map(({ sk }) => sk)).toEqual(all.slice(41, 51));
});
