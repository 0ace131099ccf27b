/**
 * Running totals of books. Goal: a balance of the past is exact in a few reads, however long the book is, and whatever
 * comes late. Method: bulks of transfers with any delay, published at any time, against a plain list; and the steps of
 * closing a book, one by one.
 */
import { inspect } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import type { Books } from '../../shared/port/books.ts';
import type { Outbox } from '../../shared/port/outbox.ts';
import type { Store } from '../../shared/port/ports.ts';
import type { Claim } from '../../shared/shape/intent.ts';
import { tableClient } from '../../shared/store/client.ts';
import { isClosing } from '../../shared/store/keep-books.ts';
import { bookKeyOf, bookPartitionOf, placeOfTotal } from '../../shared/store/keys.ts';
import { itemsIn } from '../../shared/store/read.ts';
import type { Consumed, Item, Table } from '../../shared/store/request.ts';
import { deadlineIn } from '../../shared/store/retry.ts';
import { dynamoBooks, dynamoOutbox, dynamoStore } from '../../shared/store/store.ts';
import { writeAll } from '../../shared/store/write-all.ts';
import { bookedScope, published, toldOf } from '../contract/books.ts';
import { courseOf, nextMoment, sidesOf } from '../fixture/booked.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { between } from '../fixture/trouble.ts';
import { commitOf, newLuid, writeOf } from '../fixture/version.ts';

const tableName = 'books';
const usd = { symbol: 'usd' };
const later = Date.parse('2026-12-31T00:00:00.000Z');
const writeCountMax = 20;
let database: Database;
let table: Table;
let ports: { readonly store: Store; readonly outbox: Outbox; readonly books: Books };
let requests: Consumed[] = [];

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  const client = tableClient({ endpoint: database.endpoint });
  const onConsumed = (what: Consumed) => void requests.push(what);
  const options = { client, tableName, onConsumed };
  ports = {
    store: dynamoStore(options),
    outbox: dynamoOutbox(options),
    books: dynamoBooks(options),
  };
  const plain = client as DynamoDBDocumentClient;
  table = { client: plain, tableName, deadlineMs: 30_000, onConsumed: undefined };
});

afterAll(() => database.stop());

/** Transfers of 1 from alice to bob, or from another, each so many milliseconds late. */
function bulk(
  count: number,
  lateMs: (index: number) => number,
  source: (index: number) => string = () => 'alice',
): Version[] {
  return Array.from({ length: count }, (_, index) => {
    const moment = new Date(Date.parse(nextMoment()) - lateMs(index)).toISOString();
    const place = { source: source(index), target: 'bob' };
    const claim: Claim = { action: 'transfer', ...place, amount: 1, ...usd };
    const script = { claims: [claim], sides: sidesOf([claim]) };
    const commits = [['prepared', 'committed', 'completed']];
    const made = () =>
      courseOf(newLuid('int').slice(5), { ...script, commits }, [moment])[0] as Version;
    return index === count - 1 ? closing(made) : made();
  });
}

/** An intent whose luid lets running totals be looked for: one in so many does, by chance. */
function closing(made: () => Version): Version {
  const version = made();
  return isClosing(version.record.luid) ? version : closing(made);
}

async function store(scope: string, versions: readonly Version[]): Promise<void> {
  for (let start = 0; start < versions.length; start += writeCountMax) {
    const writes = versions.slice(start, start + writeCountMax).map((one) => writeOf(scope, one));
    expect(await ports.store.commit(commitOf(...writes))).toEqual([]);
  }
}

const msOf = ({ record }: Version) => Date.parse(record.meta.moment);

/** The items of a book, without its state. */
async function itemsOf(scope: string, wallet: string): Promise<Item[]> {
  const pk = bookPartitionOf({ scope, wallet, ...usd });
  const range = { pk, from: '-', to: '~' };
  return itemsIn(table, range, deadlineIn(30_000), {});
}

/** The running totals of a book: the number of entries, and what they say. */
async function totalsIn(scope: string, wallet: string): Promise<string[]> {
  const items = await itemsOf(scope, wallet);
  let count = 0;
  return items.flatMap(({ sk, moves, debits, credits }) => {
    if (placeOfTotal(String(sk)) !== undefined) return [`${count}: ${moves} ${debits} ${credits}`];
    count += 1;
    return [];
  });
}

test('new books are listed together, and then begin several at a time', async () => {
  const scope = await bookedScope(ports.store);
  const wallets = Array.from({ length: 40 }, (_, index) => `wallet-${index}`);
  const versions = bulk(
    wallets.length,
    () => 0,
    (index) => wallets[index] ?? '',
  );
  await store(scope, versions);
  const sent: string[] = [];
  let [running, greatest] = [0, 0];
  const client = between(table.client, async (command, send) => {
    const isBegun = command.constructor.name === 'TransactWriteCommand';
    const isListed = inspect(command, { depth: null }).includes('#books#usd');
    if (isBegun || isListed) sent.push(isBegun ? 'begun' : 'listed');
    running += isBegun ? 1 : 0;
    greatest = Math.max(greatest, running);
    try {
      return await send(command);
    } finally {
      running -= isBegun ? 1 : 0;
    }
  });
  await dynamoBooks({ client, tableName }).keep(await toldOf(ports, scope), later);
  // One of bob, and one of each wallet.
  expect(sent).toEqual(['listed', 'listed', ...Array(41).fill('begun')]);
  expect(greatest).toBe(16);
  for (const wallet of wallets) expect(await itemsOf(scope, wallet)).toHaveLength(1);
});

test('running totals come behind every 64th entry, once nothing waits before them', async () => {
  const scope = await bookedScope(ports.store);
  await store(
    scope,
    bulk(150, () => 0),
  );
  const told = await toldOf(ports, scope);
  await ports.books.keep(told, later);
  // All of it is still in the outbox.
  expect(await totalsIn(scope, 'alice')).toEqual([]);
  await ports.outbox.markPublished(told.map(({ entry }) => entry));
  await store(
    scope,
    bulk(150, () => 0),
  );
  await published(ports, scope);
  expect(await totalsIn(scope, 'alice')).toEqual(['64: 64 64 0', '128: 128 128 0']);
  expect(await totalsIn(scope, 'bob')).toEqual(['64: 64 0 64', '128: 128 0 128']);
});

test('a moment within ten seconds has no running totals behind it', async () => {
  const scope = await bookedScope(ports.store);
  await store(
    scope,
    bulk(150, () => 0),
  );
  await published(ports, scope);
  const more = bulk(100, () => 0);
  await store(scope, more);
  const nowMs = msOf(more[0] as Version) + 9_000;
  await published(ports, scope, nowMs);
  expect(await totalsIn(scope, 'alice')).toEqual([]);
  await store(
    scope,
    bulk(100, () => 0),
  );
  await published(ports, scope, nowMs + 2_000);
  expect(await totalsIn(scope, 'alice')).toHaveLength(3);
});

test('an entry that comes late counts at once, and running totals behind it are made anew', async () => {
  const scope = await bookedScope(ports.store);
  const first = bulk(300, () => 0);
  await store(scope, first);
  await published(ports, scope);
  await store(
    scope,
    bulk(64, () => 0),
  );
  await published(ports, scope);
  const before = await totalsIn(scope, 'alice');
  expect(before.length).toBeGreaterThanOrEqual(4);
  const middle = first[100] as Version;
  const lateMs = Date.parse(nextMoment()) - msOf(middle);
  await store(
    scope,
    bulk(1, () => lateMs),
  );
  const untilMs = msOf(first[299] as Version);
  const debits = async (ms: number) => {
    const [totals] = await ports.books.totals(scope, [{ scope, wallet: 'alice', ...usd }], ms);
    return totals?.debits;
  };
  // It waits in the outbox, before running totals that lack it.
  expect([await debits(untilMs), await debits(msOf(middle) - 2)]).toEqual([301n, 100n]);
  await published(ports, scope);
  expect(await debits(untilMs)).toBe(301n);
  expect((await totalsIn(scope, 'alice')).slice(0, 1)).toEqual(before.slice(0, 1));
  await store(
    scope,
    bulk(150, () => 0),
  );
  await published(ports, scope);
  await store(
    scope,
    bulk(64, () => 0),
  );
  await published(ports, scope);
  expect((await totalsIn(scope, 'alice')).slice(0, 4)).toEqual([
    ...['64: 64 64 0', '128: 128 128 0', '192: 192 192 0', '256: 256 256 0'],
  ]);
  expect(await debits(later)).toBe(579n);
});

test('an entry that is booked while it is read counts once', async () => {
  const scope = await bookedScope(ports.store);
  const first = bulk(300, () => 0);
  await store(scope, first);
  await published(ports, scope);
  const lateMs = Date.parse(nextMoment()) - msOf(first[100] as Version);
  await store(
    scope,
    bulk(1, () => lateMs),
  );
  let isBooked = false;
  // After the outbox was read, and before the book is.
  const client = between(tableClient({ endpoint: database.endpoint }), async (command, send) => {
    const { input } = command as { readonly input: Item };
    const { ExpressionAttributeValues: values } = input;
    const isOfBook = String((values as Item | undefined)?.[':pk']).includes('#book#');
    if (isOfBook && !isBooked) {
      isBooked = true;
      await published(ports, scope);
      for (const count of [150, 64, 64]) {
        await store(
          scope,
          bulk(count, () => 0),
        );
        await published(ports, scope);
      }
      expect((await totalsIn(scope, 'alice')).length).toBeGreaterThan(4);
    }
    return send(command);
  });
  const books = dynamoBooks({ client, tableName });
  const untilMs = msOf(first[299] as Version);
  const [totals] = await books.totals(scope, [{ scope, wallet: 'alice', ...usd }], untilMs);
  expect([isBooked, totals?.debits]).toEqual([true, 301n]);
});

test('while somebody removes running totals, nobody writes any', async () => {
  const scope = await bookedScope(ports.store);
  await store(
    scope,
    bulk(200, () => 0),
  );
  await published(ports, scope);
  const key = bookKeyOf({ scope, wallet: 'alice', ...usd });
  const state = { ...key, closed: '-', late: new Set(['one that crashed']) };
  await writeAll(table, { puts: [state] }, deadlineIn(30_000));
  await store(
    scope,
    bulk(200, () => 0),
  );
  await published(ports, scope);
  expect(await totalsIn(scope, 'alice')).toEqual([]);
  expect(await totalsIn(scope, 'bob')).not.toEqual([]);
});

test('a page and a balance in the middle of a long book take few reads', async () => {
  const scope = await bookedScope(ports.store);
  const all = bulk(1_000, () => 0);
  await store(scope, all);
  await published(ports, scope);
  for (let round = 0; round < 3; round += 1) {
    await store(
      scope,
      bulk(40, () => 0),
    );
    await published(ports, scope);
  }
  const alice = { scope, wallet: 'alice', ...usd };
  // That the books are whole is read once.
  await ports.books.totals(scope, [], later);
  requests = [];
  const [totals] = await ports.books.totals(scope, [alice], msOf(all[500] as Version));
  expect([totals?.debits, requests.length]).toEqual([501n, 5]);
  requests = [];
  const stretch = { sinceMs: msOf(all[200] as Version), untilMs: msOf(all[899] as Version) };
  const page = await ports.books.page(alice, { ...stretch, limit: 100 });
  expect([page.opening.debits, page.rows.length, page.closing.debits]).toEqual([200n, 100, 900n]);
  expect(requests).toHaveLength(7);
});

const bulks = fc.array(
  fc.record({
    count: fc.integer({ min: 1, max: 90 }),
    late: fc.array(fc.constantFrom(0, 0, 0, 0, 1, 40, 150), { minLength: 1, maxLength: 7 }),
    isPublished: fc.boolean(),
  }),
  { minLength: 3, maxLength: 10 },
);

test('whatever comes late and is published when, a balance at any moment is that of a plain list', async () => {
  await fc.assert(
    fc.asyncProperty(bulks, async (some) => {
      const scope = await bookedScope(ports.store);
      const moments: number[] = [];
      const alice = { scope, wallet: 'alice', ...usd };
      for (const { count, late, isPublished } of some) {
        const versions = bulk(count, (index) => late[index % late.length] ?? 0);
        await store(scope, versions);
        moments.push(...versions.map(msOf));
        if (isPublished) await published(ports, scope, Date.parse(nextMoment()) + 10_000);
        for (const ms of [moments[0], moments[moments.length >> 1], moments.at(-1), later]) {
          const [totals] = await ports.books.totals(scope, [alice], ms as number);
          const plain = moments.filter((one) => one <= (ms as number)).length;
          expect(Number(totals?.debits)).toBe(plain);
        }
      }
      const stored = await totalsIn(scope, 'alice');
      for (const line of stored) expect(line).toMatch(/^(\d+): \1 \1 0$/);
    }),
    { numRuns: 6 },
  );
});
