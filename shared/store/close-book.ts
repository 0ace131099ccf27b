/**
 * Running totals of a book, behind every 64th entry. They trail: only entries count before which nothing waits in the
 * outbox. An entry may come later all the same, from a machine whose clock is slow. Then the totals behind it are
 * removed, and written anew. The order of the steps keeps wrong totals from staying:
 *
 * - who closes a book states up to where, before reading the entries, and writes totals only if the book was not
 *   reopened since, and nobody is removing totals;
 * - who writes an entry reads the state of the book afterwards. If the book is closed behind the entry, it is reopened,
 *   totals are removed, and only then it can be closed again;
 * - who removes totals leaves a mark of its own for that time. One who ended in the middle leaves it for good, so a mark
 *   that is older than any process lets the totals be removed again. Decision 90.
 */
import { randomUUID } from 'node:crypto';
import { type BookTotals, noTotals, totalsWith } from '../ledger/book.ts';
import type { BookName } from '../port/books.ts';
import { openBook, type Placed, UnreadableEntry, windowsOf } from './book-items.ts';
import { oldestInOutbox } from './book-tail.ts';
import { totalEvery } from './books.ts';
import { put } from './item-action.ts';
import {
  bookBoundsOf,
  bookKeyOf,
  bookPartitionOf,
  bookRangeOf,
  type KeyRange,
  keyOfItem,
  placeOfTotal,
  textOf,
  totalSkOf,
  wholeBooksKeyOf,
} from './keys.ts';
import { packTotals, unpackTotals } from './pack-book.ts';
import { itemsAt, itemsIn } from './read.ts';
import type { Item, ItemAction, Table } from './request.ts';
import type { Deadline } from './retry.ts';
import { tryTo } from './try-to.ts';
import { remove } from './write-all.ts';

/** The time for which a commit may be on its way, in milliseconds: a shorter one makes more entries late. */
const closingDelayMs = 10_000;
/** The running totals of one step, so that a backlog is closed in many. */
const totalCountMax = 32;
/** The items that are read at a time for it. */
const readLength = 4 * totalEvery;
/** Longer than any process lives, in milliseconds: whoever left a mark before has ended. */
const processMsMax = 15 * 60_000;

/**
 * Writes the running totals that are missing up to now, at most those of one step; false when there are none, and for a
 * book with an entry that cannot be read, which has to be mended first.
 */
export async function closeBook(
  table: Table,
  name: BookName,
  nowMs: number,
  deadline: Deadline,
): Promise<boolean> {
  return closeReadable(table, name, nowMs, deadline).catch((error) => {
    if (error instanceof UnreadableEntry) return false;
    throw error;
  });
}

async function closeReadable(
  table: Table,
  name: BookName,
  nowMs: number,
  deadline: Deadline,
): Promise<boolean> {
  const [state, isWhole] = await stateOf(table, name, deadline);
  if (!isWhole) return false;
  if (state?.['late'] !== undefined) {
    const isMended = await mendLeft(table, name, state, nowMs, deadline);
    return isMended && closeReadable(table, name, nowMs, deadline);
  }
  const mostMs = Math.max(1, nowMs - closingDelayMs);
  const most = bookBoundsOf(mostMs - 1).last;
  const possible = await missingTotals(table, name, state, most, deadline);
  // Few looks find any, and the outbox of a busy ledger has many partitions.
  if (possible.length === 0) return false;
  const oldestMs = await oldestInOutbox(table, name.scope, deadline);
  const until = bookBoundsOf(Math.max(1, Math.min(mostMs, oldestMs)) - 1).last;
  const isIn = ({ sk }: Item) => (placeOfTotal(sk as string) as string) <= until;
  if (!possible.some(isIn)) return false;
  await closeUntil(table, name, until, deadline);
  const [now] = await stateOf(table, name, deadline);
  if (now?.['late'] !== undefined) return false;
  const totals = await missingTotals(table, name, now, until, deadline);
  const last = totals.at(-1);
  if (!last) return false;
  const puts = totals.map(({ sk, ...item }) =>
    put(table.tableName, { pk: bookPartitionOf(name), sk: sk as string }, item),
  );
  const place = placeOfTotal(last['sk'] as string) as string;
  return tryTo(table, [...puts, noting(table, name, place, now)], deadline);
}

/**
 * Removes the running totals behind an entry that came late. A crash leaves the book open and marked: the entry is still
 * in the outbox, and comes again, and the mark is mended once it is old.
 */
export async function reopenBook(
  table: Table,
  name: BookName,
  place: string,
  nowMs: number,
  deadline: Deadline,
): Promise<void> {
  const mark = await markLate(table, name, place, nowMs, deadline);
  await removeTotals(table, bookRangeOf(name, place), deadline);
  await unmark(table, name, [mark], deadline);
}

/** Removes the running totals behind the places of these marks, for whoever has left them, and then the marks. */
export async function reopenMarked(
  table: Table,
  name: BookName,
  marks: readonly LateMark[],
  nowMs: number,
  deadline: Deadline,
): Promise<void> {
  const [place] = marks.map((one) => one.place).sort();
  if (place === undefined) return;
  const own = await markLate(table, name, place, nowMs, deadline);
  // A book that was marked for long has many entries, but no running totals behind what it was closed for.
  const [state] = await stateOf(table, name, deadline);
  const to = totalSkOf(String(state?.['closed'] ?? ''));
  if (place < to) await removeTotals(table, { ...bookRangeOf(name, place), to }, deadline);
  await unmark(table, name, [own, ...marks.map(({ text }) => text)], deadline);
}

/** The mark that one process that removes running totals leaves in the state of the book until it is done. */
interface LateMark {
  readonly text: string;
  readonly place: string;
  /** Absent in a mark of an earlier release. */
  readonly sinceMs?: number;
}

/** The marks of a book. */
export function marksIn(state: Item | undefined): LateMark[] {
  return [...((state?.['late'] as Set<string> | undefined) ?? [])].map((text) => {
    const [place = '', sinceMs] = text.split(' ');
    return { text, place, ...(sinceMs !== undefined && { sinceMs: Number(sinceMs) }) };
  });
}

/** Does what those have left who ended while they removed running totals; true when nobody else removes any. */
async function mendLeft(
  table: Table,
  name: BookName,
  state: Item,
  nowMs: number,
  deadline: Deadline,
): Promise<boolean> {
  const marks = marksIn(state);
  const left = marks.filter(({ sinceMs = nowMs }) => sinceMs < nowMs - processMsMax);
  await reopenMarked(table, name, left, nowMs, deadline);
  // Whoever left one without a time may still be at work: it counts from now on.
  const timeless = marks.filter(({ sinceMs }) => sinceMs === undefined);
  for (const { text, place } of timeless) {
    await markLate(table, name, place, nowMs, deadline);
    await unmark(table, name, [text], deadline);
  }
  return left.length === marks.length;
}

/** Reopens a book, with a mark that no other process has; nobody closes it until the mark is gone. */
async function markLate(
  table: Table,
  name: BookName,
  place: string,
  nowMs: number,
  deadline: Deadline,
): Promise<string> {
  const mark = `${place} ${nowMs} ${randomUUID()}`;
  const change = 'REMOVE totaled ADD late :late, reopened :one';
  await tryTo(table, [marking(table, name, change, [mark], { ':one': 1 })], deadline);
  return mark;
}

function unmark(table: Table, name: BookName, marks: readonly string[], deadline: Deadline) {
  return tryTo(table, [marking(table, name, 'DELETE late :late', marks)], deadline);
}

function marking(
  { tableName: TableName }: Table,
  name: BookName,
  UpdateExpression: string,
  marks: readonly string[],
  values: object = {},
): ItemAction {
  const ExpressionAttributeValues = { ':late': new Set(marks), ...values };
  const Key = bookKeyOf(name);
  return { Update: { TableName, Key, UpdateExpression, ExpressionAttributeValues } };
}

async function removeTotals(table: Table, range: KeyRange, deadline: Deadline): Promise<void> {
  const items = await itemsIn(table, range, deadline, {});
  const totals = items.map(keyOfItem).filter(({ sk }) => placeOfTotal(sk) !== undefined);
  await remove(table, totals, deadline);
}

/** The running totals that belong into a book behind those that it has, until a place. */
async function missingTotals(
  table: Table,
  name: BookName,
  state: Item | undefined,
  until: string,
  deadline: Deadline,
): Promise<Item[]> {
  const last = await lastTotals(table, name, state, deadline);
  const from = last ? (placeOfTotal(last.sk) as string) : bookBoundsOf(0).first;
  const missing: Item[] = [];
  let before = last?.totals ?? noTotals;
  const book = openBook(table, name, deadline);
  for await (const { entries } of windowsOf(book, { from, to: until }, () => readLength)) {
    const { due, totals } = totalsAmong(name, entries, before);
    missing.push(...due);
    before = totals;
    if (missing.length >= totalCountMax) break;
  }
  return missing.slice(0, totalCountMax);
}

/** The running totals behind every 64th of these entries, which follow totals, and the totals behind all of them. */
function totalsAmong(name: BookName, entries: readonly Placed[], before: BookTotals) {
  let totals = before;
  const due = entries.flatMap(({ place, entry }) => {
    totals = totalsWith(totals, entry);
    const isDue = (totals.moves + totals.holds) % totalEvery === 0;
    return isDue ? [packTotals(name, place, totals)] : [];
  });
  return { due, totals };
}

/** The last running totals of a book, and their sort key. */
async function lastTotals(
  table: Table,
  name: BookName,
  state: Item | undefined,
  deadline: Deadline,
): Promise<{ readonly sk: string; readonly totals: BookTotals } | undefined> {
  const { totaled, closed } = state ?? {};
  if (closed === undefined) return undefined;
  const pk = bookPartitionOf(name);
  if (totaled !== undefined) {
    const sk = totalSkOf(totaled as string);
    const item = (await itemsAt(table, [{ pk, sk }], deadline)).get(textOf({ pk, sk }));
    if (item) return { sk, totals: unpackTotals(item) };
  }
  // The book was reopened: the last ones lie somewhere before.
  const range = { pk, from: bookBoundsOf(0).first, to: closed as string };
  for (let after: string | undefined; ; ) {
    const options = { newestFirst: true, countMax: 1_000, ...(after !== undefined && { after }) };
    const items = await itemsIn(table, range, deadline, options);
    const found = items.find(({ sk }) => placeOfTotal(sk as string) !== undefined);
    if (found) return { sk: found['sk'] as string, totals: unpackTotals(found) };
    if (items.length < 1_000) return undefined;
    after = items.at(-1)?.['sk'] as string;
  }
}

/** The state of a book, and true when its ledger's books have all entries. */
async function stateOf(
  table: Table,
  name: BookName,
  deadline: Deadline,
): Promise<readonly [state: Item | undefined, isWhole: boolean]> {
  const [key, mark] = [bookKeyOf(name), wholeBooksKeyOf(name.scope)];
  const items = await itemsAt(table, [key, mark], deadline);
  return [items.get(textOf(key)), items.has(textOf(mark))];
}

/** States up to which place a book is closed. */
function closeUntil(table: Table, name: BookName, until: string, deadline: Deadline) {
  const action = {
    Update: {
      TableName: table.tableName,
      Key: bookKeyOf(name),
      UpdateExpression: 'SET closed = :until',
      ConditionExpression: 'attribute_not_exists(closed) OR closed < :until',
      ExpressionAttributeValues: { ':until': until },
    },
  };
  return tryTo(table, [action], deadline);
}

/** Notes the last running totals, if the book was not reopened since its state was read. */
function noting(table: Table, name: BookName, place: string, state: Item | undefined): ItemAction {
  const reopened = state?.['reopened'];
  const isSame = reopened === undefined ? 'attribute_not_exists(reopened)' : 'reopened = :reopened';
  return {
    Update: {
      TableName: table.tableName,
      Key: bookKeyOf(name),
      UpdateExpression: 'SET totaled = :place',
      ConditionExpression: `${isSame} AND attribute_not_exists(late)`,
      ExpressionAttributeValues: {
        ':place': place,
        ...(reopened !== undefined && { ':reopened': reopened }),
      },
    },
  };
}
