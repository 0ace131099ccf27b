/**
 * Goal: what a batch has in few items is audited, exported, imported, proven and changed like what lies alone, costs as
 * little as it should, and is missed when it is damaged. Method: a ledger with payouts that were posted as batches, some
 * of them published, and tampering with the items that hold many. Decision 142.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { relayPorts } from '../../functions/relay-ports.ts';
import { batchIntents } from '../../shared/action/batch-intents.ts';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import { tableSource } from '../../shared/audit/table.ts';
import { sign } from '../../shared/crypto/proof.ts';
import type { LedgerRecord, Version } from '../../shared/ledger/record.ts';
import type { OutboxEntry } from '../../shared/port/outbox.ts';
import { drain } from '../../shared/signal/relay.ts';
import { blockedAmong, isBlock, packBlocks, unblocked } from '../../shared/store/blocks.ts';
import { deflated } from '../../shared/store/deflated.ts';
import {
  bookPartitionOf,
  headKeyOf,
  type Key,
  keyOfItem,
  listPartitionOf,
  nameOfItem,
  outboxPartitionOf,
  outboxShardCount,
} from '../../shared/store/keys.ts';
import { entriesOf as outboxEntriesIn } from '../../shared/store/outbox.ts';
import { itemsIn } from '../../shared/store/read.ts';
import { reindex } from '../../shared/store/reindex.ts';
import type { Item, Table } from '../../shared/store/request.ts';
import { deadlineIn } from '../../shared/store/retry.ts';
import {
  dynamoBacklogs,
  dynamoBooks,
  dynamoCatalog,
  dynamoLayouts,
  dynamoLogs,
  dynamoMonitors,
  dynamoOutbox,
  dynamoStore,
} from '../../shared/store/store.ts';
import { auditedFile, auditedTable, loaded, newFolder, saved } from '../fixture/archived.ts';
import {
  type Ground,
  main,
  momentNow,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';

/** The payouts of a batch; two batches are published, and one waits. */
const each = 20;
const usd = { symbol: 'usd' };
let ground: Ground;
let original: World;
let tables = 0;
const folder = newFolder();

beforeAll(async () => {
  ground = await startGround();
  original = await paidWorld();
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});

async function paidWorld(): Promise<World> {
  const world = await ground.newWorld();
  await world.make(create('symbol'), { handle: 'usd', factor: 100 });
  await world.make(create('wallet'), { handle: 'payer' });
  for (let index = 0; index < each; index += 1)
    await world.make(create('wallet'), { handle: `w-${index}` });
  await world.settle('funds', { action: 'issue', target: 'payer', amount: 1_000, ...usd });
  await pay(world, 'first');
  await pay(world, 'second');
  await publish(world);
  await pay(world, 'third');
  return world;
}

const copy = () => ground.copyOf(original);
const tableOf = ({ tableName }: World): Table => ({
  ...{ client: ground.client, tableName, deadlineMs: 30_000, onConsumed: undefined },
});
const at = ({ tableName }: World) => ({ client: ground.client, tableName });

/** Pays all wallets at once. */
async function pay(world: World, name: string): Promise<LedgerRecord[]> {
  const data = Array.from({ length: each }, (_, index) => {
    const claim = { action: 'transfer', source: 'payer', target: `w-${index}`, amount: 1, ...usd };
    return signed({ handle: `${name}-${index}`, claims: [claim] }, world.key);
  });
  const answer = await world.call(batchIntents, { mode: 'independent', data });
  const lines = answer.data as unknown as LedgerRecord[];
  expect(new Set(lines.map(({ meta }) => meta.status))).toEqual(new Set(['completed']));
  return lines;
}

/** Publishes what waits; of each event that the bus refuses, the entry stays. */
async function publish(
  world: World,
  isRefused: (handle: string) => boolean = () => false,
): Promise<string[]> {
  const options = at(world);
  const told: string[] = [];
  const bus = {
    publish: async (lines: readonly (readonly { readonly data: unknown }[])[]) =>
      lines.map((line) => {
        const handle = JSON.stringify(line[0]?.data);
        if (isRefused(handle)) return 0;
        told.push(handle);
        return line.length;
      }),
  };
  const table = {
    at: options,
    outbox: dynamoOutbox(options),
    store: dynamoStore(options),
    catalog: dynamoCatalog(options),
    books: dynamoBooks(options),
    monitors: dynamoMonitors(options),
    logs: dynamoLogs(options),
    layouts: dynamoLayouts(options),
  };
  const complain = (_: string, error: unknown) => {
    throw error;
  };
  const ports = { bus: bus as never, clock: Date.now, metric: () => {}, complain };
  const shards = Array.from({ length: outboxShardCount }, (_, shard) => shard);
  for (const scope of ['', main]) await drain(relayPorts(table, ports), scope, shards);
  return told;
}

/** The items of a partition, as they are stored. */
const storedIn = (world: World, pk: string): Promise<Item[]> =>
  itemsIn(tableOf(world), { pk }, deadlineIn(30_000), {});
const listOf = (world: World) => storedIn(world, listPartitionOf(main, 'intent'));
async function outboxOf(world: World): Promise<Item[]> {
  const shards = Array.from({ length: outboxShardCount }, (_, shard) => shard);
  const all = shards.map((shard) => storedIn(world, outboxPartitionOf(main, shard)));
  return (await Promise.all(all)).flat();
}
const blocksAmong = (items: readonly Item[]) => items.filter((item) => item['block']);

async function firstBlock(items: Promise<Item[]>): Promise<Item> {
  const [block] = blocksAmong(await items);
  if (!block) throw new Error('There is no block.');
  return block;
}

const waitingIn = async (world: World): Promise<OutboxEntry[]> =>
  (await outboxOf(world)).flatMap((item) => {
    const name = nameOfItem(item);
    if (name?.item !== 'outbox' && name?.item !== 'signals') throw new Error('It is no entry.');
    return outboxEntriesIn(main, name.shard, item);
  });

describe('a batch', () => {
  test('has an item for itself, and shares the others', async () => {
    const [list, outbox] = [await listOf(original), await outboxOf(original)];
    expect(list.flatMap(unblocked)).toHaveLength(3 * each + 1);
    expect(blocksAmong(list).length).toBeGreaterThanOrEqual(3);
    expect(list.length).toBeLessThan(each);
    expect(blocksAmong(outbox)).toHaveLength(1);
    expect(await waitingIn(original)).toHaveLength(each);
    const head = await original.item(headKeyOf(main, 'intent', 'first-0'));
    expect(head).toHaveProperty('texts');
    expect(await dynamoBacklogs(at(original)).outbox(main)).toMatchObject({ count: each });
    expect(await original.audited()).toEqual([]);
    expect(await original.audited({ isLive: true })).toEqual([]);
  });

  test('changes one by one later, and each change is told after what was before', async () => {
    const world = await copy();
    const [newest] = await world.services.store.list(main, 'intent', { index: 0, limit: 1 });
    const { luid, hash } = (newest as Version).record;
    const proof = sign(hash, { moment: momentNow(), note: 'seen' }, world.key);
    await world.call(prove('intent'), proof, luid);
    const claim = { action: 'transfer', source: 'w-3', target: 'payer', amount: 1, ...usd };
    await world.make(createIntent, { handle: 'back', claims: [claim], reverses: 'third-3' });
    expect(await world.audited()).toEqual([]);
    const own = (await waitingIn(world)).filter((entry) => entry.luid === luid);
    expect(own.map(({ block }) => block !== undefined)).toEqual([true, false]);
    await publish(world);
    expect(await outboxOf(world)).toEqual([]);
    expect(await world.audited()).toEqual([]);
  });

  test('stays in the outbox as far as the bus refuses it, one by one, and is told then', async () => {
    const world = await copy();
    await publish(world, (said) => /"third-(1|5)"/.test(said));
    const left = await waitingIn(world);
    expect(left.map(({ handle, block }) => [handle, block])).toEqual(
      expect.arrayContaining([
        ['third-1', undefined],
        ['third-5', undefined],
      ]),
    );
    expect(left).toHaveLength(2);
    expect(await world.audited()).toEqual([]);
    const told = await publish(world);
    expect(told).toHaveLength(2);
    expect(await world.audited()).toEqual([]);
  });

  test('shares entries of the book from which all are paid, and each is read there', async () => {
    const world = await copy();
    await publish(world);
    const payer = { scope: main, wallet: 'payer', ...usd };
    const items = await storedIn(world, bookPartitionOf(payer));
    expect(blocksAmong(items).length).toBeGreaterThan(0);
    expect(items.length).toBeLessThan(each);
    const stretch = { sinceMs: 0, untilMs: Date.now(), limit: 100 };
    const { rows, closing } = await dynamoBooks(at(world)).page(payer, stretch);
    const handles = rows.map(({ entry }) => entry.intent.handle);
    const paid = ['first', 'second', 'third'].flatMap((name) =>
      Array.from({ length: each }, (_, index) => `${name}-${index}`),
    );
    expect(handles).toEqual(['funds', ...paid]);
    expect(closing).toMatchObject({ credits: 1_000n, debits: BigInt(3 * each) });
    // Those of a wallet that each batch pays share an item only where the batches came within 256 milliseconds.
    const paidOne = await dynamoBooks(at(world)).page({ ...payer, wallet: 'w-3' }, stretch);
    expect(paidOne.rows).toHaveLength(3);
    expect(await world.audited()).toEqual([]);
  });

  test('has leaves in the log, each with its index, and index entries', async () => {
    const world = await copy();
    await publish(world);
    const logs = dynamoLogs(at(world));
    const page = await world.services.store.list(main, 'intent', { index: 0, limit: 100 });
    expect(page).toHaveLength(3 * each + 1);
    const indexes = await Promise.all(
      page.map(({ record, change }) => logs.indexOf(main, record.luid, change)),
    );
    expect(new Set(indexes).size).toBe(page.length);
    expect(indexes).not.toContain(undefined);
    const term = { field: 'word', value: 'w-7' };
    const found = await dynamoCatalog(at(world)).indexEntriesOf(
      { scope: main, kind: 'intent' },
      term,
      { limit: 10 },
    );
    expect(found.map(({ name }) => name)).toEqual(['third-7', 'second-7', 'first-7']);
    expect(await world.audited()).toEqual([]);
  });

  test('goes out of a table and into another one, what waits to be told included', async () => {
    tables += 1;
    const path = await saved(ground.client, original.tableName, folder.path(`out-${tables}`));
    expect(await auditedFile(path)).toEqual([]);
    const tableName = `blocks-${tables}`;
    await ground.database.createTable(tableName);
    await loaded(ground.client, tableName, path);
    expect(await auditedTable(ground.client, tableName)).toEqual([]);
    const again = { ...original, tableName };
    expect(blocksAmong([...(await listOf(again)), ...(await outboxOf(again))])).toEqual([]);
    expect((await waitingIn(again)).map(({ handle }) => handle).sort()).toEqual(
      (await waitingIn(original)).map(({ handle }) => handle).sort(),
    );
    const copyPath = await saved(ground.client, tableName, folder.path(`again-${tables}`));
    expect(await auditedFile(copyPath)).toEqual([]);
  });

  test('is reindexed, and its books are made', async () => {
    const world = await copy();
    await publish(world);
    const pages = tableSource(ground.client, world.tableName).outlines();
    let last: unknown;
    for await (const count of reindex(tableOf(world), pages, Date.now)) last = { ...count };
    expect(last).toMatchObject({ removed: 0, unreadable: 0 });
    expect(await world.audited()).toEqual([]);
  });
});

describe('the audit names', () => {
  const keyOf = (item: Item): Key => keyOfItem(item);

  test('a block of a list that is gone, was cut, or names others', async () => {
    const gone = await copy();
    await gone.remove(keyOf(await firstBlock(listOf(gone))));
    expect((await gone.audited()).join('\n')).toMatch(/The list entry of the record is missing/);

    const cut = await copy();
    const block = await firstBlock(listOf(cut));
    await cut.put({ ...block, block: deflated('[]') });
    const said = (await cut.audited()).join('\n');
    expect(said).toMatch(/The entries of a batch at '.*' cannot be read\./);
    expect(said).toMatch(/The list entry of the record is missing/);

    const other = await copy();
    const [first, second, ...rest] = unblocked(await firstBlock(listOf(other))) as [Item, Item];
    const swapped = packBlocks([
      { ...first, handle: second['handle'] },
      { ...second, handle: first['handle'] },
      ...rest,
    ]);
    await other.remove(keyOf(await firstBlock(listOf(other))));
    for (const item of swapped) await other.put(item);
    expect((await other.audited()).length).toBeGreaterThan(0);
  });

  test('a block of a list beside the one that has the same', async () => {
    const world = await copy();
    const [first, second] = unblocked(await firstBlock(listOf(world))) as [Item, Item];
    const strange = {
      ...second,
      sk: String(second['sk']).replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')),
    };
    const [stray] = packBlocks([first, strange]);
    await world.put(stray as Item);
    expect((await world.audited()).join('\n')).toMatch(/A list entry shows no record/);
  });

  test('a block of an outbox that is gone, was cut, or tells something else', async () => {
    const gone = await copy();
    await gone.remove(keyOf(await firstBlock(outboxOf(gone))));
    expect((await gone.audited()).join('\n')).toMatch(/The outbox entry is missing/);

    const cut = await copy();
    await cut.put({ ...(await firstBlock(outboxOf(cut))), block: new Uint8Array([1, 2]) });
    expect((await cut.audited()).join('\n')).toMatch(
      /Invariant 4 .* The entries of a batch at '.*' cannot be read\./,
    );

    const other = await copy();
    const block = await firstBlock(outboxOf(other));
    const [first, ...rest] = unblocked(block);
    const [forged] = packBlocks([{ ...first, signals: '[]' }, ...rest]);
    await other.remove(keyOf(block));
    await other.put(forged as Item);
    expect((await other.audited()).join('\n')).toMatch(/The outbox entry tells other signals/);
  });
});

test('an entry is found in a block by its key, and a block that is no batch is none', async () => {
  const entries = unblocked(await firstBlock(listOf(original)));
  expect(entries.some(isBlock)).toBe(false);
  const source = tableSource(ground.client, original.tableName);
  const found = await source.at(entries.map(keyOfItem));
  expect([...found.values()]).toHaveLength(entries.length);
  const none = await blockedAmong(source.pages, [{ pk: `${main}#wallet#payer`, sk: '#' }]);
  expect(none.size).toBe(0);
});
