/**
 * Importing an archive: its items are put into a table in which there is no such ledger. The ledger cannot be used
 * before all of it is there: its key comes last, followed only by the markers of workers. Equal items that are there
 * already are left alone, and different ones are refused, so an import that was broken off can go on. Decision 72.
 */
import { resettle } from '../store/append-log.ts';
import { countKinds } from '../store/count-lists.ts';
import { bytesOf } from '../store/group-commit.ts';
import { put } from '../store/item-action.ts';
import {
  deliveryKeyOf,
  headKeyOf,
  type Key,
  keyOfItem,
  nameOfItem,
  textOf,
} from '../store/keys.ts';
import { markGrown } from '../store/layout.ts';
import { makeBooks } from '../store/mend-books.ts';
import { mark } from '../store/outbox.ts';
import { unpack } from '../store/pack.ts';
import { spreadIn } from '../store/pack-delivery.ts';
import { packIndex } from '../store/pack-index.ts';
import { indexItemsOf } from '../store/projection.ts';
import { itemsAt } from '../store/read.ts';
import type { Item, ItemAction } from '../store/request.ts';
import { deadlineIn } from '../store/retry.ts';
import { writeAll } from '../store/write-all.ts';
import { type ClaimOptions, claimOf, type Position, type Stage, stageOf, stages } from './claim.ts';
import { ArchiveError } from './form.ts';
import { isSameItem } from './same.ts';

export interface LoadOptions extends ClaimOptions {
  /** Called once the handle of the ledger is taken: something is written from then on. */
  readonly onBegin?: () => void;
  readonly onProgress?: (done: number) => void;
  /** The most items that are compared and put at a time. */
  readonly chunkLengthMax?: number;
  /** Milliseconds since 1970, UTC. */
  readonly nowMs: () => number;
}

/** The result of an import. */
export interface Loaded {
  items: number;
  /** The items that were there already. */
  same: number;
}

/** A chunk ends with so many items or bytes: a database that joins writes syncs its disk a few times for each. */
const defaultLengthMax = 500;
const chunkBytesMax = 4 * 1024 * 1024;

/** Puts a ledger into a table. */
export async function load(options: LoadOptions): Promise<Loaded> {
  const { ledger, sorted, onProgress, chunkLengthMax = defaultLengthMax } = options;
  const claim = await claimOf(options);
  options.onBegin?.();
  const loaded: Loaded = { items: 0, same: 0 };
  for (const stage of stages.slice(stages.indexOf(claim.from.stage))) {
    let position: Position = stage === claim.from.stage ? claim.from : { stage };
    let chunk: Item[] = [];
    let bytes = 0;
    // All records are there, and nobody uses the ledger yet.
    if (stage === 'key') {
      await makeBooks(options.table, ledger, options.nowMs());
      await resettle(options.table, ledger);
      await markGrown(options.table, ledger);
      await countKinds(options.table, ledger, options.nowMs());
    }
    const flush = async (): Promise<void> => {
      const { items, missing, strange } = await compared(options, stage, chunk);
      // A process that slept learns here that another one has resumed the import. It could only fall asleep between
      // this and the next lines, with the items of one chunk, which it has just found missing.
      await claim.keep(position, stage === 'key' ? missing.map(puttingIn(options)) : []);
      if (strange)
        throw new ArchiveError(
          `There is something else at '${textOf(keyOfItem(strange))}' in the table than in the archive.`,
        );
      if (stage !== 'key') await putChunk(options, chunk, missing);
      loaded.items += chunk.length;
      loaded.same += items.length - missing.length;
      onProgress?.(loaded.items);
      const last = chunk.at(-1);
      if (last) position = { stage, key: keyOfItem(last) };
      chunk = [];
      bytes = 0;
    };
    for await (const item of sorted.from(position.key, (pk) => stageOf(pk, ledger) === stage)) {
      chunk.push(item);
      bytes += bytesOf(item);
      if (chunk.length >= chunkLengthMax || bytes >= chunkBytesMax) await flush();
    }
    await flush();
  }
  await claim.end();
  return loaded;
}

/** The items of a chunk that should be in the table, those that are missing, and one that differs. */
async function compared(options: LoadOptions, stage: Stage, chunk: readonly Item[]) {
  const { table } = options;
  const items =
    stage === 'work' ? await written(options, chunk) : chunk.filter((one) => !isOfServer(one));
  const found = await itemsAt(table, items.map(keyOfItem), deadlineIn(table.deadlineMs));
  const there = (item: Item): Item | undefined => found.get(textOf(keyOfItem(item)));
  const missing = items.filter((item) => !there(item));
  const strange = items.find((item) => {
    const other = there(item);
    return other && !isSameItem(item, other);
  });
  return { items, missing, strange };
}

/** Puts an item, on the condition that there is none. */
function puttingIn({ table }: LoadOptions): (item: Item) => ItemAction {
  return (item) => put(table.tableName, keyOfItem(item), item, 'attribute_not_exists(pk)');
}

async function putChunk(
  { table }: LoadOptions,
  chunk: readonly Item[],
  missing: readonly Item[],
): Promise<void> {
  const deadline = deadlineIn(table.deadlineMs);
  // A record that is there has its index entries, so they come first.
  await writeAll(table, { puts: packIndex(chunk.flatMap(indexEntriesOfItem)) }, deadline);
  await writeAll(table, { puts: missing }, deadline);
  for (const item of chunk.filter(isOfServer)) {
    const name = nameOfItem(item);
    if (name?.item === 'told')
      await mark(table, { ...name, place: String(item['place']) }, deadline);
  }
}

/** True for the last published place of the server's own signals, which may have moved on since the export. */
function isOfServer(item: Item): boolean {
  const name = nameOfItem(item);
  return name?.item === 'told' && name.scope === '';
}

/** The index entries of a head. Ruling 23. */
function indexEntriesOfItem(item: Item): Item[] {
  const name = nameOfItem(item);
  return name?.item === 'head' ? indexItemsOf(name.scope, unpack(item)) : [];
}

/**
 * Those of the markers whose records and deliveries are as in the archive: with its key the ledger is in use, and a
 * resumed import must not mark finished work again.
 */
async function written({ table, sorted }: LoadOptions, items: readonly Item[]): Promise<Item[]> {
  const owners = items.map(ownerKeyOf);
  const keys = owners.flatMap((key) => key ?? []);
  const found = await itemsAt(table, keys, deadlineIn(table.deadlineMs));
  const isWritten = async (key: Key | undefined): Promise<boolean> => {
    if (!key) return true;
    const [sent, there] = [await sorted.at(key), found.get(textOf(key))];
    return sent !== undefined && there !== undefined && isSameItem(sent, there);
  };
  const stand = await Promise.all(owners.map(isWritten));
  return items.filter((_, index) => stand[index]);
}

/** The owner of a marker. An outbox entry has none: signals are published at least once. */
function ownerKeyOf(item: Item): Key | undefined {
  const name = nameOfItem(item);
  const handle = String(item['handle']);
  if (name?.item === 'due') return deliveryKeyOf({ ...name, ...spreadIn(item) });
  if (name?.item === 'expiry') return headKeyOf(name.scope, 'intent', handle);
  return name?.item === 'work' ? headKeyOf(name.scope, 'report', handle) : undefined;
}
