/**
 * Books are derived, so whatever is wrong with them is found by the audit and mended by a reindexing. Method: a ledger
 * whose books are in order; one thing is changed, found, and mended.
 */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../../shared/audit/audit.ts';
import { newReport } from '../../shared/audit/run.ts';
import { tableSource } from '../../shared/audit/table.ts';
import type { Books } from '../../shared/port/books.ts';
import type { Outbox } from '../../shared/port/outbox.ts';
import type { Store } from '../../shared/port/ports.ts';
import type { Claim } from '../../shared/shape/intent.ts';
import { isBlock, packBlocks, unblocked } from '../../shared/store/blocks.ts';
import { tableClient } from '../../shared/store/client.ts';
import { deflated } from '../../shared/store/deflated.ts';
import {
  bookKeyOf,
  bookRangeOf,
  keyOfItem,
  listedBookKeyOf,
  placeOfTotal,
  rulebookKeyOf,
  totalSkOf,
  wholeBooksKeyOf,
} from '../../shared/store/keys.ts';
import { unpackEntry, unpackTotals } from '../../shared/store/pack-book.ts';
import { itemsIn } from '../../shared/store/read.ts';
import { reindex } from '../../shared/store/reindex.ts';
import type { Item, Table } from '../../shared/store/request.ts';
import { deadlineIn } from '../../shared/store/retry.ts';
import { dynamoBooks, dynamoOutbox, dynamoStore } from '../../shared/store/store.ts';
import { writeAll } from '../../shared/store/write-all.ts';
import { bookedScope, published, sharing } from '../contract/books.ts';
import { courseOf, sidesOf } from '../fixture/booked.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { commitOf, created, writeOf } from '../fixture/version.ts';

const tableName = 'audited-books';
const later = Date.parse('2026-12-31T00:00:00.000Z');
let database: Database;
let client: DynamoDBDocumentClient;
let table: Table;
let ports: { readonly store: Store; readonly outbox: Outbox; readonly books: Books };

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  client = tableClient({ endpoint: database.endpoint }) as DynamoDBDocumentClient;
  table = { client, tableName, deadlineMs: 30_000, onConsumed: undefined };
  const options = { client, tableName };
  ports = {
    store: dynamoStore(options),
    outbox: dynamoOutbox(options),
    books: dynamoBooks(options),
  };
});
afterAll(() => database.stop());

const deadline = () => deadlineIn(30_000);
const aliceIn = (scope: string) => ({ scope, wallet: 'alice', symbol: 'usd' });

/** A ledger with 150 entries in the book of alice, all published; those of a round share items, if they shall. */
async function house(how?: 'shared'): Promise<string> {
  const books = how === 'shared' ? sharing(ports.books) : ports.books;
  const scope = await bookedScope(ports.store);
  expect(await ports.store.commit(commitOf(writeOf(scope, created('symbol', 'usd'))))).toEqual([]);
  const about = { target: 'bob', amount: 1, symbol: 'usd' } as const;
  const claim: Claim = { action: 'transfer', source: 'alice', ...about };
  for (let round = 0; round < 5; round += 1) {
    const writes = Array.from({ length: 30 }, (_, index) => {
      const commits = [['prepared', 'committed', 'completed']];
      const script = { claims: [claim], sides: sidesOf([claim]), commits };
      return writeOf(scope, courseOf(`i${round}-${index}`, script)[0] as never);
    });
    for (const part of [writes.slice(0, 15), writes.slice(15)])
      expect(await ports.store.commit(commitOf(...part))).toEqual([]);
    await published({ ...ports, books }, scope);
  }
  await mend(scope);
  return scope;
}

async function mend(scope: string): Promise<void> {
  const pages = tableSource(client, tableName).outlines([scope]);
  for await (const _ of reindex(table, pages, () => later));
}

/** The findings of the audit about books: other things of the fixture are no ledger's. */
async function foundIn(scope: string): Promise<string[]> {
  const found: string[] = [];
  const source = tableSource(client, tableName);
  const options = { isLive: false, nowMs: () => later, ledger: scope };
  for await (const { fact } of audit(source, options, newReport()))
    if (/book|running totals|batch/.test(fact)) found.push(fact.replace(/ (at|in) '.*'/, ''));
  return found;
}

const put = (...puts: Item[]) => writeAll(table, { puts }, deadline());
const remove = (...items: Item[]) => writeAll(table, { deletes: items.map(keyOfItem) }, deadline());
const itemsOf = (scope: string) => itemsIn(table, bookRangeOf(aliceIn(scope)), deadline(), {});
const isTotal = ({ sk }: Item) => placeOfTotal(String(sk)) !== undefined;
const mends = '"countersign reindex" mends it.';
const wrongSums = [`The running totals are not the sums of the entries; ${mends}`];

test('a book of a busy ledger is listed where the layout says, and nowhere else', async () => {
  const scope = await house();
  await remove({ ...listedBookKeyOf(aliceIn(scope)) });
  await put({ ...listedBookKeyOf(aliceIn(scope), 4) });
  expect(await foundIn(scope)).toEqual([`The book is not in the list of its symbol; ${mends}`]);
  await put({ ...rulebookKeyOf(scope), spread: 4, spreadBefore: 1, spreadSince: 0 });
  expect(await foundIn(scope)).toEqual([]);
  await remove({ ...listedBookKeyOf(aliceIn(scope), 4) });
  await mend(scope);
  expect(await foundIn(scope)).toEqual([]);
});

test.each<[string, string[], (items: Item[], scope: string) => Promise<void>]>([
  [
    'a missing entry',
    [`An entry of a book is missing; ${mends}`, ...wrongSums],
    ([first]) => remove(first as Item),
  ],
  [
    'another amount',
    [`An entry of a book is another one; ${mends}`, ...wrongSums],
    ([first]) => put({ ...first, amount: 2 }),
  ],
  [
    'another counterparty',
    [`An entry of a book is another one; ${mends}`],
    ([first]) => put({ ...first, counterparty: 'carol' }),
  ],
  [
    'an entry of no intent',
    ['An entry of a book is of no intent:', ...wrongSums],
    ([first]) => put({ ...first, sk: `${String(first?.['sk']).slice(0, -4)}2007`, handle: 'i0-0' }),
  ],
  ['other totals', wrongSums, (items) => put({ ...items.find(isTotal), debits: 63 })],
  ['missing totals', wrongSums, (items) => remove(items.find(isTotal) as Item)],
  [
    'totals in another place',
    wrongSums,
    ([first, ...others]) =>
      put({ ...others.find(isTotal), sk: totalSkOf(String(first?.['sk'])), moves: 1, debits: 1 }),
  ],
  [
    'a book that is not listed',
    [`The book is not in the list of its symbol; ${mends}`],
    (_, scope) => remove({ ...listedBookKeyOf(aliceIn(scope)) }),
  ],
  [
    'books that were never made',
    ['The books of the ledger are not made yet; "countersign reindex" makes them.'],
    (items, scope) =>
      remove(...items, { ...bookKeyOf(aliceIn(scope)) }, { ...wholeBooksKeyOf(scope) }),
  ],
])('%s is found, and mended', async (_, findings, change) => {
  const scope = await house();
  expect(await foundIn(scope)).toEqual([]);
  const before = await itemsOf(scope);
  expect(before.filter(isTotal)).toHaveLength(2);
  await change(before, scope);
  expect((await foundIn(scope)).map((fact) => fact.replace(/: .*/, ':')).sort()).toEqual(
    findings.sort(),
  );
  await mend(scope);
  expect(await itemsOf(scope)).toEqual(before);
  expect(await foundIn(scope)).toEqual([]);
});

test('books that were not made answer nothing, rather than too little', async () => {
  const scope = await house();
  await remove({ ...wholeBooksKeyOf(scope) });
  const books = dynamoBooks({ client, tableName });
  const reading = books.totals(scope, [aliceIn(scope)], later);
  await expect(reading).rejects.toMatchObject({ reason: 'api.request-timeout' });
  const stretch = { sinceMs: 0, untilMs: later, limit: 1 };
  await expect(books.page(aliceIn(scope), stretch)).rejects.toMatchObject({
    reason: 'api.request-timeout',
  });
});

/** The entries and running totals of a book, however they lie. */
function contentOf(scope: string, items: readonly Item[]): unknown[] {
  const all = new Map(items.flatMap(unblocked).map((item) => [String(item['sk']), item]));
  const sorted = [...all].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([, item]) =>
    isTotal(item) ? unpackTotals(item) : unpackEntry(aliceIn(scope), item),
  );
}

/** Writes a block again with other entries. */
async function rewrite(block: Item, change: (entries: Item[]) => Item[]): Promise<void> {
  await remove(block);
  await put(...packBlocks(change(unblocked(block))));
}

test.each<[string, string[], (block: Item) => Promise<void>]>([
  ['a missing block', [`An entry of a book is missing; ${mends}`, ...wrongSums], remove],
  [
    'a block that was cut',
    [
      `An entry of a book is missing; ${mends}`,
      'The entries of a batch cannot be read.',
      ...wrongSums,
    ],
    (block) => put({ ...block, block: deflated('[]') }),
  ],
  [
    'another amount in a block',
    [`An entry of a book is another one; ${mends}`, ...wrongSums],
    (block) => rewrite(block, ([first, ...others]) => [{ ...first, amount: 2n }, ...others]),
  ],
  [
    'another counterparty in a block',
    [`An entry of a book is another one; ${mends}`],
    (block) => rewrite(block, ([first, ...others]) => [{ ...first, counterparty: 'c' }, ...others]),
  ],
  [
    'an entry of no intent in a block',
    ['An entry of a book is of no intent:', ...wrongSums],
    (block) =>
      rewrite(block, ([first, ...others]) => {
        const sk = `${String(first?.['sk']).slice(0, -4)}2007`;
        return [first as Item, { ...first, sk, handle: 'i0-0' }, ...others];
      }),
  ],
  [
    'what lies in two blocks',
    [],
    (block) => put(...packBlocks(unblocked(block).slice(2, 5)), unblocked(block)[7] as Item),
  ],
])('%s is found, and mended', async (_, findings, change) => {
  const scope = await house('shared');
  expect(await foundIn(scope)).toEqual([]);
  const before = await itemsOf(scope);
  // The first one may have few entries: how many lie in a span of time depends on when it begins.
  const block = before.filter(isBlock).find((one) => unblocked(one).length > 7);
  expect(before.filter(isTotal)).toHaveLength(2);
  expect(before.length).toBeLessThan(20);
  await change(block as Item);
  const found = (await foundIn(scope)).map((fact) => fact.replace(/: .*/, ':'));
  expect([...new Set(found)].sort()).toEqual(findings.sort());
  await mend(scope);
  expect(contentOf(scope, await itemsOf(scope))).toEqual(contentOf(scope, before));
  expect(await foundIn(scope)).toEqual([]);
});
