/**
 * Rebuilding index entries from the records: missing ones are put, and those of versions that are no longer current are
 * removed. It is safe while the ledger runs: each record is read once more after its entries were put, and a superseded
 * version never becomes current again. Ruling 23, Decision 31.
 */
import type { Version } from '../ledger/record.ts';
import {
  headKeyOf,
  type ItemName,
  indexKeysOf,
  type Key,
  keyOfItem,
  nameOfItem,
  textOf,
} from './keys.ts';
import { unpack } from './pack.ts';
import { indexItemsOf } from './projection.ts';
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
  /** Records that cannot be read and get no index entries. */
  unreadable: number;
}

type Head = Extract<ItemName, { readonly item: 'head' }>;
type IndexEntryName = Extract<ItemName, { readonly item: 'mention' }>;

interface ReindexedItem<Name> {
  readonly name: Name;
  readonly item: Item;
}

/** Mends the index entries of the records in pages of items; of each item, key and handle are enough. */
export async function* reindex(
  table: Table,
  pages: AsyncIterable<readonly Item[]>,
): AsyncGenerator<Reindexed> {
  const count: Reindexed = { records: 0, indexEntries: 0, removed: 0, unreadable: 0 };
  for await (const items of pages) {
    const named = items.map((item) => ({ name: nameOfItem(item), item }));
    await indexedHeads(table, named.filter(isHead), count);
    await removeStale(table, named.filter(isIndexEntry), count);
    yield count;
  }
}

async function indexedHeads(
  table: Table,
  heads: readonly ReindexedItem<Head>[],
  count: Reindexed,
): Promise<void> {
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
    .flatMap(({ scope, version }) => indexKeysOf(scope, version));
  await writeAll(table, { deletes }, deadlineIn(table.deadlineMs));
  count.records += heads.length;
  count.indexEntries += puts.length - deletes.length;
  count.unreadable += found.size - readable.length;
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
  const isStale = (entry: ReindexedItem<IndexEntryName>): boolean => {
    const { name, item } = entry;
    const version = versionIn(heads.get(textOf(headKeyOfEntry(entry))));
    if (version?.record.luid !== name.luid || version.change > name.change) return true;
    const own = indexKeysOf(name.scope, version).map(textOf);
    return !own.includes(textOf(keyOfItem(item)));
  };
  const deletes = indexEntries.filter(isStale).map(({ item }) => keyOfItem(item));
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

function isIndexEntry(
  one: ReindexedItem<ItemName | undefined>,
): one is ReindexedItem<IndexEntryName> {
  return one.name?.item === 'mention';
}
