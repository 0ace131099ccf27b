/**
 * Goal: a worker may send what it sends, though it may write in few partitions only. Method: the store
 * does the work of each worker over a client that only takes notes, and each note is judged by the
 * worker's role as AWS would judge it.
 */
import { expect, test } from 'vitest';
import { leavesOf } from '../../shared/log/leaf.ts';
import type { OutboxEntry } from '../../shared/port/outbox.ts';
import { noProgress } from '../../shared/port/reports.ts';
import { packBlocks } from '../../shared/store/blocks.ts';
import { reopenBook } from '../../shared/store/close-book.ts';
import { newSpans, packSpans } from '../../shared/store/counted-spans.ts';
import {
  balanceKeyOf,
  changeKeyOf,
  dueKeyOf,
  hashesKeyOf,
  headKeyOf,
  holderKeyOf,
  type Key,
  logKeyOf,
  outboxKeyOf,
  secretKeyOf,
  shardOf,
  spansKeyOf,
  textOf,
} from '../../shared/store/keys.ts';
import { pack } from '../../shared/store/pack.ts';
import { packRuns, runsOf } from '../../shared/store/pack-log.ts';
import type { Item, TableClient } from '../../shared/store/request.ts';
import { deadlineIn } from '../../shared/store/retry.ts';
import {
  dynamoBooks,
  dynamoCatalog,
  dynamoDeliveries,
  dynamoExpiries,
  dynamoLayouts,
  dynamoLogs,
  dynamoMonitors,
  dynamoNotes,
  dynamoOutbox,
  dynamoReports,
  dynamoStore,
} from '../../shared/store/store.ts';
import { claimed, delivered, newDelivery } from '../fixture/delivery.ts';
import {
  commitOf,
  created,
  newLuid,
  openingOf,
  proved,
  transferred,
  waiting,
  writeOf,
} from '../fixture/version.ts';
import { nameIn, partitionsIn, statementsOf, templateOf } from './template.ts';

const statements = statementsOf(templateOf());

/** An action of DynamoDB on one partition, without the name of the service. */
interface Note {
  readonly action: string;
  readonly pk: string;
}

const works = {
  relay: [drain, divide, book, monitor, log, grow],
  courier: [carry, share, expire, grow],
  sweeper: [drain, divide, book, monitor, log, carry, sweep, expire, begin, grow],
  reporter: [produce],
} as const;
const workers = Object.keys(works) as (keyof typeof works)[];

test.each(workers)('the %s may send what it sends', async (name) => {
  const notes = (await Promise.all(works[name].map((work) => work()))).flat();
  expect(notes.filter((note) => !isAllowed(name, note))).toEqual([]);
  const used = new Set(notes.map(({ action }) => action));
  expect(used).toEqual(new Set(allowedTo(name)));
});

test.each(workers)('the %s may not write money, secrets, keys or other records', (name) => {
  const endsIntents = name === 'sweeper' || name === 'courier';
  const intents = [
    headKeyOf('main', 'intent', 'effect'),
    changeKeyOf('main', '$int.-0a1b2c3d4e5f', 1),
  ];
  const money = [balanceKeyOf('main', 'alice', 'usd'), headKeyOf('main', 'wallet', 'outbox')];
  const places = [headKeyOf('', 'ledger', 'main'), secretKeyOf('main'), holderKeyOf('main', 'key')];
  for (const action of ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem']) {
    // Who ends intents says so of them, and gives back what they reserved. Who begins them opens balances too.
    const isBegun = name === 'sweeper' && action === 'PutItem';
    const own = action === 'UpdateItem' ? money : [...intents, ...(isBegun ? money : [])];
    const closed = [...places, ...intents, ...money].filter(
      (place) => !(endsIntents && own.includes(place)),
    );
    expect(closed.filter(({ pk }) => isAllowed(name, { action, pk }))).toEqual([]);
  }
});

/** What the relay does with the table: read, mention, count, tell, put aside. */
async function drain(): Promise<Note[]> {
  const version = created('wallet', 'alice');
  const item = { ...outboxKeyOf('main', version), kind: 'wallet', handle: 'alice' };
  const listing = { scope: 'main', kind: 'wallet' } as const;
  const endMs = Date.parse(version.record.meta.moment) + 1;
  const counted = newSpans([{ startMs: 0, endMs, count: 512 }]);
  const spans = { ...spansKeyOf(listing, 0), ...packSpans(counted) };
  const { client, notes } = notebook((key) => [key], [item, spans]);
  const outbox = dynamoOutbox({ client, tableName: 'table' });
  const entries = await outbox.oldest('main', shardOf(version.record.luid), 10);
  expect(entries).toHaveLength(1);
  await outbox.versions(entries);
  const catalog = dynamoCatalog({ client, tableName: 'table' });
  expect(await catalog.keep([{ entry: entries[0] as OutboxEntry, version }])).toEqual([]);
  expect(notes.filter(({ pk }) => pk.startsWith('main#term#'))).not.toEqual([]);
  expect(notes).toContainEqual({ action: 'UpdateItem', pk: spans.pk });
  await outbox.markPublished(entries);
  for (const entry of entries) await outbox.setAside(entry, 'why');
  return notes;
}

/** What the relay does with the entries of a batch of which the bus took a part. */
async function divide(): Promise<Note[]> {
  const [first, second] = ['one', 'two'].map((handle) => {
    const { record, change } = transferred(handle);
    const luid = '$int.-P75yG4miTnNQ5s5g'.replace(/.$/, handle === 'one' ? 'A' : 'E');
    const version = { kind: 'intent', record: { ...record, luid }, change, steps: [] } as const;
    return { ...outboxKeyOf('main', version), handle, signals: '[]' };
  });
  const blocks = packBlocks([first, second] as Item[]);
  expect(blocks).toHaveLength(1);
  const { client, notes } = notebook((key) => [key], blocks);
  const outbox = dynamoOutbox({ client, tableName: 'table' });
  const entries = await outbox.oldest('main', shardOf('$int.-P75yG4miTnNQ5s5A'), 10);
  expect(entries).toHaveLength(2);
  await outbox.markPublished(entries.slice(0, 1));
  await outbox.setAside(entries[1] as OutboxEntry, 'why');
  return notes;
}

/** What a worker writes for a ledger whose partitions are full. */
async function grow(): Promise<Note[]> {
  const { client, notes } = notebook(() => []);
  const layouts = dynamoLayouts({ client, tableName: 'table' });
  await layouts.grow('main', await layouts.read('main'), 1);
  return notes;
}

/** What the relay writes into books: entries, a new book, and that one is closed no more. */
async function book(): Promise<Note[]> {
  const version = transferred('pay');
  const { luid, data } = version.record;
  const { client, notes } = notebook(() => []);
  const books = dynamoBooks({ client, tableName: 'table' });
  const { sk: place } = outboxKeyOf('main', version);
  const about = { scope: 'main', shard: shardOf(luid), place, kind: 'intent', luid } as const;
  const entry = { ...about, handle: data.handle, change: version.change, momentMs: 0, signals: [] };
  expect(await books.keep([{ entry, version }], Date.now())).toEqual([]);
  const table = { client, tableName: 'table', deadlineMs: 1_000, onConsumed: undefined };
  const name = { scope: 'main', wallet: 'alice', symbol: 'usd' };
  await reopenBook(table, name, place, Date.now(), deadlineIn(1_000));
  const written = notes.filter(({ pk }) => pk.startsWith('main#book')).map(({ action }) => action);
  expect(written).toEqual(expect.arrayContaining(['BatchWriteItem', 'UpdateItem']));
  return notes;
}

/** What the relay does with monitors: read their books, store their states while their effects live, and note who has to look again. */
async function monitor(): Promise<Note[]> {
  const { client, notes } = notebook((key) => [key]);
  const monitors = dynamoMonitors({ client, tableName: 'table' });
  await monitors.rest({ scope: 'main', wallet: 'alice', symbol: 'usd' }, new Date(0).toISOString());
  const until = new Date(0).toISOString();
  const state = { until, side: 'below', count: 0, condition: '', pending: [], version: 1 } as const;
  expect(await monitors.save('main', newLuid('eff'), state)).toBe(true);
  await monitors.noteBehind('main', newLuid('eff'));
  await monitors.caughtUp('main', newLuid('eff'), 1);
  return notes;
}

/** What the sequencer does: leaves, head, places, a tile and its root, a checkpoint. */
async function log(): Promise<Note[]> {
  const versions = Array.from({ length: 64 }, (_, index) =>
    proved(created('wallet', `w${index}`), 4),
  );
  const [head] = versions;
  if (!head) throw new Error('There are versions.');
  const leaves = versions.map(leavesOf);
  const [item] = packRuns(runsOf(0, leaves), false);
  const stored = { ...logKeyOf('main'), size: 0, settled: 0 };
  const { client, notes } = notebook(
    (key) => (textOf(key) === textOf(logKeyOf('main')) ? [stored] : []),
    [{ ...hashesKeyOf('main', 0, 0), ...item }],
  );
  const logs = dynamoLogs({ client, tableName: 'table' });
  await logs.begin('main', true);
  expect((await logs.append('main', versions))?.tree.size).toBe(256);
  await logs.keep('main', { size: 256, note: '' });
  const written = new Set(notes.filter(({ action }) => action !== 'Query').map(({ pk }) => pk));
  expect([...written]).toEqual(
    expect.arrayContaining(['main#log', 'main#log#0#0', 'main#log#1#0']),
  );
  return notes;
}

/** What the courier does: find effects, keep deliveries, save them, mark an effect that is gone. */
async function carry(): Promise<Note[]> {
  const { client, notes } = notebook(() => []);
  const deliveries = dynamoDeliveries({ client, tableName: 'table' });
  const first = newDelivery('main', newLuid('eff'));
  const second = claimed(first, (first.dueMs ?? 0) + 1);
  await deliveries.subscribers('main', 'wallet-created');
  await deliveries.add([first]);
  await deliveries.save(second, first);
  await deliveries.save(delivered(second), second);
  const store = dynamoStore({ client, tableName: 'table' });
  await store.load([{ what: 'secret', scope: 'main' }]);
  const effect = created('effect', 'hook', { signal: 'wallet-created' });
  await store.commit(commitOf(writeOf('main', proved(effect, 1, 'inactive'), effect)));
  return notes;
}

/** What the courier does with attempts that take long: count them. */
async function share(): Promise<Note[]> {
  const { client, notes } = notebook(() => []);
  const { attempt } = dynamoNotes({ client, tableName: 'table' });
  const stretch = { who: 'slow-event', startMs: 0, endMs: 1, points: 1, pointsMax: 1 };
  for (const scope of ['main', '']) await attempt({ ...stretch, scope });
  return notes;
}

/** What the sweeper does beside: remove a marker of a delivery that is not there. */
async function sweep(): Promise<Note[]> {
  const delivery = newDelivery('main', newLuid('eff'));
  const marker = dueKeyOf(delivery, 1);
  const { client, notes } = notebook(() => [], [{ ...marker }]);
  const deliveries = dynamoDeliveries({ client, tableName: 'table' });
  const nowMs = 3_600_000;
  await deliveries.readDue((await deliveries.due(nowMs)).due, nowMs);
  return notes;
}

/**
 * What the sweeper does with intents, find those that have waited for too long and end them, and the courier with
 * those that a bridge refuses: what was reserved is given back, and the others of the thread are to stay as they are.
 */
async function expire(): Promise<Note[]> {
  const intent = waiting('payment', 1_000);
  const { client, notes } = notebook(() => [{ ...pack(intent) }]);
  const options = { client, tableName: 'table' };
  await dynamoExpiries(options).due(2_000);
  const store = dynamoStore(options);
  await store.load([{ what: 'secret', scope: 'main' }]);
  const wallet = { scope: 'main', wallet: 'alice', walletLuid: newLuid('wlt'), symbol: 'usd' };
  await store.commit({
    ...commitOf(writeOf('main', proved(intent, 1, 'rejected'), intent)),
    moves: [{ ...wallet, amount: 5n, reserve: -5n, statedMs: 1 }],
    unchanged: [{ scope: 'main', version: waiting('other', 1_000) }],
  });
  return notes;
}

/**
 * What the sweeper does with intents for later: it opens balances, stores the intent, which now waits for bridges, with
 * one that its routes forward to, and depends on wallets with routes and on bridges.
 */
async function begin(): Promise<Note[]> {
  const intent = waiting('payment', 1_000);
  const { client, notes } = notebook(() => []);
  const store = dynamoStore({ client, tableName: 'table' });
  const [wallet, symbol, bridge] = [
    created('wallet', 'alice'),
    created('symbol', 'usd'),
    created('bridge', 'bank'),
  ];
  expect(await store.open([openingOf('main', wallet, symbol)])).toBe(true);
  const move = { scope: 'main', wallet: 'alice', walletLuid: wallet.record.luid, symbol: 'usd' };
  await store.commit({
    ...commitOf(
      writeOf('main', { ...proved(intent, 1, 'processing') }, intent),
      writeOf('main', waiting('forwarded', 3_000)),
    ),
    moves: [{ ...move, amount: -5n, reserve: 5n, hold: 1, statedMs: 1 }],
    unchanged: [wallet, bridge].map((version) => ({ scope: 'main', version })),
  });
  return notes;
}

/** What the reporter does: look for work, read intents, keep what it makes, and say how far it is. */
async function produce(): Promise<Note[]> {
  const intent = transferred('payment');
  const { client, notes } = notebook((key) => [{ ...key, ...pack(intent) }]);
  const options = { client, tableName: 'table' };
  const reports = dynamoReports(options);
  const { luid } = created('report', 'details').record;
  const name = { scope: 'main', luid, asset: 'csv' };
  const work = { scope: 'main', luid, handle: 'details', dueMs: 1, failures: 0, version: 1 };
  const first = { ...work, progress: noProgress };
  await reports.due(2, 1);
  await reports.intents({ scope: 'main', fromMs: 0, endMs: 9, limit: 1 });
  await reports.put(name, 0, ['a']);
  await reports.save({ ...first, dueMs: 2, version: 2 }, first);
  await reports.erase('main', luid);
  await reports.end(first);
  const store = dynamoStore(options);
  await store.load([{ what: 'secret', scope: 'main' }]);
  const report = created('report', 'details', { schema: 'trans_details_rep' });
  await store.commit(commitOf(writeOf('main', proved(report, 1, 'pending'), report)));
  return notes;
}

interface Input {
  readonly Key?: Key;
  /** Of `BatchGet` an object with keys, of `BatchWrite` a list. */
  readonly RequestItems?: {
    readonly table:
      | { readonly Keys: readonly Key[] }
      | readonly (
          | { readonly DeleteRequest: { readonly Key: Key } }
          | { readonly PutRequest: { readonly Item: Key } }
        )[];
  };
  readonly ExpressionAttributeValues?: { readonly ':pk'?: string };
  readonly TransactItems?: readonly Readonly<
    Record<string, { readonly Key?: Key; readonly Item?: Key }>
  >[];
}

/** A client that finds what it is told to find, and notes what was sent. */
function notebook(
  found: (key: Key) => readonly object[],
  listed: readonly object[] = [],
): { client: TableClient; notes: Note[] } {
  const notes: Note[] = [];
  const send = async (command: object) => {
    const { input } = command as { readonly input: Input };
    const sent = notesOf(command.constructor.name, input);
    notes.push(...sent.map(({ action, pk }) => ({ action, pk })));
    const Items = listed.filter((item) => 'pk' in item && sent.some(({ pk }) => pk === item.pk));
    return { Items, Responses: { table: sent.flatMap(found) } };
  };
  return { client: { send } as unknown as TableClient, notes };
}

function notesOf(command: string, input: Input): (Note & Key)[] {
  const { RequestItems, ExpressionAttributeValues, TransactItems = [] } = input;
  const request = RequestItems?.table ?? [];
  const keys = 'Keys' in request ? request.Keys : request.map(keyWritten);
  switch (command) {
    case 'QueryCommand':
      return [{ action: 'Query', pk: ExpressionAttributeValues?.[':pk'] ?? '', sk: '' }];
    case 'BatchGetCommand':
      return keys.map((key) => ({ action: 'BatchGetItem', ...key }));
    case 'BatchWriteCommand':
      return keys.map((key) => ({ action: 'BatchWriteItem', ...key }));
    case 'UpdateCommand':
      return [{ action: 'UpdateItem', ...(input.Key ?? { pk: '', sk: '' }) }];
    case 'TransactWriteCommand':
      return TransactItems.flatMap((item) =>
        Object.entries(item).map(([part, { Key, Item }]) => {
          const { pk = '', sk = '' } = Key ?? Item ?? {};
          return { action: `${part}Item`, pk, sk };
        }),
      );
    default:
      throw new Error(`Nobody has said what ${command} takes.`);
  }
}

function keyWritten(one: { DeleteRequest: { Key: Key } } | { PutRequest: { Item: Key } }): Key {
  return 'PutRequest' in one ? one.PutRequest.Item : one.DeleteRequest.Key;
}

/** What a role may do with items of the table, somewhere. */
function allowedTo(name: string): string[] {
  return onTable(name).flatMap(({ actions }) => actions);
}

/** Whether a role may do that, as AWS decides it. */
function isAllowed(name: string, { action, pk }: Note): boolean {
  return onTable(name).some(({ actions, partitions }) => {
    const isThere = partitions === undefined || partitions.some((glob) => isLike(pk, glob));
    return actions.includes(action) && isThere;
  });
}

function onTable(name: string) {
  const list = (statements.get(name) ?? []).filter(({ Resource }) => {
    return nameIn(Resource) === 'Table' && JSON.stringify(Resource).includes('"Arn"');
  });
  return list.map((statement) => ({
    actions: [statement.Action].flat().map((action) => action.replace('dynamodb:', '')),
    partitions: partitionsIn(statement),
  }));
}

/** `StringLike` of IAM: `*` stands for any text, `?` for any character. */
function isLike(text: string, glob: string): boolean {
  const pattern = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${pattern}$`, 's').test(text);
}
