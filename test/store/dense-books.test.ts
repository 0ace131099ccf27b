/**
 * Goal: a balance at a moment and a page of a book cost the same however many entries a second it has, and are exact however
 * these lie: alone, in blocks, or in several items. Method: books are written as relays leave them. The read units of
 * readings all over a span of time are counted; and whatever is read of books of any density is compared with a plain list.
 */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { luidMaker, spanMs } from '../../shared/crypto/luid.ts';
import { type BookEntry, type BookTotals, noTotals, totalsWith } from '../../shared/ledger/book.ts';
import type { BookName, BookPage, Books } from '../../shared/port/books.ts';
import { tableClient } from '../../shared/store/client.ts';
import { closeBook, reopenBook } from '../../shared/store/close-book.ts';
import {
  bookBoundsOf,
  bookPlaceOf,
  bookRangeOf,
  placeOfTotal,
  wholeBooksKeyOf,
} from '../../shared/store/keys.ts';
import { unpackTotals } from '../../shared/store/pack-book.ts';
import { itemsIn } from '../../shared/store/read.ts';
import type { Table } from '../../shared/store/request.ts';
import { deadlineIn } from '../../shared/store/retry.ts';
import { dynamoBooks } from '../../shared/store/store.ts';
import { writeAll } from '../../shared/store/write-all.ts';
import { newScope } from '../contract/store.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { closedState, inOrder, writtenEntry, writtenPart } from '../fixture/written-book.ts';

const tableName = 'dense-books';
/** The start of a span of time. */
const startMs = Math.floor(Date.parse('2026-06-01T00:00:00.000Z') / spanMs) * spanMs;
const later = Date.parse('2026-12-31T00:00:00.000Z');
let database: Database;
let table: Table;
let books: Books;
let used = { requests: 0, units: 0 };

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  const client = tableClient({ endpoint: database.endpoint }) as DynamoDBDocumentClient;
  table = { client, tableName, deadlineMs: 30_000, onConsumed: undefined };
  const onConsumed = ({ readUnits }: { readonly readUnits: number }) => {
    used = { requests: used.requests + 1, units: used.units + readUnits };
  };
  books = dynamoBooks({ client, tableName, onConsumed });
});
afterAll(() => database.stop());

const deadline = () => deadlineIn(30_000);
const luidOf = luidMaker();
const msOf = ({ moment }: BookEntry) => Date.parse(moment);

/** A new book with these entries, those of a group written together, and running totals behind some of them. */
async function written(
  groups: readonly (readonly BookEntry[])[],
  totaledMs = later,
): Promise<BookName> {
  const name = { scope: newScope(), wallet: 'alice', symbol: 'usd' };
  const { first: end } = bookBoundsOf(totaledMs);
  const items = writtenPart(name, groups).items.filter(({ sk }) => {
    const place = placeOfTotal(String(sk));
    return place === undefined || place < end;
  });
  const state = closedState(name, totaledMs - 1);
  await writeAll(
    table,
    { puts: [...items, state, { ...wholeBooksKeyOf(name.scope) }] },
    deadline(),
  );
  return name;
}

/** Entries that come so many milliseconds after each other. */
function entriesFrom(ms: number, count: number, gapMs: number): BookEntry[] {
  return Array.from({ length: count }, (_, index) => {
    const at = ms + Math.floor(index * gapMs);
    return writtenEntry('alice', at, luidOf('int', at));
  });
}

/** The entries in groups of so many. */
function grouped(entries: readonly BookEntry[], length: number): BookEntry[][] {
  const groups = Math.ceil(entries.length / length);
  return Array.from({ length: groups }, (_, at) => entries.slice(at * length, (at + 1) * length));
}

async function unitsOf(reading: () => Promise<unknown>): Promise<number> {
  used = { requests: 0, units: 0 };
  await reading();
  return used.units;
}

// The four partitions of the outbox take a unit each, the blocks of a span one where there are none, and 66 entries four.
test.each([
  ...[10_000, 20, 4, 1, 0.25].map((gapMs) => {
    return { together: 1, gapMs, balance: 9, page: 21, next: 26 };
  }),
  { together: 25, gapMs: 20, balance: 7, page: 12, next: 15 },
  { together: 25, gapMs: 4, balance: 7, page: 13, next: 16 },
  { together: 25, gapMs: 1, balance: 9, page: 18, next: 20 },
])(
  'with $together entries at a time, each $gapMs ms after the last, readings cost no more',
  async (one) => {
    const { together, gapMs, balance, page, next } = one;
    const entries = entriesFrom(startMs, 2_000, gapMs);
    const name = await written(grouped(entries, together));
    await books.totals(name.scope, [], later);
    const middleMs = startMs + Math.floor((1_000 * gapMs) / spanMs) * spanMs;
    const untilMs = middleMs + Math.floor(500 * gapMs);
    for (const offset of [0, 1, 64, 128, 200, 250, 255]) {
      const sinceMs = middleMs + offset;
      expect(await unitsOf(() => books.totals(name.scope, [name], sinceMs))).toBeLessThanOrEqual(
        balance,
      );
      let first: BookPage | undefined;
      const stretch = { sinceMs, untilMs: untilMs + offset, limit: 100 };
      const begin = async () => {
        first = await books.page(name, stretch);
      };
      expect(await unitsOf(begin)).toBeLessThanOrEqual(page);
      expect(first?.rows).toHaveLength(100);
      const after = first?.next as string;
      expect(await unitsOf(() => books.page(name, { ...stretch, after }))).toBeLessThanOrEqual(
        next,
      );
    }
  },
);

test.each([
  { together: 1, most: 66 },
  { together: 25, most: 23 },
])(
  'a long page from before a book with $together entries at a time reads little more than it shows',
  async (one) => {
    const name = await written(grouped(entriesFrom(startMs, 6_000, 1), one.together));
    await books.totals(name.scope, [], later);
    const stretch = { sinceMs: startMs - 100_000, untilMs: startMs + 5_900, limit: 1_000 };
    const read = async () => expect((await books.page(name, stretch)).rows).toHaveLength(1_000);
    expect(await unitsOf(read)).toBeLessThanOrEqual(one.most);
  },
);

/** How entries that follow each other lie. */
const run = fc.record({
  count: fc.integer({ min: 1, max: 130 }),
  gapMs: fc.constantFrom(0, 0.3, 1, 1, 4, 30, 300),
  // Relays that write at the same time: each writes what it has of the run together, and the first one each entry alone.
  writers: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 9 }),
  // Some entries are written again, by another one.
  again: fc.option(fc.integer({ min: 2, max: 40 }), { nil: undefined }),
});

const scene = fc.record({
  runs: fc.array(run, { minLength: 1, maxLength: 5 }),
  totaled: fc.double({ min: 0, max: 1, noNaN: true }),
  looks: fc.array(
    fc.record({
      from: fc.nat(),
      to: fc.nat(),
      beside: fc.constantFrom(-300, -1, 0, 0, 1, 17),
      limit: fc.constantFrom(1, 7, 64, 100, 1_000),
    }),
    { minLength: 3, maxLength: 5 },
  ),
  reopened: fc.nat(),
});

function groupsOf(runs: readonly (typeof run extends fc.Arbitrary<infer One> ? One : never)[]) {
  const groups: BookEntry[][] = [];
  let ms = startMs;
  for (const { count, gapMs, writers, again } of runs) {
    const entries = entriesFrom(ms, count, gapMs);
    ms += Math.ceil(count * gapMs);
    const writerOf = (index: number) => writers[index % writers.length];
    groups.push(...entries.filter((_, index) => writerOf(index) === 0).map((entry) => [entry]));
    for (const writer of [1, 2, 3, 4])
      groups.push(entries.filter((_, index) => writerOf(index) === writer));
    if (again !== undefined) groups.push(entries.slice(0, again));
  }
  return groups.filter((group) => group.length > 0);
}

const sumOf = (entries: readonly BookEntry[]): BookTotals => entries.reduce(totalsWith, noTotals);

/** All rows of a stretch, page by page, and the totals around it. */
async function readAll(name: BookName, sinceMs: number, untilMs: number, limit: number) {
  const rows: (readonly [place: string, totals: BookTotals])[] = [];
  const around = new Set<string>();
  let after: string | undefined;
  do {
    const stretch = { sinceMs, untilMs, limit, ...(after !== undefined && { after }) };
    const page = await books.page(name, stretch);
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    rows.push(...page.rows.map(({ place, totals }) => [place, totals] as const));
    around.add(textOf([page.opening, page.closing]));
    after = page.next;
  } while (after !== undefined);
  return { rows, around: [...around] };
}

const textOf = (value: unknown) =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one));

/** Compares all readings with a plain list. */
async function compare(name: BookName, plain: readonly BookEntry[], looks: Looks): Promise<void> {
  for (const { from, to, beside, limit } of looks) {
    const [one, other] = [from, to].map((at) => msOf(plain[at % plain.length] as BookEntry));
    const sinceMs = Math.min(one as number, other as number) + beside;
    const untilMs = Math.max(one as number, other as number, sinceMs);
    const [totals] = await books.totals(name.scope, [name], sinceMs);
    expect(totals).toEqual(sumOf(plain.filter((entry) => msOf(entry) <= sinceMs)));
    const opening = sumOf(plain.filter((entry) => msOf(entry) < sinceMs));
    const closing = sumOf(plain.filter((entry) => msOf(entry) <= untilMs));
    let sum = opening;
    const within = plain.filter((entry) => msOf(entry) >= sinceMs && msOf(entry) <= untilMs);
    const rows = within.map((entry) => {
      sum = totalsWith(sum, entry);
      return [bookPlaceOf(entry), sum] as const;
    });
    const read = await readAll(name, sinceMs, untilMs, Math.max(limit, rows.length >> 3));
    expect(read.rows).toEqual(rows);
    expect(read.around).toEqual([textOf([opening, closing])]);
  }
}

type Looks = readonly {
  readonly from: number;
  readonly to: number;
  readonly beside: number;
  readonly limit: number;
}[];

/** The running totals of a book, by the number of entries that they include. */
async function totalsIn(name: BookName): Promise<readonly (readonly [string, BookTotals])[]> {
  const items = await itemsIn(table, bookRangeOf(name), deadline(), {});
  return items.flatMap((item) => {
    const place = placeOfTotal(String(item['sk']));
    return place === undefined ? [] : [[place, unpackTotals(item)] as const];
  });
}

test('whatever lies in blocks, alone or twice, each reading is that of a plain list, also after a book was reopened', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async ({ runs, totaled, looks, reopened }) => {
      const groups = groupsOf(runs);
      const plain = inOrder(groups.flat());
      const totaledMs = msOf(plain[Math.floor(totaled * (plain.length - 1))] as BookEntry);
      const name = await written(groups, totaledMs);
      await compare(name, plain, looks);
      const due = plain.flatMap((entry, index) =>
        (index + 1) % 64 === 0
          ? [[bookPlaceOf(entry), sumOf(plain.slice(0, index + 1))] as const]
          : [],
      );
      while (await closeBook(table, name, later, deadline()));
      expect(await totalsIn(name)).toEqual(due);
      await compare(name, plain, looks);
      const place = bookPlaceOf(plain[reopened % plain.length] as BookEntry);
      await reopenBook(table, name, place, later, deadline());
      expect(await totalsIn(name)).toEqual(due.filter(([one]) => one < place));
      await compare(name, plain, looks.slice(0, 2));
      while (await closeBook(table, name, later, deadline()));
      expect(await totalsIn(name)).toEqual(due);
    }),
    { numRuns: 10 },
  );
});
