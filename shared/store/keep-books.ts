/**
 * Writing books: the entries of a version, once it is in the outbox, and from time to time the running totals of a
 * book (`close-book.ts`). An entry has one key and one content, however often it is written. Decision 90.
 */
import { shareOf } from '../crypto/luid.ts';
import { type BookEntry, bookEntriesOf } from '../ledger/book.ts';
import type { BookName } from '../port/books.ts';
import type { EntryVersion, UnindexedEntry } from '../port/catalog.ts';
import { totalEvery } from './books.ts';
import { closeBook, reopenBook } from './close-book.ts';
import { distinctBy } from './distinct.ts';
import { put } from './item-action.ts';
import { bookKeyOf, bookPartitionOf, bookPlaceOf, listedBookKeyOf, textOf } from './keys.ts';
import { countNow, layoutOf } from './layout.ts';
import { bookOf, packEntry } from './pack-book.ts';
import { itemsAt } from './read.ts';
import type { Item, Table } from './request.ts';
import { type Deadline, deadlineIn } from './retry.ts';
import { tryTo } from './try-to.ts';
import { writeAll } from './write-all.ts';

/** An entry that is written, and its book. */
interface BookedEntry {
  readonly name: BookName;
  readonly entry: BookEntry;
}

/** One entry in so many lets running totals be looked for: about two times for each of them. */
const closingShare = totalEvery / 2;

/** Writes the entries of versions; those that cannot be read are returned. */
export async function keepBooks(
  table: Table,
  entries: readonly EntryVersion[],
  nowMs: number,
): Promise<UnindexedEntry[]> {
  const { booked, unkept } = bookedBy(entries);
  await writeBooked(table, booked, nowMs, deadlineIn(table.deadlineMs));
  return unkept;
}

/** The books that these versions have entries in. */
export function booksMovedBy(entries: readonly EntryVersion[]): BookName[] {
  return distinctBy(
    bookedBy(entries).booked.map(({ name }) => name),
    bookPartitionOf,
  );
}

/** The entries of versions; of those that cannot be read, the reason. */
function bookedBy(entries: readonly EntryVersion[]): {
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
      booked.push(...own.map((one) => ({ name: bookOf(entry.scope, one), entry: one })));
    } catch (error) {
      unkept.push({ entry, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return { booked, unkept };
}

/** Writes entries, whatever lies there, and cares for their books. */
export async function writeBooked(
  table: Table,
  booked: readonly BookedEntry[],
  nowMs: number,
  deadline: Deadline,
): Promise<void> {
  if (booked.length === 0) return;
  const puts = booked.map(({ name, entry }) => packEntry(name, entry));
  await writeAll(table, { puts }, deadline);
  // The entries are there before the state of their books is read: so nobody closes a book unseen.
  const names = distinctBy(
    booked.map(({ name }) => name),
    (name) => textOf(bookKeyOf(name)),
  );
  const states = await itemsAt(table, names.map(bookKeyOf), deadline);
  for (const name of names) {
    const text = textOf(bookKeyOf(name));
    const own = booked.filter((one) => textOf(bookKeyOf(one.name)) === text);
    await careFor(table, name, own, states.get(text), { nowMs, deadline });
  }
}

/** True for one luid in so many, also of those that a batch makes with one share among partitions. */
export function isClosing(luid: string): boolean {
  // Two of the 64 characters of a luid.
  return shareOf(luid.slice(-1), closingShare) === 1;
}

/** Begins a book, mends its running totals after an entry that came late, and lets new ones be written. */
async function careFor(
  table: Table,
  name: BookName,
  booked: readonly BookedEntry[],
  state: Item | undefined,
  { nowMs, deadline }: { readonly nowMs: number; readonly deadline: Deadline },
): Promise<void> {
  const places = booked.map(({ entry }) => bookPlaceOf(entry)).sort();
  const [first = ''] = places;
  if (!state) await beginBook(table, name, deadline);
  else if (first < String(state['closed'] ?? '')) await reopenBook(table, name, first, deadline);
  const isDue = booked.some(({ entry }) => isClosing(entry.intent.luid));
  if (isDue) await closeBook(table, name, nowMs, deadline);
}

/** Lists a book, and then makes its state: a book with a state is listed. */
async function beginBook(table: Table, name: BookName, deadline: Deadline): Promise<void> {
  const count = countNow(await layoutOf(table, name.scope, deadline));
  await writeAll(table, { puts: [{ ...listedBookKeyOf(name, count) }] }, deadline);
  const action = put(table.tableName, bookKeyOf(name), {}, 'attribute_not_exists(pk)');
  await tryTo(table, [action], deadline);
}
