/**
 * Rebuilding index entries and books from the records, counting lists again, taking records into logs that began after
 * them, and returning signals that were set aside: missing ones are put, and those of versions that are no longer current are removed. It is safe while the ledger runs: each record is read once more after its entries were put, and a
 * superseded version never becomes current again. Ruling 23, Decisions 31, 90 and 115.
 */
import type { Version } from '../ledger/record.ts';
import { countAll, countKinds } from './count-lists.ts';
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
import { finishBooks, mendEntries, removeDamaged, removeStrayEntries } from './mend-books.ts';
import { finishLog, logRecords, logsAmong } from './mend-log.ts';
import { returnAside } from './outbox.ts';
import { unpack } from './pack.ts';
import { packIndex, unpackIndex } from './pack-index.ts';
import { packedAmong } from './packed-index.ts';
import { indexItemsOf } from './projection.ts';
import { itemsAt, itemsIn } from './read.ts';
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
  /** Signals that were set aside and are in the outbox again. */
  returned: number;
}

type NameOf<Sort> = Extract<ItemName, { readonly item: Sort }>;
type Head = NameOf<'head'>;
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
    await removeStale(table, await indexEntriesAmong(table, named), count);
    count.removed += await removeStrayEntries(table, named.filter(isBookEntry));
    await removeDamaged(
      table,
      named.flatMap(({ name, item }) => (name?.item === 'entries' ? keyOfItem(item) : [])),
    );
    await addLogs(table, named, logs);
    count.leaves += await logRecords(table, logs, named);
    await countAgainAmong(table, named);
    count.returned += await returnedAmong(table, named);
    yield count;
  }
  for (const scope of scopes) {
    await countKinds(table, scope, nowMs());
    if (scope === '' || unreadable.has(scope)) continue;
    await finishBooks(table, scope, nowMs());
    // A record that cannot be read has no leaves.
    if (count.unreadable === 0) await finishLog(table, scope);
  }
}

/** Counts the lists again whose counts are on a page. */
async function countAgainAmong(
  table: Table,
  page: readonly ReindexedItem<ItemName | undefined>[],
): Promise<void> {
  for (const { name, item } of await wholesOf(table, page, 'spans'))
    await countAll(table, name, item);
}

/** Puts the signals on a page that were set aside back into the outbox; those that still cannot be published stay. */
async function returnedAmong(
  table: Table,
  page: readonly ReindexedItem<ItemName | undefined>[],
): Promise<number> {
  let count = 0;
  for (const { name, item } of await wholesOf(table, page, 'aside'))
    if (await returnAside(table, name.scope, item)) count += 1;
  return count;
}

/** The items of a sort on a page, whole, as far as they are still there. */
async function wholesOf<Sort extends ItemName['item']>(
  table: Table,
  page: readonly ReindexedItem<ItemName | undefined>[],
  sort: Sort,
): Promise<ReindexedItem<NameOf<Sort>>[]> {
  const isMeant = (name: ItemName | undefined): name is NameOf<Sort> => name?.item === sort;
  const meant = page.flatMap(({ name, item }) => (isMeant(name) ? { name, item } : []));
  const found = await read(
    table,
    meant.map(({ item }) => keyOfItem(item)),
  );
  return meant.flatMap(({ name, item }) => {
    const whole = found.get(textOf(keyOfItem(item)));
    return whole ? { name, item: whole } : [];
  });
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
  ...{ bookEntries: 0, leaves: 0, unreadable: 0, returned: 0 },
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
  const entries = readable.flatMap(({ scope, version }) => indexItemsOf(scope, version));
  const puts = packIndex(await missingAmong(table, entries));
  await writeAll(table, { puts }, deadlineIn(table.deadlineMs));
  // A version that was superseded meanwhile may have got its entries after the relay had removed them.
  const after = await read(table, keys);
  const deletes = readable.flatMap(({ scope, version, key }) =>
    endedOf(scope, version, after.get(textOf(key))),
  );
  await writeAll(table, { deletes }, deadlineIn(table.deadlineMs));
  count.records += heads.length;
  count.indexEntries += entries.length - deletes.length;
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

/** The index entries that are not in the table, alone or with others. */
async function missingAmong(table: Table, entries: readonly Item[]): Promise<Item[]> {
  const keys = entries.map(keyOfItem);
  const alone = await read(table, keys);
  const rest = keys.flatMap((key) => (alone.has(textOf(key)) ? [] : { key }));
  const packed = await packedAmong(async function* pagesOf(range) {
    yield await itemsIn(table, range, deadlineIn(table.deadlineMs), {});
  }, rest);
  return entries.filter((entry) => {
    const text = textOf(keyOfItem(entry));
    return (alone.get(text) ?? packed.get(text))?.['handle'] !== entry['handle'];
  });
}

/** The entries of a version that the record, as it is now, does not have any more. */
function endedOf(scope: string, version: Version, head: Item | undefined): Key[] {
  if (isCurrent(version, head)) return [];
  const current = versionIn(head);
  const isSame = current?.record.luid === version.record.luid;
  const own = new Set(isSame ? passingIndexKeysOf(scope, current).map(textOf) : []);
  return passingIndexKeysOf(scope, version).filter((key) => !own.has(textOf(key)));
}

/** The index entries of a page, one by one, with the items that store them. */
async function indexEntriesAmong(
  table: Table,
  page: readonly ReindexedItem<ItemName | undefined>[],
): Promise<StoredEntry[]> {
  const keys = page.flatMap(({ name, item }) => (name?.item === 'mentions' ? keyOfItem(item) : []));
  const packs = [...(await read(table, keys)).values()];
  const alone = page.filter(isIndexEntry).map(({ item }) => item);
  return [...alone, ...packs].flatMap((stored) =>
    unpackIndex(stored).flatMap((item) => {
      const one = { name: nameOfItem(item), item, stored };
      return isIndexEntry(one) ? one : [];
    }),
  );
}

interface StoredEntry extends ReindexedItem<IndexEntryName> {
  /** The item that stores the entry, alone or with others. */
  readonly stored: Item;
}

async function removeStale(
  table: Table,
  entries: readonly StoredEntry[],
  count: Reindexed,
): Promise<void> {
  const heads = await read(
    table,
    entries.map((entry) => headKeyOfEntry(entry)),
  );
  const currentOf = (entry: StoredEntry): Version | undefined => {
    const version = versionIn(heads.get(textOf(headKeyOfEntry(entry))));
    return version?.record.luid === entry.name.luid ? version : undefined;
  };
  const stale = entries.filter((entry) => isStale(entry, currentOf(entry)));
  const broken = new Set(stale.map(({ stored }) => stored));
  // The release before wrote entries under other numbers; the page with the head may come later.
  const own = stale.flatMap((entry) => {
    const version = currentOf(entry);
    const all = version ? indexItemsOf(entry.name.scope, version) : [];
    return all.filter(({ pk }) => pk === entry.item['pk']);
  });
  const kept = entries.filter((entry) => broken.has(entry.stored) && !stale.includes(entry));
  const puts = packIndex([...own, ...kept.map(({ item }) => item)]);
  const deletes = [...broken].map(keyOfItem);
  await writeAll(table, { puts }, deadlineIn(table.deadlineMs));
  await writeAll(table, { deletes }, deadlineIn(table.deadlineMs));
  count.removed += stale.length;
}

/** True for an entry that its record, as it is now, does not have. */
function isStale({ name, item }: StoredEntry, version: Version | undefined): boolean {
  if (!version) return true;
  // Numbers of intents count proofs, of which each change adds one at least.
  const { change, record } = version;
  if (Math.max(change, record.meta.proofs.length) < name.change) return false;
  const own = indexKeysOf(name.scope, version).map(textOf);
  return !own.includes(textOf(keyOfItem(item)));
}

function read(table: Table, keys: readonly Key[]): Promise<ReadonlyMap<string, Item>> {
  return itemsAt(table, keys, deadlineIn(table.deadlineMs));
}

function headKeyOfEntry({ name, item }: StoredEntry): Key {
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

function isIndexEntry<One extends ReindexedItem<ItemName | undefined>>(
  one: One,
): one is One & ReindexedItem<IndexEntryName> {
  return one.name?.item === 'mention';
}
