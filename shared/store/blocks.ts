/**
 * Blocks: items that hold what several intents have in a list, in an outbox or in a book. Nothing else is in their
 * partitions of these intents, so a batch of fifty writes two items where it was a hundred. A block in a list or a book
 * stays; one in an outbox goes once all of it is published. Its key has a hash of its content. Decisions 142 and 145.
 */
import { hash as nativeHash } from 'node:crypto';
import { deflated, inflated } from './deflated.ts';
import { distinctBy } from './distinct.ts';
import { type PlannedAction, put } from './item-action.ts';
import {
  bookBlockKeyOf,
  bookBlockRangeOf,
  type Key,
  type KeyRange,
  keyOfItem,
  listKeyBeside,
  luidOfListSk,
  nameOfItem,
  outboxBlockKeyOf,
  outboxBlockMs,
  outboxBlockRangeOf,
  outboxPlaceOf,
  packedIndexKeyOf,
  packedSpanOf,
  textOf,
} from './keys.ts';
import type { Item } from './request.ts';

/** The bytes of a block, deflated. */
interface Block {
  readonly block: Uint8Array;
}

/** A list entry in a block: a luid without what all have, and the handle. */
type ListRow = readonly [luid: string, handle: string];

/** An outbox entry in a block: its place, the handle, and JSON of its signals. */
type OutboxRow = readonly [place: string, handle: string, signals: string];

/** An entry of a book in a block: its place, and what it has beside; the amount as a text. */
type EntryRow = readonly [
  place: string,
  handle: string,
  schema: string,
  amount: string,
  rest: object,
];

const hashLength = 12;
/** The entries of a book in one block: a reader of one of them reads all. */
const bookRowsMax = 64;
const kind = 'intent';
const prefix = '$int.';
/** The partitions that are read at a time. */
const readingCountMax = 16;

/** The actions that put these entries of a batch, many in an item. */
export function blockPuts(tableName: string, shared: readonly PlannedAction[]): PlannedAction[] {
  const entries = shared.flatMap(({ action }): Item[] =>
    action.Put?.Item ? [action.Put.Item] : [],
  );
  return packBlocks(entries).map((item) => ({ action: put(tableName, keyOfItem(item), item) }));
}

/** The items that store these entries of lists, outboxes and books: several in a block, and one alone as it is. */
export function packBlocks(entries: readonly Item[]): Item[] {
  const groups = new Map<string, Item[]>();
  const firstOf = new Map<string, number>();
  for (const entry of [...entries].sort(byPlace)) {
    const name = groupOf(entry, firstOf);
    const group = groups.get(name);
    if (group) group.push(entry);
    else groups.set(name, [entry]);
  }
  return [...groups.values()].flatMap(dividedOf).map(packBlock);
}

/** Entries that may share a block, as those of the blocks that they get. */
function dividedOf(group: readonly Item[]): (readonly Item[])[] {
  if (familyOf(group[0]) !== 'entry') return [group];
  const distinct = distinctBy(group, ({ sk }) => sk as string);
  const count = Math.ceil(distinct.length / bookRowsMax);
  return Array.from({ length: count }, (_, index) =>
    distinct.slice(index * bookRowsMax, (index + 1) * bookRowsMax),
  );
}

/** The name of those that may share a block with an entry. Entries come in the order of their places. */
function groupOf(entry: Item, firstOf: Map<string, number>): string {
  const key = keyOfItem(entry);
  if (familyOf(entry) !== 'outbox') return textOf({ pk: key.pk, sk: packedSpanOf(key).from });
  const { momentMs } = outboxPlaceOf(key.sk);
  const partition = `${key.pk} ${String(entry['spread'])}`;
  const first = firstOf.get(partition);
  const isNear = first !== undefined && momentMs - first <= outboxBlockMs;
  if (!isNear) firstOf.set(partition, momentMs);
  return `${partition} ${isNear ? first : momentMs}`;
}

function packBlock(entries: readonly Item[]): Item {
  const [oldest = {}] = entries;
  if (entries.length === 1) return oldest;
  const family = familyOf(oldest);
  const bytes = deflated(JSON.stringify(entries.map((entry) => rowIn[family](entry))));
  const { spread } = oldest;
  const key = keyIn[family](entries.map(keyOfItem), hashOf(bytes));
  return { ...key, block: bytes, ...(family === 'outbox' && spread !== undefined && { spread }) };
}

/** The entries that a block holds, each as the item that it would be alone; any other item, and a damaged block, as it is. */
export function unblocked(item: Item): Item[] {
  const entryOf = entryOfBlock(item);
  if (!entryOf) return [item];
  const { block } = item as unknown as Block;
  try {
    if (!keyOfItem(item).sk.endsWith(hashOf(block))) return [item];
    const rows = JSON.parse(inflated(block)) as readonly never[];
    return rows.map((row) => entryOf(item, row));
  } catch {
    return [item];
  }
}

/** True for an item that is a block; of those that were taken apart, the damaged ones still are. */
export function isBlock(item: Item): boolean {
  return entryOfBlock(item) !== undefined;
}

/** Those of the entries of lists, outboxes and books that lie in blocks, by the text of the key of each by itself. */
export async function blockedAmong(
  pagesOf: PagesOf,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, Item>> {
  const texts = new Set(keys.map(textOf));
  const found = new Map<string, Item>();
  for await (const block of blocksBeside(pagesOf, keys))
    for (const entry of unblocked(block)) {
      const text = textOf(keyOfItem(entry));
      if (texts.has(text)) found.set(text, entry);
    }
  return found;
}

type PagesOf = (range: KeyRange) => AsyncIterable<readonly Item[]>;

/** The blocks that may hold entries at these keys, as they are stored. */
export async function* blocksBeside(
  pagesOf: PagesOf,
  keys: readonly Key[],
): AsyncGenerator<Item, void, undefined> {
  const ranges = rangesOf(keys);
  for (let start = 0; start < ranges.length; start += readingCountMax) {
    const some = ranges.slice(start, start + readingCountMax);
    for (const blocks of await Promise.all(some.map((range) => blocksOn(pagesOf(range)))))
      yield* blocks;
  }
}

/** The ranges with the blocks that may hold entries at these keys. */
function rangesOf(keys: readonly Key[]): KeyRange[] {
  const places = new Map<string, string[]>();
  const ranges = new Map<string, KeyRange>();
  for (const key of keys) {
    const name = nameOfItem({ ...key });
    if (name?.item === 'outbox') places.set(key.pk, [...(places.get(key.pk) ?? []), key.sk]);
    if (name?.item !== 'entry' && (name?.item !== 'list' || name.kind !== kind)) continue;
    const range = name.item === 'entry' ? bookBlockRangeOf(key.pk, key.sk) : packedSpanOf(key);
    ranges.set(textOf({ pk: range.pk, sk: range.from }), range);
  }
  return [...ranges.values(), ...[...places].map(([pk, some]) => outboxBlockRangeOf(pk, some))];
}

async function blocksOn(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const blocks: Item[] = [];
  for await (const items of pages) blocks.push(...items.filter(isBlock));
  return blocks;
}

/** The way to read the entries of a block; undefined for any other item. */
function entryOfBlock(item: Item) {
  const name = nameOfItem(item);
  return name && entryIn[name.item];
}

/** The kind of an entry by its attributes. */
function familyOf(entry: Item = {}): 'list' | 'outbox' | 'entry' {
  if (entry['signals'] !== undefined) return 'outbox';
  return entry['schema'] === undefined ? 'list' : 'entry';
}

function listRowOf({ sk, handle }: Item): ListRow {
  return [luidOfListSk(String(sk)).slice(prefix.length), String(handle)];
}

function listItemOf(block: Item, [luid, handle]: ListRow): Item {
  return { ...listKeyBeside(keyOfItem(block), `${prefix}${luid}`), handle };
}

function outboxRowOf({ sk, handle, signals }: Item): OutboxRow {
  return [String(sk), String(handle), String(signals)];
}

function outboxItemOf({ pk, spread }: Item, [place, handle, signals]: OutboxRow): Item {
  const { luid } = outboxPlaceOf(place);
  return {
    ...{ pk, sk: place, kind, luid, handle, signals },
    ...(spread !== undefined && { spread }),
  };
}

function bookRowOf({ pk: _, sk, handle, schema, amount, inputs, ...others }: Item): EntryRow {
  const numbers = (inputs as readonly unknown[] | undefined)?.map(Number);
  const rest = { ...others, ...(numbers && { inputs: numbers }) };
  return [String(sk), String(handle), String(schema), String(amount), rest];
}

function bookItemOf({ pk }: Item, [sk, handle, schema, amount, rest]: EntryRow): Item {
  return { pk, sk, handle, schema, amount: BigInt(amount), ...rest };
}

const rowIn: Readonly<Record<ReturnType<typeof familyOf>, (entry: Item) => readonly unknown[]>> = {
  list: listRowOf,
  outbox: outboxRowOf,
  entry: bookRowOf,
};

/** The key of each kind of block, from those of its entries and its hash. */
const keyIn: Readonly<
  Record<ReturnType<typeof familyOf>, (keys: readonly Key[], hash: string) => Key>
> = {
  list: (keys, hash) => packedIndexKeyOf(keys.at(-1) as Key, hash),
  outbox: (keys, hash) => outboxBlockKeyOf(keys[0] as Key, keys.length, hash),
  entry: (keys, hash) => bookBlockKeyOf(keys[0] as Key, hash),
};

/** The item of an entry from the row of each kind of block. */
const entryIn: Readonly<Record<string, ((block: Item, row: never) => Item) | undefined>> = {
  lists: listItemOf,
  signals: outboxItemOf,
  entries: bookItemOf,
};

function hashOf(bytes: Uint8Array): string {
  return nativeHash('sha256', bytes, 'base64url').slice(0, hashLength);
}

function byPlace(one: Item, other: Item): number {
  return String(one['sk']) < String(other['sk']) ? -1 : 1;
}
