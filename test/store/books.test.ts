/**
 * Running totals of books. Goal: a balance of the past is exact in a few reads, however long the book is, and whatever
 * comes late. Method: bulks of transfers with any delay, published at any time, against a plain list; and the steps of
 * closing a book, one by one.
 */
import { EventEmitter, once } from 'node:events';
import { inspect } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import type { BookName, BookRow, Books } from '../../shared/port/books.ts';
import type { Outbox } from '../../shared/port/outbox.ts';
import type { Store } from '../../shared/port/ports.ts';
import type { Claim } from '../../shared/shape/intent.ts';
import { isBlock, unblocked } from '../../shared/store/blocks.ts';
import { tableClient } from '../../shared/store/client.ts';
import { isClosing } from '../../shared/store/keep-books.ts';
import { bookBoundsOf, bookKeyOf, bookPartitionOf, placeOfTotal } from '../../shared/store/keys.ts';
import { itemsIn } from '../../shared/store/read.ts';
import type { Consumed, Item, Table } from '../../shared/store/request.ts';
import { deadlineIn } from '../../shared/store/retry.ts';
import { dynamoBooks, dynamoOutbox, dynamoStore } from '../../shared/store/store.ts';
import { writeAll } from '../../shared/store/write-all.ts';
import { bookedScope, published, sharing, toldOf } from '../contract/books.ts';
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

const sharedIf = (isShared: boolean) => ({
  ...ports,
  books: isShared ? sharing(ports.books) : ports.books,
});

/** All rows of a book, by pages of some length. */
async function rowsBy(limit: number, name: BookName): Promise<BookRow[]> {
  const rows: BookRow[] = [];
  let after: string | undefined;
  do {
    const stretch = { sinceMs: 0, untilMs: later, limit, ...(after !== undefined && { after }) };
    const page = await ports.books.page(name, stretch);
    rows.push(...page.rows);
    after = page.next;
  } while (after !== undefined);
  return rows;
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
  const items = (await itemsOf(scope, wallet)).flatMap(unblocked);
  const sorted = [...new Map(items.map((item) => [String(item['sk']), item]))].sort();
  let count = 0;
  return sorted
    .map(([, item]) => item)
    .flatMap(({ sk, moves, debits, credits }) => {
      if (placeOfTotal(String(sk)) !== undefined)
        return [`${count}: ${moves} ${debits} ${credits}`];
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
    // An update takes one unit, where a transaction takes two.
    const isBegun = command.constructor.name === 'UpdateCommand';
    expect(command.constructor.name).not.toBe('TransactWriteCommand');
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

test('the outbox is asked only where a book may get running totals', async () => {
  const scope = await bookedScope(ports.store);
  const asked = async (): Promise<[queries: number, totals: number]> => {
    let queries = 0;
    const client = between(table.client, (command, send) => {
      queries += inspect(command, { depth: null }).includes(`'${scope}#outbox#`) ? 1 : 0;
      return send(command);
    });
    const told = await toldOf(ports, scope);
    await ports.outbox.markPublished(told.map(({ entry }) => entry));
    await dynamoBooks({ client, tableName }).keep(told, later);
    return [queries, (await totalsIn(scope, 'alice')).length];
  };
  for (const count of [40, 23]) {
    await store(
      scope,
      bulk(count, () => 0),
    );
    expect(await asked()).toEqual([0, 0]);
  }
  await store(
    scope,
    bulk(1, () => 0),
  );
  // Both sides look at all four shards.
  expect(await asked()).toEqual([8, 1]);
});

test('running totals are looked for with one entry in some, and not with each', async () => {
  const scope = await bookedScope(ports.store);
  const isQuiet = ({ record }: Version) => !isClosing(record.luid);
  const quiet = (): Version => bulk(2, () => 0).find(isQuiet) ?? quiet();
  await store(
    scope,
    bulk(63, () => 0),
  );
  await published(ports, scope);
  await store(scope, [quiet()]);
  await published(ports, scope);
  await store(scope, [quiet()]);
  await published(ports, scope);
  expect(await totalsIn(scope, 'alice')).toEqual([]);
  await store(
    scope,
    bulk(1, () => 0),
  );
  await published(ports, scope);
  expect(await totalsIn(scope, 'alice')).toEqual(['64: 64 64 0']);
});

test('the last running totals are read where the book says, and searched for once it was reopened', async () => {
  const scope = await bookedScope(ports.store);
  let searches = 0;
  const client = between(table.client, (command, send) => {
    if (inspect(command, { depth: null }).includes('ScanIndexForward: false')) searches += 1;
    return send(command);
  });
  const counting = { ...ports, books: dynamoBooks({ client, tableName }) };
  const grown = async (lateMs: number) => {
    searches = 0;
    await store(
      scope,
      bulk(70, () => lateMs),
    );
    await published(counting, scope);
    return searches;
  };
  for (const count of [0, 1, 2]) {
    await grown(0);
    expect(await totalsIn(scope, 'alice')).toHaveLength(count);
  }
  expect(await grown(0)).toBe(0);
  await grown(3_600_000);
  expect(await grown(0)).toBeGreaterThan(0);
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

/** Stores 64 transfers, of which the last one lets running totals be looked for, and publishes them at a time. */
async function movedOn(scope: string, nowMs: number): Promise<void> {
  await store(
    scope,
    bulk(64, () => 0),
  );
  await published(ports, scope, nowMs);
}

/** Expects that a book is marked no more and has all running totals, once the mark is older than a process lives. */
async function expectMended(scope: string): Promise<void> {
  const minuteMs = 60_000;
  const before = await totalsIn(scope, 'alice');
  await movedOn(scope, later + 14 * minuteMs);
  expect(await totalsIn(scope, 'alice')).toEqual(before);
  await movedOn(scope, later + 16 * minuteMs);
  const key = bookKeyOf({ scope, wallet: 'alice', ...usd });
  const [state] = await itemsIn(
    table,
    { pk: key.pk, from: key.sk, to: key.sk },
    deadlineIn(30_000),
    {},
  );
  expect(state).not.toHaveProperty('late');
  const lines = await totalsIn(scope, 'alice');
  const [totals] = await ports.books.totals(scope, [{ scope, wallet: 'alice', ...usd }], later);
  // The last 64 still waited.
  const count = Math.floor(Number(totals?.moves) / 64) - 1;
  expect(lines).toEqual(
    Array.from({ length: count }, (_, at) => 64 * (at + 1)).map((at) => `${at}: ${at} ${at} 0`),
  );
}

function isRemoval(command: object, pk = ''): boolean {
  const text = inspect((command as { input?: unknown }).input, { depth: null });
  return text.includes('DeleteRequest') && text.includes(pk);
}

/** Books of a relay that ends when it removes running totals. */
function endingBooks(): Books {
  const client = between(table.client, (command, send) => {
    if (!isRemoval(command)) return send(command);
    throw new Error('It ends.');
  });
  return dynamoBooks({ client, tableName });
}

/** A book with running totals, and late intents of it: each is stored at the place of one that was there. */
async function bookedWith(): Promise<{
  readonly scope: string;
  readonly storeLate: (index: number) => Promise<void>;
}> {
  const scope = await bookedScope(ports.store);
  const first = bulk(300, () => 0);
  await store(scope, first);
  await published(ports, scope);
  await movedOn(scope, later);
  expect(await totalsIn(scope, 'alice')).toHaveLength(4);
  const storeLate = (index: number) => {
    const lateMs = Date.parse(nextMoment()) - msOf(first[index] as Version);
    return store(
      scope,
      bulk(1, () => lateMs),
    );
  };
  return { scope, storeLate };
}

test('while somebody removes running totals, nobody writes any', async () => {
  const scope = await bookedScope(ports.store);
  await store(
    scope,
    bulk(200, () => 0),
  );
  await published(ports, scope);
  const key = bookKeyOf({ scope, wallet: 'alice', ...usd });
  // An earlier release states no time.
  const { first, last } = bookBoundsOf(0);
  const state = { ...key, closed: last, late: new Set([first]) };
  await writeAll(table, { puts: [state] }, deadlineIn(30_000));
  await store(
    scope,
    bulk(200, () => 0),
  );
  await published(ports, scope);
  expect(await totalsIn(scope, 'alice')).toEqual([]);
  expect(await totalsIn(scope, 'bob')).not.toEqual([]);
  await expectMended(scope);
});

test('a relay that ended while it removed running totals, and whose entry came beside an earlier one, leaves a book that is mended', async () => {
  const { scope, storeLate } = await bookedWith();
  await storeLate(100);
  await expect(published({ ...ports, books: endingBooks() }, scope)).rejects.toThrow('It ends.');
  await storeLate(50);
  await published(ports, scope);
  await expectMended(scope);
});

test('a relay that ended while it removed running totals behind an entry that others had published leaves a book that is mended', async () => {
  const { scope, storeLate } = await bookedWith();
  await storeLate(100);
  const told = await toldOf(ports, scope);
  await published(ports, scope);
  await movedOn(scope, later);
  await movedOn(scope, later);
  expect((await totalsIn(scope, 'alice')).length).toBeGreaterThan(4);
  await expect(endingBooks().keep(told, later)).rejects.toThrow('It ends.');
  await expectMended(scope);
});

test('while one relay removes running totals, another one with the same entry lets nobody write any', async () => {
  const { scope, storeLate } = await bookedWith();
  await storeLate(100);
  const told = await toldOf(ports, scope);
  let isMet = false;
  // The book of the other wallet may come first.
  const pk = bookPartitionOf({ scope, wallet: 'alice', ...usd });
  const client = between(table.client, async (command, send) => {
    if (!isRemoval(command, pk) || isMet) return send(command);
    isMet = true;
    await published(ports, scope);
    await movedOn(scope, later);
    expect((await totalsIn(scope, 'alice')).length).toBeLessThan(4);
    return send(command);
  });
  expect(await dynamoBooks({ client, tableName }).keep(told, later)).toEqual([]);
  expect(isMet).toBe(true);
  await movedOn(scope, later);
  expect((await totalsIn(scope, 'alice')).length).toBeGreaterThan(4);
});

test('an entry that is written while its book is closed behind it is in the running totals', async () => {
  const scope = await bookedScope(ports.store);
  const first = bulk(200, () => 0);
  await store(scope, first);
  const told = await toldOf(ports, scope);
  const looking = (isLooking: boolean) =>
    told.filter(({ version }) => isClosing(version.record.luid) === isLooking);
  expect(await ports.books.keep(looking(false), later)).toEqual([]);
  await ports.outbox.markPublished(told.map(({ entry }) => entry));
  const inputOf = (command: object) =>
    inspect((command as { input?: unknown }).input, { depth: null });
  const news = new EventEmitter();
  const [closes, goesOn] = [once(news, 'closes'), once(news, 'goes on')];
  // One relay has looked for running totals, and is about to close the book.
  const closer = between(table.client, async (command, send) => {
    if (!inputOf(command).includes('SET closed')) return send(command);
    news.emit('closes');
    await goesOn;
    return send(command);
  });
  const closing = dynamoBooks({ client: closer, tableName }).keep(looking(true), later);
  await closes;
  const lateMs = Date.parse(nextMoment()) - msOf(first[50] as Version);
  await store(
    scope,
    bulk(1, () => lateMs),
  );
  // Another one with the late entry sees that the book is still open.
  const writer = between(table.client, async (command, send) => {
    const answer = await send(command);
    const isOfState = command.constructor.name === 'BatchGetCommand';
    if (!isOfState || !inputOf(command).includes('#book#')) return answer;
    news.emit('goes on');
    await closing;
    return answer;
  });
  await published({ ...ports, books: dynamoBooks({ client: writer, tableName }) }, scope);
  expect(await closing).toEqual([]);
  expect(await totalsIn(scope, 'alice')).toEqual([
    ...['64: 64 64 0', '128: 128 128 0', '192: 192 192 0'],
  ]);
  const [totals] = await ports.books.totals(scope, [{ scope, wallet: 'alice', ...usd }], later);
  expect(totals?.debits).toBe(201n);
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
  // With an entry each millisecond, the rest of a span may not fit into the first query.
  expect(totals?.debits).toBe(501n);
  expect(requests.length).toBeLessThanOrEqual(6);
  requests = [];
  const stretch = { sinceMs: msOf(all[200] as Version), untilMs: msOf(all[899] as Version) };
  const page = await ports.books.page(alice, { ...stretch, limit: 100 });
  expect([page.opening.debits, page.rows.length, page.closing.debits]).toEqual([200n, 100, 900n]);
  expect(requests.length).toBeLessThanOrEqual(10);
});

const bulks = fc.array(
  fc.record({
    count: fc.integer({ min: 1, max: 90 }),
    late: fc.array(fc.constantFrom(0, 0, 0, 0, 1, 40, 150), { minLength: 1, maxLength: 7 }),
    isPublished: fc.boolean(),
    // Those of some bulks share items.
    isShared: fc.boolean(),
  }),
  { minLength: 3, maxLength: 10 },
);

test('whatever comes late and is published when, a balance at any moment is that of a plain list', async () => {
  await fc.assert(
    fc.asyncProperty(bulks, async (some) => {
      const scope = await bookedScope(ports.store);
      const moments: number[] = [];
      const alice = { scope, wallet: 'alice', ...usd };
      for (const { count, late, isPublished, isShared } of some) {
        const versions = bulk(count, (index) => late[index % late.length] ?? 0);
        await store(scope, versions);
        moments.push(...versions.map(msOf));
        if (isPublished)
          await published(sharedIf(isShared), scope, Date.parse(nextMoment()) + 10_000);
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

test('entries that share items are read and totaled as those that lie alone, by a page of any length', async () => {
  const scope = await bookedScope(ports.store);
  const all: Version[] = [];
  for (const [count, isShared] of [
    [300, true],
    [70, false],
    [150, true],
  ] as const) {
    const versions = bulk(count, (index) => (index % 40 === 0 ? 30 : 0));
    all.push(...versions);
    await store(scope, versions);
    await published(sharedIf(isShared), scope);
  }
  expect((await itemsOf(scope, 'alice')).length).toBeLessThan(110);
  const alice = { scope, wallet: 'alice', ...usd };
  const handles = [...all]
    .sort((one, other) => msOf(one) - msOf(other) || (one.record.luid < other.record.luid ? -1 : 1))
    .map(({ record }) => record.data['handle']);
  for (const limit of [7, 64, 1_000]) {
    const rows = await rowsBy(limit, alice);
    expect(rows.map(({ entry }) => entry.intent.handle)).toEqual(handles);
    expect(rows.map(({ totals }) => Number(totals.debits))).toEqual(rows.map((_, at) => at + 1));
  }
  for (const at of [0, 63, 64, 130, 299, 300, 369, 400, 519]) {
    const ms = msOf(all[at] as Version);
    const [totals] = await ports.books.totals(scope, [alice], ms);
    expect(Number(totals?.debits)).toBe(all.filter((one) => msOf(one) <= ms).length);
  }
  const lines = await totalsIn(scope, 'alice');
  expect(lines.length).toBeGreaterThan(4);
  for (const line of lines) expect(line).toMatch(/^(\d+): \1 \1 0$/);
});

test('entries that two relays wrote with others each count once', async () => {
  const scope = await bookedScope(ports.store);
  await store(
    scope,
    bulk(150, () => 0),
  );
  const told = await toldOf(ports, scope);
  const shared = sharing(ports.books);
  // Each ends somewhere else, and begins again.
  for (const some of [told.slice(0, 90), told.slice(40, 130), told.slice(20), told.slice(149)])
    expect(await shared.keep(some, later)).toEqual([]);
  expect(await ports.books.keep(told.slice(60, 70), later)).toEqual([]);
  await ports.outbox.markPublished(told.map(({ entry }) => entry));
  await store(
    scope,
    bulk(64, () => 0),
  );
  await published({ ...ports, books: shared }, scope);
  const [totals] = await ports.books.totals(scope, [{ scope, wallet: 'bob', ...usd }], later);
  expect(totals).toMatchObject({ credits: 214n, moves: 214 });
  expect(await totalsIn(scope, 'bob')).toEqual(['64: 64 0 64', '128: 128 0 128']);
});

test('a book with a block that cannot be read is written on, and gets no running totals', async () => {
  const scope = await bookedScope(ports.store);
  await store(
    scope,
    bulk(30, () => 0),
  );
  await published(sharedIf(true), scope);
  const [block] = (await itemsOf(scope, 'alice')).filter(isBlock);
  const puts = [{ ...block, block: new Uint8Array([1]) }];
  await writeAll(table, { puts }, deadlineIn(30_000));
  for (let round = 0; round < 2; round += 1) {
    await store(
      scope,
      bulk(64, () => 0),
    );
    await published(ports, scope);
  }
  expect((await totalsIn(scope, 'alice')).length).toBe(0);
  expect((await totalsIn(scope, 'bob')).length).toBeGreaterThan(0);
  const reading = ports.books.totals(scope, [{ scope, wallet: 'alice', ...usd }], later);
  await expect(reading).rejects.toThrow(/of a book cannot be read/);
});
