/**
 * Making books anew from the intents, beside a ledger that runs: missing entries are written, those of no intent are
 * removed, and running totals that are no sums are written again. A ledger of an earlier release gets all of its books,
 * and then the mark that they are whole. Decision 90.
 */
import { canonicalOf } from '../crypto/canonical.ts';
import { type BookEntry, bookEntriesOf } from '../ledger/book.ts';
import type { Version } from '../ledger/record.ts';
import type { BookName } from '../port/books.ts';
import type { Scope } from '../port/ports.ts';
import { blockedAmong, blocksBeside, isBlock, packBlocks, unblocked } from './blocks.ts';
import { newWalk, walkedOn, walkedOut } from './book-walk.ts';
import { closeBook, marksIn, reopenBook, reopenMarked } from './close-book.ts';
import { distinctBy } from './distinct.ts';
import { writeBooked } from './keep-books.ts';
import {
  bookKeyOf,
  bookPartitionOf,
  bookRangeOf,
  headKeyOf,
  type ItemName,
  type Key,
  type KeyRange,
  keyOfItem,
  listedBookKeysOf,
  listedBookOf,
  textOf,
  wholeBooksKeyOf,
} from './keys.ts';
import { bookListPartitionsIn, layoutOf, listPartitionsIn } from './layout.ts';
import { bookOf, packEntry, unpackEntry } from './pack-book.ts';
import { itemsAt, itemsIn, versionIn } from './read.ts';
import { type Item, query, type Table } from './request.ts';
import { deadlineIn, repeating } from './retry.ts';
import { writeAll } from './write-all.ts';

/** An intent of a ledger, as it is now. */
interface CurrentIntent {
  readonly scope: Scope;
  readonly version: Version;
}

const pageLength = 200;

/**
 * Writes the entries of intents that are missing or differ, and lists their books; returns the number of all. None lies
 * in a block in books that are made for the first time.
 */
export async function mendEntries(
  table: Table,
  intents: readonly CurrentIntent[],
  nowMs: number,
  { hasBlocks }: { readonly hasBlocks: boolean } = { hasBlocks: true },
): Promise<number> {
  const deadline = deadlineIn(table.deadlineMs);
  const booked = intents.flatMap(({ scope, version }) =>
    entriesIn(version).map((entry) => ({ name: bookOf(scope, entry), entry })),
  );
  const keys = booked.map(({ name, entry }) => keyOfItem(packEntry(name, entry)));
  const alone = await itemsAt(table, keys, deadline);
  const others = hasBlocks ? keys.filter((key) => !alone.has(textOf(key))) : [];
  const blocked = await blockedAmong(rangesIn(table), others);
  const stored = new Map([...alone, ...blocked]);
  const missing = booked.filter(({ name, entry }, index) => {
    const item = stored.get(textOf(keys[index] as Key));
    return !item || !isSameEntry(name, item, entry);
  });
  await writeBooked(table, missing, nowMs, deadline);
  // One that was another entry in a block lies alone now.
  const odd = missing.map(({ name, entry }) => keyOfItem(packEntry(name, entry)));
  await leaveOut(
    table,
    odd.filter((key) => blocked.has(textOf(key))),
  );
  await listBooks(
    table,
    booked.map(({ name }) => name),
  );
  return booked.length;
}

/** Lists those of the books that are in none of the lists of their symbol. */
async function listBooks(table: Table, names: readonly BookName[]): Promise<void> {
  const deadline = deadlineIn(table.deadlineMs);
  const places = await Promise.all(
    distinctBy(names, bookPartitionOf).map(async (name) => {
      const { count } = await layoutOf(table, name.scope, deadline);
      return listedBookKeysOf(name, count);
    }),
  );
  const listed = await itemsAt(table, places.flat(), deadline);
  const puts = places
    .filter((keys) => !keys.some((key) => listed.has(textOf(key))))
    .flatMap(([first]) => (first ? [{ ...first }] : []));
  await writeAll(table, { puts }, deadline);
}

/** Removes those of the stored entries that follow from no intent; returns their number. */
export async function removeStrayEntries(
  table: Table,
  entries: readonly {
    readonly name: Extract<ItemName, { readonly item: 'entry' }>;
    readonly item: Item;
  }[],
): Promise<number> {
  const deadline = deadlineIn(table.deadlineMs);
  const keyOf = ({ name, item }: (typeof entries)[number]): Key =>
    headKeyOf(name.scope, 'intent', String(item['handle']));
  const heads = await itemsAt(table, entries.map(keyOf), deadline);
  const known = new Set(
    [...heads].flatMap(([text, item]) => {
      const version = versionIn(item);
      const scope = text.split('#')[0] ?? '';
      const own = version ? entriesIn(version) : [];
      return own.map((entry) => textOf(keyOfItem(packEntry(bookOf(scope, entry), entry))));
    }),
  );
  const strays = entries.filter(({ item }) => !known.has(textOf(keyOfItem(item))));
  const keys = strays.map(({ item }) => keyOfItem(item));
  await writeAll(table, { deletes: keys }, deadline);
  await leaveOut(table, keys);
  return strays.length;
}

/** Writes the blocks with entries at these keys again without them. */
async function leaveOut(table: Table, keys: readonly Key[]): Promise<void> {
  const deadline = deadlineIn(table.deadlineMs);
  const texts = new Set(keys.map(textOf));
  for await (const block of blocksBeside(rangesIn(table), keys)) {
    const entries = unblocked(block);
    const kept = entries.filter((entry) => !texts.has(textOf(keyOfItem(entry))));
    if (kept.length === entries.length) continue;
    await writeAll(table, { puts: packBlocks(kept) }, deadline);
    await writeAll(table, { deletes: [keyOfItem(block)] }, deadline);
  }
}

/** Removes those of the blocks at these keys that cannot be read: their entries are written anew. */
export async function removeDamaged(table: Table, keys: readonly Key[]): Promise<void> {
  const deadline = deadlineIn(table.deadlineMs);
  const blocks = [...(await itemsAt(table, keys, deadline)).values()];
  const damaged = blocks.filter((block) => unblocked(block).some(isBlock));
  await writeAll(table, { deletes: damaged.map(keyOfItem) }, deadline);
}

/** Reads ranges, with their blocks as they are stored. */
function rangesIn(table: Table): (range: KeyRange) => AsyncIterable<readonly Item[]> {
  return (range) => pagesOf(table, range);
}

/**
 * Marks that the books of a ledger have all entries, and since when, and makes its running totals right. Monitors do not
 * tell what was before.
 */
export async function finishBooks(table: Table, scope: Scope, nowMs: number): Promise<void> {
  const deadline = deadlineIn(table.deadlineMs);
  const key = wholeBooksKeyOf(scope);
  const isMarked = (await itemsAt(table, [key], deadline)).has(textOf(key));
  if (!isMarked) await writeAll(table, { puts: [{ ...key, since: nowMs }] }, deadline);
  for await (const name of booksOf(table, scope)) await mendTotals(table, name, nowMs);
}

/** Makes all books of a ledger that nobody uses yet. */
export async function makeBooks(table: Table, scope: Scope, nowMs: number): Promise<void> {
  for await (const items of intentPagesOf(table, scope)) {
    const keys = items.map(({ handle }) => headKeyOf(scope, 'intent', String(handle)));
    const heads = await itemsAt(table, keys, deadlineIn(table.deadlineMs));
    const intents = [...heads.values()].flatMap((head) => {
      const version = versionIn(head);
      return version ? [{ scope, version }] : [];
    });
    await mendEntries(table, intents, nowMs, { hasBlocks: false });
  }
  await finishBooks(table, scope, nowMs);
}

/** The list entries of all intents of a ledger, in pages. */
async function* intentPagesOf(table: Table, scope: Scope): AsyncGenerator<readonly Item[]> {
  const deadline = deadlineIn(table.deadlineMs);
  for (const pk of await listPartitionsIn(table, { scope, kind: 'intent' }, deadline))
    for await (const items of pagesOf(table, { pk })) yield items.flatMap(unblocked);
}

/** Removes running totals that are no sums, and writes those that are missing. */
async function mendTotals(table: Table, name: BookName, nowMs: number): Promise<void> {
  const deadline = () => deadlineIn(table.deadlineMs);
  const key = bookKeyOf(name);
  const state = (await itemsAt(table, [key], deadline())).get(textOf(key));
  // Somebody who crashed while removing totals left this.
  await reopenMarked(table, name, marksIn(state), nowMs, deadline());
  const odd = await firstOddTotals(table, name);
  if (odd !== undefined) await reopenBook(table, name, odd, nowMs, deadline());
  while (await closeBook(table, name, nowMs, deadline()));
}

/** The place of the first running totals that are no sums of the entries before. */
async function firstOddTotals(table: Table, name: BookName): Promise<string | undefined> {
  let walk = newWalk();
  for await (const items of pagesOf(table, bookRangeOf(name)))
    for (const item of items.flatMap(unblocked)) walk = walkedOn(walk, name, item);
  return walkedOut(walk, name).oddAt;
}

/** All books of a ledger, symbol by symbol. */
async function* booksOf(table: Table, scope: Scope): AsyncGenerator<BookName> {
  const begun = deadlineIn(table.deadlineMs);
  const lists = (await listPartitionsIn(table, { scope, kind: 'symbol' }, begun)).map((pk) =>
    itemsIn(table, { pk }, begun, {}),
  );
  for (const { handle } of (await Promise.all(lists)).flat()) {
    const symbol = handle as string;
    const deadline = deadlineIn(table.deadlineMs);
    const pks = await bookListPartitionsIn(table, scope, symbol, deadline);
    const listed = await Promise.all(pks.map((pk) => itemsIn(table, { pk }, deadline, {})));
    const names = new Set(listed.flat().map(({ sk }) => sk as string));
    for (const sk of names) yield listedBookOf(scope, symbol, sk);
  }
}

/** The items of a partition, page by page. */
async function* pagesOf(
  table: Table,
  range: KeyRange | Pick<KeyRange, 'pk'>,
): AsyncGenerator<readonly Item[]> {
  let start: Item | undefined;
  do {
    const options = { newestFirst: false, limit: pageLength, ...(start && { start }) };
    const { items, next } = await repeating(deadlineIn(table.deadlineMs), () =>
      query(table, range, options),
    );
    yield items;
    start = next;
  } while (start);
}

/** The entries of an intent; none of one that cannot be read. */
function entriesIn({ record }: Version): BookEntry[] {
  try {
    return bookEntriesOf(record);
  } catch {
    return [];
  }
}

function isSameEntry(name: BookName, item: Item, entry: BookEntry): boolean {
  try {
    return canonicalOf(unpackEntry(name, item)) === canonicalOf(entry);
  } catch {
    return false;
  }
}
