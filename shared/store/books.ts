/**
 * Reading books. The totals at a moment are the last running totals before it and the few entries behind them, with
 * those that are still in the outbox (`book-tail.ts`). A running total behind which an entry is yet to be written does
 * not count: the reading goes back to the one before. Decision 90.
 */
import { type BookEntry, type BookTotals, isMove, noTotals, totalsWith } from '../ledger/book.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { BookName, BookPage, BookRow, BookStretch } from '../port/books.ts';
import type { BookRest } from '../port/monitors.ts';
import type { Scope } from '../port/ports.ts';
import {
  byPlace,
  entriesAmong,
  type OpenBook,
  openBook,
  type Placed,
  type ReadSoFar,
  windowsOf,
} from './book-items.ts';
import { bookTail, oldestInOutbox } from './book-tail.ts';
import {
  bookBlockRangeOf,
  bookBoundsOf,
  bookPartitionOf,
  bookPlaceOf,
  listedBookKeyOf,
  listedBookOf,
  placeOfTotal,
  textOf,
  wholeBooksKeyOf,
} from './keys.ts';
import { bookListPartitionsIn } from './layout.ts';
import { distinctIn } from './merge.ts';
import { unpackTotals } from './pack-book.ts';
import { itemsAt } from './read.ts';
import { type Item, query, type Table } from './request.ts';
import { type Deadline, deadlineIn, repeating } from './retry.ts';

/** The entries from one running total to the next. */
export const totalEvery = 64;
/** The items that are read at once on the way back to running totals. */
const firstLength = totalEvery + 2;
const nextLength = 1_000;
/** The most times that a further reading is longer than the one before. */
const lengthGrowth = 4;
/** The items of a reading beyond those that it needs by the number of entries: running totals lie between. */
const spareLength = 8;
/** The items that are read before it is known how many entries lie in one. */
const unknownLength = 128;
/** The entries that are read behind those of a page, the first time. */
const furtherLength = 64;
/** The entries that a page looks at; one with few moves among them ends early. */
const scanMax = 1_000;
/** The entries that a monitor goes through at a time. */
const restMax = 500;

const start = bookBoundsOf(0).first;
/** The end of all times that a key can state. */
const timeMsMax = 2 ** 48 - 1;

/** A book that is read, with its entries in the outbox, by place. */
interface BookReading extends OpenBook {
  readonly tail: readonly Placed[];
}

/** The totals of books at the end of a millisecond. */
export async function bookTotals(
  table: Table,
  scope: Scope,
  names: readonly BookName[],
  untilMs: number,
): Promise<BookTotals[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const tail = await bookTail(table, scope, untilMs, deadline);
  const { last } = bookBoundsOf(untilMs);
  return Promise.all(names.map((name) => totalsUpTo(readingOf(table, name, tail, deadline), last)));
}

/** A page of a book. */
export async function bookPage(
  table: Table,
  name: BookName,
  { sinceMs, untilMs, after, limit, isMovesOnly = false }: BookStretch,
): Promise<BookPage> {
  const deadline = deadlineIn(table.deadlineMs);
  const tail = await bookTail(table, name.scope, untilMs, deadline);
  const reading = readingOf(table, name, tail, deadline);
  const { first } = bookBoundsOf(sinceMs);
  const { last } = bookBoundsOf(untilMs);
  const from = after === undefined || after < first ? first : after;
  const [opening, before] = await Promise.all([
    totalsUpTo(reading, first),
    from === first ? undefined : totalsUpTo(reading, from),
  ]);
  const wanted = { from, to: last, limit, isMovesOnly };
  const isWithin = from < last;
  const { rows, next, totals } = isWithin
    ? await rowsFrom(reading, wanted, before ?? opening)
    : { rows: [], totals: undefined };
  const closing = next === undefined && totals ? totals : await totalsUpTo(reading, last);
  return { opening, closing, rows, ...(next !== undefined && { next }) };
}

/**
 * The entries of a book behind a millisecond, and the totals then. Where too much waits in the outbox to be read, they end
 * before the oldest change there: all entries before it are in the book.
 */
export async function restOfBook(table: Table, name: BookName, afterMs: number): Promise<BookRest> {
  const deadline = deadlineIn(table.deadlineMs);
  const tail = await bookTail(table, name.scope, timeMsMax, deadline).catch((error) => {
    if (error instanceof LedgerError) return undefined;
    throw error;
  });
  const isBehind = tail === undefined;
  const oldestMs = isBehind ? await oldestInOutbox(table, name.scope, deadline) : timeMsMax;
  const untilMs = Math.min(timeMsMax, oldestMs - 1);
  if (untilMs < afterMs) return { before: undefined, rows: [], hasMore: false, isBehind };
  const reading = readingOf(table, name, tail ?? [], deadline);
  const { last: from } = bookBoundsOf(afterMs);
  const { last: to } = bookBoundsOf(untilMs);
  const before = await totalsUpTo(reading, from);
  const wanted = { from, to, limit: restMax, isMovesOnly: false };
  const { rows, next } = await rowsFrom(reading, wanted, before);
  if (next === undefined) return { before, rows, hasMore: false, isBehind };
  const end = rows.at(-1)?.entry.moment;
  const whole = rows.filter(({ entry }) => entry.moment !== end);
  return { before, rows: whole.length > 0 ? whole : rows, hasMore: true, isBehind };
}

/** The books of a symbol after one of them, with those whose first entry is still in the outbox. */
export async function listedBooks(
  table: Table,
  scope: Scope,
  symbol: string,
  limit: number,
  after?: BookName,
): Promise<BookName[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const from = after ? listedBookKeyOf(after).sk : '';
  const tail = await bookTail(table, scope, timeMsMax, deadline);
  const pks = await bookListPartitionsIn(table, scope, symbol, deadline);
  const ranges = pks.map((pk) => ({ pk }));
  const options = { countMax: limit, ...(after && { after: from }) };
  // A book may be listed in two partitions.
  const items = await distinctIn(table, ranges, deadline, options, ({ sk }) => sk as string);
  const coming = tail
    .filter((entry) => entry.symbol === symbol)
    .map(
      ({ wallet }) =>
        listedBookKeyOf({ scope, symbol, ...(wallet !== undefined && { wallet }) }).sk,
    )
    .filter((sk) => sk > from);
  const places = new Set([...items.map(({ sk }) => sk as string), ...coming]);
  const next = [...places].sort().slice(0, limit);
  return next.map((sk) => listedBookOf(scope, symbol, sk));
}

/** Refuses for a ledger of an earlier release whose books were not made yet. */
export async function assertWholeBooks(table: Table, scope: Scope): Promise<void> {
  const key = wholeBooksKeyOf(scope);
  const found = await itemsAt(table, [key], deadlineIn(table.deadlineMs));
  if (!found.has(textOf(key)))
    throw new LedgerError(
      'api.request-timeout',
      "The books of this ledger are not made yet. Its operator makes them by 'countersign reindex'.",
    );
}

function readingOf(
  table: Table,
  name: BookName,
  tail: readonly BookEntry[],
  deadline: Deadline,
): BookReading {
  const own = tail.filter(({ wallet, symbol }) => wallet === name.wallet && symbol === name.symbol);
  const placed = own.map((entry) => ({ place: bookPlaceOf(entry), entry }));
  return { ...openBook(table, name, deadline), tail: placed.sort(byPlace) };
}

/** The totals of all entries up to a place, that place included. */
async function totalsUpTo(reading: BookReading, to: string): Promise<BookTotals> {
  const { table, name, tail, deadline, blocksAt } = reading;
  const own = tail.filter(({ place }) => place <= to);
  const floor = own[0]?.place;
  // Some of the blocks of a span lie behind a place within it, and have entries before it.
  const blocks = await blocksAt(to);
  const pk = bookPartitionOf(name);
  const { from: end } = bookBlockRangeOf(pk, to);
  const range = { pk, from: start, to: to < end ? to : end };
  const stored = [...blocks.entries];
  let known = noTotals;
  let from = '';
  let next: Item | undefined;
  // The span before has as many blocks.
  let limit = blocks.count === 0 ? firstLength : Math.min(firstLength, blocks.count + spareLength);
  do {
    const options = { newestFirst: true, limit, ...(next && { start: next }) };
    const { items, next: more } = await repeating(deadline, () => query(table, range, options));
    const end = items.findIndex((item) => isTotalBefore(item, to, floor));
    stored.push(...entriesAmong(name, end < 0 ? items : items.slice(0, end)));
    const totals = items[end];
    if (totals) {
      known = unpackTotals(totals);
      from = placeOfTotal(totals['sk'] as string) as string;
    }
    next = totals ? undefined : more;
    limit = Math.min(nextLength, lengthGrowth * limit);
  } while (next);
  const counted = united(stored, own).filter(({ place }) => place > from && place <= to);
  return counted.reduce((sum, { entry }) => totalsWith(sum, entry), known);
}

/** True for running totals up to a place behind which no entry is yet to be written. */
function isTotalBefore({ sk }: Item, to: string, floor: string | undefined): boolean {
  const place = placeOfTotal(sk as string);
  return place !== undefined && place <= to && (floor === undefined || place < floor);
}

interface RowsWanted {
  /** Excludes the entry at this place. */
  readonly from: string;
  readonly to: string;
  readonly limit: number;
  readonly isMovesOnly: boolean;
}

/** The rows after a place, and the totals behind the last entry that was looked at. */
async function rowsFrom(
  reading: BookReading,
  { from, to, limit, isMovesOnly }: RowsWanted,
  before: BookTotals,
): Promise<{ rows: BookRow[]; totals: BookTotals; next?: string }> {
  const rows: BookRow[] = [];
  let totals = before;
  let last = from;
  let scanned = 0;
  for await (const { place, entry } of entriesFrom(reading, from, to, limit)) {
    if (rows.length === limit || scanned === scanMax) return { rows, totals, next: last };
    totals = totalsWith(totals, entry);
    scanned += 1;
    last = place;
    if (!isMovesOnly || isMove(entry)) rows.push({ place, entry, totals });
  }
  return { rows, totals };
}

/** The entries after a place, oldest first; about `limit` are read at first. */
async function* entriesFrom(
  reading: BookReading,
  from: string,
  to: string,
  limit: number,
): AsyncGenerator<Placed> {
  const { tail, blocksAt } = reading;
  const { count, entries: near } = await blocksAt(from);
  const before: ReadSoFar = { items: count, entries: near.length };
  const countOf = (round: number, read: ReadSoFar) => {
    const further = Math.min(nextLength, furtherLength * lengthGrowth ** (round - 1));
    const length = round === 0 ? limit : Math.max(limit - read.entries, further);
    const { items, entries } = round === 0 ? before : read;
    const perItem = Math.max(1, entries / Math.max(1, items));
    // Running totals lie in between.
    const wanted = Math.ceil(length / perItem) + Math.ceil(length / totalEvery) + spareLength;
    return items === 0 ? Math.min(wanted, unknownLength) : wanted;
  };
  for await (const { entries, has } of windowsOf(reading, { from, to }, countOf))
    yield* united(
      entries,
      tail.filter(({ place }) => has(place)),
    );
}

/** The entries of both, each once, by place. */
function united(stored: readonly Placed[], tail: readonly Placed[]): Placed[] {
  const byName = new Map([...tail, ...stored].map((one) => [one.place, one]));
  return [...byName.values()].sort(byPlace);
}
