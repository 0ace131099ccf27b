/**
 * Writing books: the entries of a version, once it is in the outbox, and from time to time the running totals of a
 * book (`close-book.ts`). An entry has one key and one content, however often it is written. Decision 90.
 */
import { shareOf } from '../crypto/luid.ts';
import { type BookEntry, bookEntriesOf } from '../ledger/book.ts';
import { messageOf } from '../ledger/thrown.ts';
import type { BookName } from '../port/books.ts';
import type { EntryVersion, UnindexedEntry } from '../port/catalog.ts';
import type { OutboxEntry } from '../port/outbox.ts';
import { packBlocks } from './blocks.ts';
import { totalEvery } from './books.ts';
import { closeBook, reopenBook } from './close-book.ts';
import { distinctBy } from './distinct.ts';
import { put } from './item-action.ts';
import {
  bookKeyOf,
  bookPartitionOf,
  bookPlaceOf,
  type Key,
  listedBookKeyOf,
  textOf,
} from './keys.ts';
import { countNow, layoutOf, sharesItems } from './layout.ts';
import { bookOf, packEntry } from './pack-book.ts';
import { itemsAt } from './read.ts';
import type { Item, ItemAction, Table } from './request.ts';
import { type Deadline, deadlineIn } from './retry.ts';
import { severalOf } from './several.ts';
import type { FollowStep } from './step.ts';
import { putNew } from './try-to.ts';
import { writeAll } from './write-all.ts';

/** An entry that is written, and its book. */
interface BookedEntry {
  readonly name: BookName;
  readonly entry: BookEntry;
  /** True for one that may share an item with others of its book. */
  readonly isShared?: boolean;
}

/** One entry in so many lets running totals be looked for: about two times for each of them. */
const closingShare = totalEvery / 2;
/** The books that are begun, mended or closed at a time. */
const caredForMax = 16;

/** Writes the entries of versions; those that cannot be read are returned. */
export async function keepBooks(
  table: Table,
  entries: readonly EntryVersion[],
  nowMs: number,
): Promise<UnindexedEntry[]> {
  const { booked, unkept } = bookedBy(entries, (entry) => sharesItems(table, entry));
  await writeBooked(table, booked, nowMs, deadlineIn(table.deadlineMs));
  return unkept;
}

/**
 * The same as a step among others, with the check that no book is closed behind an entry; undefined where one is, or where a
 * version cannot be read.
 */
export async function bookStep(
  table: Table,
  entries: readonly EntryVersion[],
  nowMs: number,
  deadline: Deadline,
): Promise<FollowStep | undefined> {
  const { booked, unkept } = bookedBy(entries, (entry) => sharesItems(table, entry));
  if (unkept.length > 0) return undefined;
  const books = booksAmong(booked);
  const guards: ItemAction[] = [];
  for (const { book, state } of await withStates(table, books, deadline)) {
    if (state && isClosedBehind(state, book.first)) return undefined;
    guards.push(
      ...(state ? [openCheck(table, book)] : await beginActions(table, book.name, deadline)),
    );
  }
  const puts = packBooked(booked);
  const due = books.filter(isDue);
  return {
    writes: { puts },
    actions: guards,
    rest: async () => {
      for (const { name } of due) await closeBook(table, name, nowMs, deadline);
    },
  };
}

/** The books that these versions have entries in. */
export function booksMovedBy(entries: readonly EntryVersion[]): BookName[] {
  return distinctBy(
    bookedBy(entries).booked.map(({ name }) => name),
    bookPartitionOf,
  );
}

/**
 * The entries of versions; of those that cannot be read, the reason. Those of a batch may share an item, and those of a
 * dense ledger. Decision 145.
 */
function bookedBy(
  entries: readonly EntryVersion[],
  isShared: (entry: OutboxEntry) => boolean = () => false,
): {
  readonly booked: readonly BookedEntry[];
  readonly unkept: UnindexedEntry[];
} {
  const unkept: UnindexedEntry[] = [];
  const booked: BookedEntry[] = [];
  for (const { entry, version } of entries) {
    if (entry.kind !== 'intent') continue;
    try {
      const begins = version.steps[0]?.moment ?? '';
      // Those before came with an earlier version.
      const own = bookEntriesOf(version.record).filter((one) => one.moment >= begins);
      const how = { isShared: isShared(entry) };
      booked.push(...own.map((one) => ({ name: bookOf(entry.scope, one), entry: one, ...how })));
    } catch (error) {
      unkept.push({ entry, why: messageOf(error) });
    }
  }
  return { booked, unkept };
}

/** The items that store these entries: those that may share one do. */
function packBooked(booked: readonly BookedEntry[]): Item[] {
  const itemsOf = (isWanted: boolean) =>
    booked
      .filter(({ isShared = false }) => isShared === isWanted)
      .map(({ name, entry }) => packEntry(name, entry));
  return [...itemsOf(false), ...packBlocks(itemsOf(true))];
}

/** Writes entries, whatever lies there, and cares for their books. */
export async function writeBooked(
  table: Table,
  booked: readonly BookedEntry[],
  nowMs: number,
  deadline: Deadline,
): Promise<void> {
  if (booked.length === 0) return;
  const puts = packBooked(booked);
  await writeAll(table, { puts }, deadline);
  // The entries are there before the state of their books is read: so nobody closes a book unseen.
  const books = await withStates(table, booksAmong(booked), deadline);
  const added = books.filter(({ state }) => !state).map(({ book }) => book.name);
  await beginBooks(table, added, deadline);
  await severalOf(books, caredForMax, ({ book, state }) =>
    careFor(table, book, state, { nowMs, deadline }),
  );
}

/** True for one luid in so many, also of those that a batch makes with one share among partitions. */
export function isClosing(luid: string): boolean {
  // Two of the 64 characters of a luid.
  return shareOf(luid.slice(-1), closingShare) === 1;
}

/** A book among those that are written. */
interface WrittenBook {
  readonly name: BookName;
  readonly entries: readonly BookEntry[];
  /** The first place of its entries. */
  readonly first: string;
}

function booksAmong(booked: readonly BookedEntry[]): WrittenBook[] {
  const all = new Map<string, { readonly name: BookName; readonly entries: BookEntry[] }>();
  for (const { name, entry } of booked) {
    const text = textOf(bookKeyOf(name));
    const one = all.get(text) ?? { name, entries: [] };
    all.set(text, one);
    one.entries.push(entry);
  }
  return [...all.values()].map(({ name, entries }) => {
    const [first = ''] = entries.map(bookPlaceOf).sort();
    return { name, entries, first };
  });
}

/** The books, each with its state; none for a book that has not begun. */
async function withStates(
  table: Table,
  books: readonly WrittenBook[],
  deadline: Deadline,
): Promise<{ readonly book: WrittenBook; readonly state: Item | undefined }[]> {
  const keys = books.map(({ name }) => bookKeyOf(name));
  const states = await itemsAt(table, keys, deadline);
  return books.map((book, index) => ({ book, state: states.get(textOf(keys[index] as Key)) }));
}

/** Mends the running totals of a book after an entry that came late, and lets new ones be written. */
async function careFor(
  table: Table,
  book: WrittenBook,
  state: Item | undefined,
  { nowMs, deadline }: { readonly nowMs: number; readonly deadline: Deadline },
): Promise<void> {
  const { name, first } = book;
  if (state && isClosedBehind(state, first)) await reopenBook(table, name, first, nowMs, deadline);
  if (isDue(book)) await closeBook(table, name, nowMs, deadline);
}

function isClosedBehind(state: Item, place: string): boolean {
  return place < String(state['closed'] ?? '');
}

/** True where running totals are looked for. */
function isDue({ entries }: WrittenBook): boolean {
  return entries.some(({ intent }) => isClosing(intent.luid));
}

/** Checks that a book is not closed behind its new entries. */
function openCheck({ tableName }: Table, { name, first }: WrittenBook): ItemAction {
  return {
    ConditionCheck: {
      TableName: tableName,
      Key: bookKeyOf(name),
      ConditionExpression:
        'attribute_exists(pk) AND (attribute_not_exists(closed) OR closed <= :first)',
      ExpressionAttributeValues: { ':first': first },
    },
  };
}

/** Lists books, and then makes their states: a book with a state is listed. */
async function beginBooks(
  table: Table,
  names: readonly BookName[],
  deadline: Deadline,
): Promise<void> {
  const all = await Promise.all(
    names.map(async (name) => ({ name, ...(await beginningOf(table, name, deadline)) })),
  );
  await writeAll(table, { puts: all.map(({ listed }) => listed) }, deadline);
  await severalOf(all, caredForMax, ({ name }) => makeState(table, name, deadline));
}

/** Makes the state of a book, unless it is there. */
function makeState(table: Table, name: BookName, deadline: Deadline): Promise<boolean> {
  return putNew(table, bookKeyOf(name), { reopened: 0 }, deadline);
}

/** The same as actions of one transaction. */
async function beginActions(
  table: Table,
  name: BookName,
  deadline: Deadline,
): Promise<ItemAction[]> {
  const { listed, state } = await beginningOf(table, name, deadline);
  return [put(table.tableName, listed), state];
}

async function beginningOf(
  table: Table,
  name: BookName,
  deadline: Deadline,
): Promise<{ readonly listed: Item & Key; readonly state: ItemAction }> {
  const count = countNow(await layoutOf(table, name.scope, deadline));
  return {
    listed: { ...listedBookKeyOf(name, count) },
    state: put(table.tableName, bookKeyOf(name), {}, 'attribute_not_exists(pk)'),
  };
}
