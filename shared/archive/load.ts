/**
 * Importing an archive: what it stands for is put into a table in which there is no such ledger. Nobody can use the
 * ledger before all of it is there: its key comes last, and behind that only what workers look for. What is there
 * already and is the same is left alone, and what is another thing is refused, so that an import that was broken off
 * goes on. Decision 72.
 */
import { put } from '../store/item-action.ts';
import {
  deliveryKeyOf,
  headKeyOf,
  type Key,
  keyOfItem,
  nameOfItem,
  textOf,
} from '../store/keys.ts';
import { mark } from '../store/outbox.ts';
import { unpack } from '../store/pack.ts';
import { mentionItemsOf } from '../store/projection.ts';
import { itemsAt } from '../store/read.ts';
import type { Item, ItemAction } from '../store/request.ts';
import { deadlineIn } from '../store/retry.ts';
import { writeAll } from '../store/write-all.ts';
import { type ClaimOptions, claimOf, type Position, type Stage, stageOf, stages } from './claim.ts';
import { ArchiveFault } from './form.ts';
import { isSameItem } from './same.ts';

export interface LoadOptions extends ClaimOptions {
  readonly onProgress?: (done: number) => void;
}

/** What an import did. */
export interface Loaded {
  items: number;
  /** How many of them were there already. */
  same: number;
}

const chunkLength = 100;

/** Puts a ledger into a table. */
export async function load(options: LoadOptions): Promise<Loaded> {
  const { ledger, shelf, onProgress } = options;
  const claim = await claimOf(options);
  const loaded: Loaded = { items: 0, same: 0 };
  for (const stage of stages.slice(stages.indexOf(claim.from.stage))) {
    let position: Position = stage === claim.from.stage ? claim.from : { stage };
    let chunk: Item[] = [];
    const flush = async (): Promise<void> => {
      const { items, missing, strange } = await compared(options, stage, chunk);
      // An import that slept learns here that another one went on. What is left is a process that falls asleep
      // between this and the next lines: the items of one chunk, which it has just found missing.
      await claim.keep(position, stage === 'key' ? missing.map(puttingIn(options)) : []);
      if (strange)
        throw new ArchiveFault(
          `There is something else at '${textOf(keyOfItem(strange))}' in the table than in the archive.`,
        );
      if (stage !== 'key') await putChunk(options, chunk, missing);
      loaded.items += chunk.length;
      loaded.same += items.length - missing.length;
      onProgress?.(loaded.items);
      const last = chunk.at(-1);
      if (last) position = { stage, key: keyOfItem(last) };
      chunk = [];
    };
    for await (const item of shelf.from(position.key, (pk) => stageOf(pk, ledger) === stage)) {
      chunk.push(item);
      if (chunk.length === chunkLength) await flush();
    }
    await flush();
  }
  await claim.end();
  return loaded;
}

/** Of a chunk the items that there should be in the table, those that are not, and one that is another thing. */
async function compared(options: LoadOptions, stage: Stage, chunk: readonly Item[]) {
  const { table } = options;
  const items =
    stage === 'work' ? await standing(options, chunk) : chunk.filter((one) => !isOfServer(one));
  const found = await itemsAt(table, items.map(keyOfItem), deadlineIn(table.deadlineMs));
  const there = (item: Item): Item | undefined => found.get(textOf(keyOfItem(item)));
  const missing = items.filter((item) => !there(item));
  const strange = items.find((item) => {
    const other = there(item);
    return other && !isSameItem(item, other);
  });
  return { items, missing, strange };
}

/** Puts an item where there is none. */
function puttingIn({ table }: LoadOptions): (item: Item) => ItemAction {
  return (item) => put(table.tableName, keyOfItem(item), item, 'attribute_not_exists(pk)');
}

async function putChunk(
  { table }: LoadOptions,
  chunk: readonly Item[],
  missing: readonly Item[],
): Promise<void> {
  const deadline = deadlineIn(table.deadlineMs);
  // A record that is there is mentioned: so its mentions come first.
  await writeAll(table, { puts: chunk.flatMap(mentionsOfItem) }, deadline);
  await writeAll(table, { puts: missing }, deadline);
  for (const item of chunk.filter(isOfServer)) {
    const name = nameOfItem(item);
    if (name?.item === 'told')
      await mark(table, { ...name, place: String(item['place']) }, deadline);
  }
}

/** Whether it is how far the server has told its own signals: it may have told more than it had then. */
function isOfServer(item: Item): boolean {
  const name = nameOfItem(item);
  return name?.item === 'told' && name.scope === '';
}

/** What a record is found by. Ruling 23. */
function mentionsOfItem(item: Item): Item[] {
  const name = nameOfItem(item);
  return name?.item === 'head' ? mentionItemsOf(name.scope, unpack(item)) : [];
}

/** Those of the items whose records and deliveries stand as they do in the archive. */
async function standing({ table, shelf }: LoadOptions, items: readonly Item[]): Promise<Item[]> {
  const owners = items.map(ownerKeyOf);
  const keys = owners.flatMap((key) => key ?? []);
  const found = await itemsAt(table, keys, deadlineIn(table.deadlineMs));
  const isStanding = async (key: Key | undefined): Promise<boolean> => {
    if (!key) return true;
    const [told, there] = [await shelf.at(key), found.get(textOf(key))];
    return told !== undefined && there !== undefined && isSameItem(told, there);
  };
  const stand = await Promise.all(owners.map(isStanding));
  return items.filter((_, index) => stand[index]);
}

/** Where that is which a marker is of; signals are told at least once, however their record went on. */
function ownerKeyOf(item: Item): Key | undefined {
  const name = nameOfItem(item);
  const handle = String(item['handle']);
  if (name?.item === 'due') return deliveryKeyOf(name);
  if (name?.item === 'expiry') return headKeyOf(name.scope, 'intent', handle);
  return name?.item === 'work' ? headKeyOf(name.scope, 'report', handle) : undefined;
}
