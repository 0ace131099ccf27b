/**
 * Goal: a quiet ledger takes the forms that the release before cannot read when that no longer runs, and stays in order
 * meanwhile and afterwards. Method: its items are looked at before the hour has passed, and after it. Decision 141.
 */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { tableSource } from '../../shared/audit/table.ts';
import { indexing } from '../../shared/signal/indexing.ts';
import { drain } from '../../shared/signal/relay.ts';
import { sequencer } from '../../shared/signal/sequencing.ts';
import {
  hashesKeyOf,
  hashesRangeOf,
  headKeyOf,
  keyOfItem,
  loggedKeyOf,
  logKeyOf,
  nameOfItem,
  outboxShardCount,
  rulebookKeyOf,
} from '../../shared/store/keys.ts';
import { unpack } from '../../shared/store/pack.ts';
import { itemsIn } from '../../shared/store/read.ts';
import type { Item } from '../../shared/store/request.ts';
import {
  dynamoBooks,
  dynamoCatalog,
  dynamoDeliveries,
  dynamoLogs,
  dynamoOutbox,
  dynamoStore,
} from '../../shared/store/store.ts';
import { auditedFile, auditedTable, loaded, newFolder, saved } from '../fixture/archived.ts';
import { type Ground, main, startGround, type World } from '../fixture/audited.ts';
import { newDelivery } from '../fixture/delivery.ts';
import { newLuid } from '../fixture/version.ts';

const hourMs = 3_600_000;
const people = ['alice', 'bob'];
const folder = newFolder();
let ground: Ground;
beforeAll(async () => {
  ground = await startGround();
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});
afterEach(() => vi.useRealTimers());

const shards = Array.from({ length: outboxShardCount }, (_, shard) => shard);
const fail = (error: unknown) => {
  throw error;
};

/** Publishes all that waits, as the relay does. */
async function publish({ tableName }: World): Promise<void> {
  const at = { client: ground.client, tableName };
  const store = dynamoStore(at);
  const log = sequencer({ logs: dynamoLogs(at), store, report: fail });
  const [clock, metric] = [Date.now, () => {}];
  const behind = { catalog: dynamoCatalog(at), books: dynamoBooks(at), log };
  const outbox = indexing({ outbox: dynamoOutbox(at), ...behind, clock, metric, report: fail });
  const bus = { publish: async (lines: readonly unknown[][]) => lines.map(({ length }) => length) };
  const ports = { outbox, reader: store, bus: bus as never, clock, metric };
  for (const scope of ['', main]) expect(await drain(ports, scope, shards)).toBe(true);
}

/** A ledger with people who have money, all of it published. */
async function peopled(): Promise<World> {
  const world = await ground.newWorld();
  await world.make(create('symbol'), { handle: 'usd', factor: 100 });
  for (const handle of people) await world.make(create('wallet'), { handle });
  for (const target of people)
    await world.settle(`issue-${target}`, { action: 'issue', target, symbol: 'usd', amount: 100 });
  await publish(world);
  return world;
}

const transfer = { action: 'transfer', source: 'alice', target: 'bob', symbol: 'usd', amount: 1 };
const headOf = (world: World, handle: string) => world.item(headKeyOf(main, 'intent', handle));

/** Lets an hour pass for the store, and for processes that know the ledger. */
function passHour(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hourMs });
}

async function itemsNamed(world: World, item: string): Promise<Item[]> {
  const found: Item[] = [];
  for await (const items of tableSource(ground.client, world.tableName).outlines([main]))
    found.push(...items.filter((one) => nameOfItem(one)?.item === item));
  return found;
}

const marks = async (world: World) => {
  const told = await itemsNamed(world, 'told');
  return Promise.all(told.map((one) => world.item(keyOfItem(one))));
};

test('an hour after the first record that this release logs, records and leaves take their new forms', async () => {
  const world = await peopled();
  const rulebook = await world.item(rulebookKeyOf(main));
  expect(Number(rulebook['dense'])).toBeGreaterThan(Date.now() + hourMs - 60_000);
  await world.settle('early', transfer);
  expect(await headOf(world, 'early')).toHaveProperty('data');
  await publish(world);
  expect(await world.audited()).toEqual([]);
  const before = await marks(world);
  passHour();
  // One more than there are shards, so that two of them share one.
  const handles = Array.from({ length: outboxShardCount + 1 }, (_, number) => `late-${number}`);
  for (const handle of handles) await world.settle(handle, transfer);
  const late = await headOf(world, 'late-0');
  expect(late).toHaveProperty('texts');
  expect(late).not.toHaveProperty('data');
  expect(late).not.toHaveProperty('spread');
  expect(unpack(late).record.data['claims']).toEqual([transfer]);
  await publish(world);
  // A place that comes alone is an item of its own.
  const own = handles.map(async (handle) => {
    const { luid } = unpack(await headOf(world, handle)).record;
    return world.item(loggedKeyOf(main, luid, 1)).catch((error: Error) => error.message);
  });
  expect(await Promise.all(own)).toContainEqual(expect.stringContaining('There is nothing'));
  expect((await itemsNamed(world, 'places')).length).toBeGreaterThan(0);
  // The log says what is published, so no mark does.
  expect(await marks(world)).toEqual(before);
  expect(await world.item(rulebookKeyOf(main))).toEqual(rulebook);
  expect(await world.audited()).toEqual([]);
});

test('places that cannot be read are named by the audit, which goes on', async () => {
  const world = await peopled();
  passHour();
  for (let number = 0; number < 4; number += 1) await world.settle(`pay-${number}`, transfer);
  await publish(world);
  const [first = {}] = await itemsNamed(world, 'places');
  const before = await world.item(keyOfItem(first));
  const { pk, sk } = keyOfItem(before);
  const places = String(before['places']);
  for (const text of [
    places.replace(']', ')'),
    'null',
    '[["$int.x"]]',
    places.replace(/,(\d+),(\d+)\]/, ',"$1",$2]'),
  ]) {
    await world.put({ ...before, places: text });
    for (const isLive of [false, true]) {
      const lines = await world.audited({ isLive });
      const said = `Invariant 3 · ledger main: The item '${pk} ${sk}' cannot be read: `;
      expect(
        lines.filter((line) => line.startsWith(said)),
        lines.join('\n'),
      ).toHaveLength(1);
      expect(lines.length).toBeGreaterThan(1);
    }
  }
  await world.put(before);
  expect(await world.audited()).toEqual([]);
});

test('a dense ledger moves to another table, and its archive says what it said', async () => {
  const world = await peopled();
  passHour();
  for (let number = 0; number < 4; number += 1) await world.settle(`pay-${number}`, transfer);
  await publish(world);
  const path = await saved(ground.client, world.tableName, folder.path('dense'));
  expect(await auditedFile(path)).toEqual([]);
  await ground.database.createTable('moved-dense');
  await loaded(ground.client, 'moved-dense', path);
  expect(await auditedTable(ground.client, 'moved-dense')).toEqual([]);
});

test('contents of deliveries take their new form, move to another table, and are named when they are damaged', async () => {
  const world = await peopled();
  const { deliveries } = world.services;
  const intent = await world.settle('told', transfer);
  const subject = newLuid('eff');
  const told = () => newDelivery(main, subject, {}, { ...intent });
  const [early, late] = [told(), told()];
  await deliveries.add([early]);
  passHour();
  await deliveries.add([late]);
  const contents = async () => {
    const outlines = await itemsNamed(world, 'brought');
    return Promise.all(outlines.map((one) => world.item(keyOfItem(one))));
  };
  const items = await contents();
  const [content] = items.filter((one) => one['content'] !== undefined) as [Item];
  expect(items).toHaveLength(2);
  expect(content['pk']).toContain(late.data.handle);
  await publish(world);
  expect(await world.audited()).toEqual([]);

  const path = await saved(ground.client, world.tableName, folder.path('contents'));
  expect(await auditedFile(path)).toEqual([]);
  await ground.database.createTable('moved-contents');
  await loaded(ground.client, 'moved-contents', path);
  expect(await auditedTable(ground.client, 'moved-contents')).toEqual([]);
  const moved = dynamoDeliveries({ client: ground.client, tableName: 'moved-contents' });
  for (const one of [early, late]) expect(await moved.read(main, subject, one.luid)).toEqual(one);

  const bytes = content['content'] as Uint8Array;
  for (const place of [0, 70, bytes.length - 20]) {
    const damaged = Buffer.from(bytes);
    damaged[place] = (damaged[place] ?? 0) ^ 1;
    await world.put({ ...content, content: damaged });
    expect((await world.audited()).join('\n')).toMatch(/The content at .* is not what was brought/);
  }
  await world.put(content);
  expect(await world.audited()).toEqual([]);
});

test('the audit finds places that share items where nothing says that they may', async () => {
  const world = await peopled();
  passHour();
  for (let number = 0; number < 4; number += 1) await world.settle(`pay-${number}`, transfer);
  await publish(world);
  await world.remove(rulebookKeyOf(main));
  expect((await world.audited()).join('\n')).toMatch(/Places of the log share items/);
});

test('the audit finds an outbox entry that was taken away before the log had its change', async () => {
  const world = await peopled();
  passHour();
  await world.make(createIntent, { handle: 'lost', claims: [transfer] });
  for (const entry of await itemsNamed(world, 'outbox')) await world.remove(keyOfItem(entry));
  expect((await world.audited()).join('\n')).toMatch(/The outbox entry is missing/);
});

test('leaves behind the head are in order while their changes wait, and not without them', async () => {
  const world = await peopled();
  const table = { ...{ client: ground.client, tableName: world.tableName } };
  const at = { ...table, deadlineMs: 15_000, onConsumed: undefined };
  const { size, peaks, settled } = await world.item(logKeyOf(main));
  const waiting = await world.settle('waiting', transfer);
  const outlines = await itemsNamed(world, 'outbox');
  const entries = await Promise.all(outlines.map((one) => world.item(keyOfItem(one))));
  expect(entries.length).toBeGreaterThan(0);
  await publish(world);
  // As a sequencer leaves it that stops before the head.
  await world.alter(logKeyOf(main), { size, peaks, settled });
  for (const entry of entries) await world.put(entry);
  const leaves = await itemsIn(at, hashesRangeOf(main, 0, 0), performance.now() + 15_000, {});
  expect(leaves.map(keyOfItem)).toContainEqual(hashesKeyOf(main, 0, Number(size)));
  expect(await world.audited()).toEqual([]);
  for (const entry of entries) await world.remove(keyOfItem(entry));
  expect((await world.audited()).join('\n')).toMatch(/The log has leaves behind its head/);
  for (const entry of entries) await world.put(entry);
  await publish(world);
  expect(await world.audited()).toEqual([]);
  expect(Number((await world.item(logKeyOf(main)))['size'])).toBeGreaterThan(Number(size));
  expect(await dynamoLogs(table).indexOf(main, waiting.luid, 1)).toBe(Number(size));
});
