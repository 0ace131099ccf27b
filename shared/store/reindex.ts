/**
 * Rebuilding index entries and books from the records, and taking records into logs that began after them: missing ones are put, and those of versions that are no longer
 * current are removed. It is safe while the ledger runs: each record is read once more after its entries were put, and a
 * superseded version never becomes current again. Ruling 23, Decisions 31, 90 and 115.
 */
import type { Version } from '../ledger/record.ts';
import {
  headKeyOf,
  type ItemName,
  indexKeysOf,
  type Key,
  keyOfItem,
  nameOfItem,
  passingIndexKeysOf,
  textOf,
} from './keys.ts';
import { finishBooks, mendEntries, removeStrayEntries } from './mend-books.ts';
import { finishLog, logRecords, logsAmong } from './mend-log.ts';
import { unpack } from './pack.ts';
import { indexItemsOf, lastingIndexItemsOf } from './projection.ts';
import { itemsAt } from './read.ts';
import type { Item, Table } from './request.ts';
import { deadlineIn } from './retry.ts';
import { writeAll } from './write-all.ts';

/** The progress of a reindexing. */
export interface Reindexed {
  records: number;
  /** Index entries of all records, there before or put. */
  indexEntries: number;
  /** Index entries of no record, or of a superseded version. */
  removed: number;
  /** Entries of books of all intents, there before or written. */
  bookEntries: number;
  /** Leaves of all changes in logs, there before or appended. */
  leaves: number;
  /** Records that cannot be read and get no index entries. */
  unreadable: number;
}

type Head = Extract<ItemName, { readonly item: 'head' }>;
type IndexEntryName = Extract<ItemName, { readonly item: 'mention' }>;

interface ReindexedItem<Name> {
  readonly name: Name;
  readonly item: Item;
}

/**
 * Mends the index entries and books of the records in pages of items; of each item, key and handle are enough. When all
 * pages are done, the books of the ledgers among them are whole, but for a ledger with intents that cannot be read.
 * `nowMs` is the time in milliseconds.
 */
export async function* reindex(
  table: Table,
  pages: AsyncIterable<readonly Item[]>,
  nowMs: () => number,
): AsyncGenerator<Reindexed> {
  const count: Reindexed = { ...nothing };
  const scopes = new Set<string>();
  const unreadable = new Set<string>();
  const logs = new Set<string>();
  for await (const items of pages) {
    const named = items.map((item) => ({ name: nameOfItem(item), item }));
    for (const { name } of named) scopes.add(name?.scope ?? '');
    const { intents, unread } = await indexedHeads(table, named.filter(isHead), count);
    for (const { scope } of unread) unreadable.add(scope);
    count.bookEntries += await mendEntries(table, intents, nowMs());
    await removeStale(table, named.filter(isIndexEntry), count);
    count.removed += await removeStrayEntries(table, named.filter(isBookEntry));
    await addLogs(table, named, logs);
    count.leaves += await logRecords(table, logs, named);
    yield count;
  }
  for (const scope of scopes) {
    if (scope === '' || unreadable.has(scope)) continue;
    await finishBooks(table, scope, nowMs());
    // A record that cannot be read has no leaves.
    if (count.unreadable === 0) await finishLog(table, scope);
  }
}

/** Adds the ledgers on a page that have a log. */
async function addLogs(
  table: Table,
  page: readonly ReindexedItem<ItemName | undefined>[],
  logs: Set<string>,
): Promise<void> {
  const ledgers = page.flatMap(({ name }) => ledgerIn(name) ?? []);
  const fresh = new Set(ledgers.filter((ledger) => !logs.has(ledger)));
  for (const log of await logsAmong(table, fresh)) logs.add(log);
}

/** The ledger in whose log a record is. */
function ledgerIn(name: ItemName | undefined): string | undefined {
  if (name?.item === 'head' && name.kind === 'ledger') return name.handle;
  return name?.scope === '' ? undefined : name?.scope;
}

const nothing = {
  ...{ records: 0, indexEntries: 0, removed: 0 },
  ...{ bookEntries: 0, leaves: 0, unreadable: 0 },
};

interface ScopedVersion {
  readonly scope: string;
  readonly version: Version;
}

async function indexedHeads(
  table: Table,
  heads: readonly ReindexedItem<Head>[],
  count: Reindexed,
): Promise<{ readonly intents: readonly ScopedVersion[]; readonly unread: readonly Head[] }> {
  const keys = heads.map(({ item }) => keyOfItem(item));
  const found = await read(table, keys);
  const readable = heads.flatMap(({ name: { scope }, item }) => {
    const version = versionIn(found.get(textOf(keyOfItem(item))));
    return version ? [{ scope, version, key: keyOfItem(item) }] : [];
  });
  const puts = readable.flatMap(({ scope, version }) => indexItemsOf(scope, version));
  await writeAll(table, { puts }, deadlineIn(table.deadlineMs));
  // A version that was superseded meanwhile may have got its entries after the relay had removed them.
  const after = await read(table, keys);
  const deletes = readable
    .filter(({ key, version }) => !isCurrent(version, after.get(textOf(key))))
    .flatMap(({ scope, version }) => passingIndexKeysOf(scope, version));
  await writeAll(table, { deletes }, deadlineIn(table.deadlineMs));
  count.records += heads.length;
  count.indexEntries += puts.length - deletes.length;
  count.unreadable += found.size - readable.length;
  const isRead = new Set(readable.map(({ key }) => textOf(key)));
  return {
    intents: readable.filter(({ version }) => version.kind === 'intent'),
    unread: heads.flatMap(({ name, item }) => {
      const text = textOf(keyOfItem(item));
      return name.kind === 'intent' && found.has(text) && !isRead.has(text) ? name : [];
    }),
  };
}

async function removeStale(
  table: Table,
  indexEntries: readonly ReindexedItem<IndexEntryName>[],
  count: Reindexed,
): Promise<void> {
  const heads = await read(
    table,
    indexEntries.map((entry) => headKeyOfEntry(entry)),
  );
  const currentOf = (entry: ReindexedItem<IndexEntryName>): Version | undefined => {
    const version = versionIn(heads.get(textOf(headKeyOfEntry(entry))));
    return version?.record.luid === entry.name.luid ? version : undefined;
  };
  const isStale = (entry: ReindexedItem<IndexEntryName>): boolean => {
    const { name, item } = entry;
    const version = currentOf(entry);
    if (!version) return true;
    if (version.change < name.change) return false;
    const own = indexKeysOf(name.scope, version).map(textOf);
    return !own.includes(textOf(keyOfItem(item)));
  };
  const stale = indexEntries.filter(isStale);
  // The release before wrote what lasts with each version; the page with the head may come later.
  const puts = stale.flatMap((entry) => {
    const version = currentOf(entry);
    const lasting = version ? lastingIndexItemsOf(entry.name.scope, version) : [];
    return lasting.filter(({ pk }) => pk === entry.item['pk']);
  });
  const deletes = stale.map(({ item }) => keyOfItem(item));
  await writeAll(table, { puts }, deadlineIn(table.deadlineMs));
  await writeAll(table, { deletes }, deadlineIn(table.deadlineMs));
  count.removed += deletes.length;
}

function read(table: Table, keys: readonly Key[]): Promise<ReadonlyMap<string, Item>> {
  return itemsAt(table, keys, deadlineIn(table.deadlineMs));
}

function headKeyOfEntry({ name, item }: ReindexedItem<IndexEntryName>): Key {
  return headKeyOf(name.scope, name.kind, String(item['handle']));
}

function isCurrent({ record, change }: Version, head: Item | undefined): boolean {
  return head?.['luid'] === record.luid && Number(head['change']) === change;
}

function versionIn(item: Item | undefined): Version | undefined {
  try {
    return item && unpack(item);
  } catch {
    return undefined;
  }
}

function isHead(one: ReindexedItem<ItemName | undefined>): one is ReindexedItem<Head> {
  return one.name?.item === 'head';
}

function isBookEntry(
  one: ReindexedItem<ItemName | undefined>,
): one is ReindexedItem<Extract<ItemName, { readonly item: 'entry' }>> {
  return one.name?.item === 'entry';
}

function isIndexEntry(
  one: ReindexedItem<ItemName | undefined>,
): one is ReindexedItem<IndexEntryName> {
  return one.name?.item === 'mention';
}
