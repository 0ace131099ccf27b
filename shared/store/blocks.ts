/**
 * Blocks: items that hold what several intents of one batch have in a list, or in an outbox. Nothing else is in their
 * partitions of these intents, so a batch of fifty writes two items where it was a hundred. A block in a list stays; one
 * in an outbox goes once all of it is published. Its key has a hash of its content. Decision 142.
 */
import { createHash } from 'node:crypto';
import { deflated, inflated } from './deflated.ts';
import { type PlannedAction, put } from './item-action.ts';
import {
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

const hashLength = 12;
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

/** The items that store these list and outbox entries of new intents: several in a block, and one alone as it is. */
export function packBlocks(entries: readonly Item[]): Item[] {
  const groups = new Map<string, Item[]>();
  const firstOf = new Map<string, number>();
  for (const entry of [...entries].sort(byPlace)) {
    const name = groupOf(entry, firstOf);
    const group = groups.get(name);
    if (group) group.push(entry);
    else groups.set(name, [entry]);
  }
  return [...groups.values()].map(packBlock);
}

/** The name of those that may share a block with an entry. Entries come in the order of their places. */
function groupOf(entry: Item, firstOf: Map<string, number>): string {
  const key = keyOfItem(entry);
  if (!isOfOutbox(entry)) return textOf({ pk: key.pk, sk: packedSpanOf(key).from });
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
  const isOutbox = isOfOutbox(oldest);
  const rows = isOutbox ? entries.map(outboxRowOf) : entries.map(listRowOf);
  const bytes = deflated(JSON.stringify(rows));
  const { spread } = oldest;
  const key = isOutbox
    ? outboxBlockKeyOf(keyOfItem(oldest), entries.length, hashOf(bytes))
    : packedIndexKeyOf(keyOfItem(entries.at(-1) ?? {}), hashOf(bytes));
  return { ...key, block: bytes, ...(isOutbox && spread !== undefined && { spread }) };
}

/** The entries that a block holds, each as the item that it would be alone; any other item, and a damaged block, as it is. */
export function unblocked(item: Item): Item[] {
  const name = nameOfItem(item);
  if (name?.item !== 'lists' && name?.item !== 'signals') return [item];
  const { block } = item as unknown as Block;
  const key = keyOfItem(item);
  try {
    if (!key.sk.endsWith(hashOf(block))) return [item];
    const rows: unknown = JSON.parse(inflated(block));
    return name.item === 'lists'
      ? (rows as ListRow[]).map((row) => listItemOf(key, row))
      : (rows as OutboxRow[]).map((row) => outboxItemOf(item, row));
  } catch {
    return [item];
  }
}

/** True for an item that is still a block, since it is damaged. */
export function isBlock(item: Item): boolean {
  const name = nameOfItem(item);
  return name?.item === 'lists' || name?.item === 'signals';
}

/** Those of the list and outbox entries that lie in blocks, by the text of the key of each by itself. */
export async function blockedAmong(
  pagesOf: (range: KeyRange) => AsyncIterable<readonly Item[]>,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, Item>> {
  const texts = new Set(keys.map(textOf));
  const ranges = rangesOf(keys);
  const found = new Map<string, Item>();
  for (let start = 0; start < ranges.length; start += readingCountMax) {
    const some = ranges.slice(start, start + readingCountMax);
    for (const entries of await Promise.all(some.map((range) => entriesIn(pagesOf(range)))))
      for (const entry of entries) {
        const text = textOf(keyOfItem(entry));
        if (texts.has(text)) found.set(text, entry);
      }
  }
  return found;
}

/** The ranges with the blocks that may hold entries at these keys. */
function rangesOf(keys: readonly Key[]): KeyRange[] {
  const places = new Map<string, string[]>();
  const ranges = new Map<string, KeyRange>();
  for (const key of keys) {
    const name = nameOfItem({ ...key });
    if (name?.item === 'outbox') places.set(key.pk, [...(places.get(key.pk) ?? []), key.sk]);
    if (name?.item !== 'list' || name.kind !== kind) continue;
    const range = packedSpanOf(key);
    ranges.set(textOf({ pk: range.pk, sk: range.from }), range);
  }
  return [...ranges.values(), ...[...places].map(([pk, some]) => outboxBlockRangeOf(pk, some))];
}

async function entriesIn(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const entries: Item[] = [];
  for await (const items of pages)
    for (const item of items) if (isBlock(item)) entries.push(...unblocked(item));
  return entries;
}

function isOfOutbox(entry: Item): boolean {
  return entry['signals'] !== undefined;
}

function listRowOf({ sk, handle }: Item): ListRow {
  return [luidOfListSk(String(sk)).slice(prefix.length), String(handle)];
}

function listItemOf(key: Key, [luid, handle]: ListRow): Item {
  return { ...listKeyBeside(key, `${prefix}${luid}`), handle };
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

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, hashLength);
}

function byPlace(one: Item, other: Item): number {
  return String(one['sk']) < String(other['sk']) ? -1 : 1;
}
