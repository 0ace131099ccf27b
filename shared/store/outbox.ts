/**
 * The outbox: signals between their commit and the bus. An entry names its version by handle and by
 * number, so the version is found without its pointer: at its head, or where it was superseded.
 * Ruling 58, Decision 14.
 */
import type { Kind } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { LedgerPlace, OutboxEntry } from '../port/outbox.ts';
import type { Scope, Signal } from '../port/ports.ts';
import { unblocked } from './blocks.ts';
import { distinctBy } from './distinct.ts';
import { put, remove as removeItem } from './item-action.ts';
import {
  asideKeyOf,
  changeKeyOf,
  headKeyOf,
  type Key,
  keyOfItem,
  listPartitionOf,
  outboxPartitionOf,
  outboxPlaceOf,
  publishedKeyOf,
  shardOf,
  textOf,
} from './keys.ts';
import { isDense, layoutOf } from './layout.ts';
import { itemsAt, itemsIn, versionIn } from './read.ts';
import type { Item, ItemAction, Table } from './request.ts';
import { type Deadline, deadlineIn } from './retry.ts';
import type { FollowStep } from './step.ts';
import { tryTo, updateOne } from './try-to.ts';
import { remove } from './write-all.ts';

const isThere = 'attribute_exists(pk)';

/**
 * Stands for signals that cannot be read: no version holds such a change, so the relay sets the entry aside.
 */
const unreadable: readonly Signal[] = [{ signal: 'unreadable', change: 0 }];
/** The most marks and deletions of one transaction, so that it leaves room for others in its group. */
const togetherMax = 60;

/** The oldest entries of a shard, after the place given. */
export async function oldest(
  table: Table,
  scope: Scope,
  shard: number,
  limit: number,
  after?: string,
): Promise<OutboxEntry[]> {
  const pk = outboxPartitionOf(scope, shard);
  const options = { countMax: limit, ...(after !== undefined && { after }) };
  const items = await itemsIn(table, { pk }, deadlineIn(table.deadlineMs), options);
  const entries: OutboxEntry[] = [];
  // The items behind so many entries are read again.
  for (const item of items)
    if (entries.length < limit) entries.push(...entriesOf(scope, shard, item));
  return entries;
}

/** A page of the ledgers of this server, in the order of their last change; after the place given. */
export async function ledgers(table: Table, limit: number, after?: string): Promise<LedgerPlace[]> {
  const pk = listPartitionOf('', 'ledger');
  const options = { countMax: limit, ...(after !== undefined && { after }) };
  const items = await itemsIn(table, { pk }, deadlineIn(table.deadlineMs), options);
  return items.map(({ handle, sk }) => ({ handle: handle as string, place: sk as string }));
}

/** The versions of the entries, in their order; undefined where there is none. */
export async function versions(
  table: Table,
  entries: readonly OutboxEntry[],
): Promise<(Version | undefined)[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const heads = await itemsAt(table, entries.map(headKeyOfEntry), deadline);
  const current = entries.map((entry) => {
    const head = heads.get(textOf(headKeyOfEntry(entry)));
    return head && isVersionOf(entry, head) ? head : undefined;
  });
  // The rest was superseded or dropped, in one transaction with the version that took its place.
  const rest = entries.filter((_, index) => !current[index]);
  const past = await itemsAt(table, rest.map(changeKeyOfEntry), deadline);
  return entries.map((entry, index) =>
    versionIn(current[index] ?? past.get(textOf(changeKeyOfEntry(entry)))),
  );
}

/**
 * Removes entries that are on the bus. The last published place of each shard is stored before, or in one transaction
 * where transactions share a sync, so that an audit can distinguish a published entry from a lost one; a place in the log
 * says the same of a version. Decision 141.
 */
export async function markPublished(table: Table, entries: readonly OutboxEntry[]): Promise<void> {
  const deadline = deadlineIn(table.deadlineMs);
  const distinct = distinctBy(entries, (entry) => textOf(keyOfEntry(entry)));
  const blocks = blocksAmong(distinct);
  const whole = blocks.filter((some) => some.length === some[0].block?.count);
  const parts = blocks.filter((some) => !whole.includes(some));
  const marks = await marksOf(table, distinct, deadline);
  const alone = distinct.filter(({ block }) => !block).map(keyOfEntry);
  const keys = [...alone, ...whole.map(([first]) => keyOfBlock(first))];
  if (keys.length === 0 && parts.length === 0) return;
  const actions = endActions(table, marks, keys);
  const isOne = table.groupCommit && parts.length === 0 && actions.length <= togetherMax;
  // A later mark that is stored refuses this one.
  if (isOne && (await tryTo(table, actions, deadline))) return;
  await Promise.all(marks.map((entry) => mark(table, entry, deadline)));
  for (const some of parts) {
    const isLeft = await leave(table, some, [], deadline);
    // Those of a block that was divided meanwhile lie alone.
    if (!isLeft) keys.push(...some.map(keyOfEntry));
  }
  await remove(table, keys, deadline);
}

/** The same as a step among others, for entries of which none shares an item, which may have to be divided. */
export async function endStep(
  table: Table,
  entries: readonly OutboxEntry[],
  deadline: Deadline,
): Promise<FollowStep> {
  const marks = await marksOf(table, entries, deadline);
  const keys = distinctBy(entries.map(keyOfEntry), textOf);
  return { actions: endActions(table, marks, keys) };
}

function endActions(
  table: Table,
  marks: readonly OutboxEntry[],
  keys: readonly Key[],
): ItemAction[] {
  return [
    ...marks.map((entry) => ({ Update: markAction(table, entry) })),
    ...keys.map((key) => removeItem(table.tableName, key)),
  ];
}

/** The last published entry of each shard, of those that no place in the log says this of. */
async function marksOf(
  table: Table,
  entries: readonly OutboxEntry[],
  deadline: Deadline,
): Promise<OutboxEntry[]> {
  const latest = new Map<string, OutboxEntry>();
  for (const entry of entries) {
    const isSaid = entry.isLogged && isDense(await layoutOf(table, entry.scope, deadline));
    if (isSaid) continue;
    const name = textOf(publishedKeyOf(entry.scope, entry.shard));
    if ((latest.get(name)?.place ?? '') < entry.place) latest.set(name, entry);
  }
  return [...latest.values()];
}

/** The entries that lie in blocks, those of each block together. */
function blocksAmong(entries: readonly OutboxEntry[]): [OutboxEntry, ...OutboxEntry[]][] {
  const blocks = new Map<string, [OutboxEntry, ...OutboxEntry[]]>();
  for (const entry of entries) {
    if (!entry.block) continue;
    const text = textOf(keyOfBlock(entry));
    const some = blocks.get(text);
    if (some) some.push(entry);
    else blocks.set(text, [entry]);
  }
  return [...blocks.values()];
}

/**
 * Takes some entries out of a block: those that stay lie alone from then on. False, and nothing is done, when the block was
 * published or divided since it was read.
 */
async function leave(
  table: Table,
  some: readonly [OutboxEntry, ...OutboxEntry[]],
  actions: readonly ItemAction[],
  deadline: Deadline,
): Promise<boolean> {
  const key = keyOfBlock(some[0]);
  const block = (await itemsAt(table, [key], deadline)).get(textOf(key));
  if (!block) return false;
  const gone = new Set(some.map(({ place }) => place));
  const rest = unblocked(block).filter(({ sk }) => !gone.has(sk as string));
  const { tableName } = table;
  return tryTo(
    table,
    [
      removeItem(tableName, key, isThere),
      ...rest.map((item) => put(tableName, keyOfItem(item), item)),
      ...actions,
    ],
    deadline,
  );
}

/** Stores this entry as the last published one of its shard, unless a later one is stored. */
export async function mark(table: Table, entry: PublishedPlace, deadline: Deadline): Promise<void> {
  await updateOne(table, markAction(table, entry), deadline);
}

type PublishedPlace = Pick<OutboxEntry, 'scope' | 'shard' | 'place'>;

function markAction({ tableName }: Table, { scope, shard, place }: PublishedPlace) {
  return {
    TableName: tableName,
    Key: publishedKeyOf(scope, shard),
    UpdateExpression: 'SET place = :place',
    ConditionExpression: 'attribute_not_exists(pk) OR place < :place',
    ExpressionAttributeValues: { ':place': place },
  };
}

/** Moves an entry, as it is stored, out of the shard. */
export async function setAside(table: Table, entry: OutboxEntry, why: string): Promise<void> {
  const deadline = deadlineIn(table.deadlineMs);
  const { block, ...alone } = entry;
  const key = block ? keyOfBlock(entry) : keyOfEntry(entry);
  const found = (await itemsAt(table, [key], deadline)).get(textOf(key));
  const item = found && unblocked(found).find(({ sk }) => sk === entry.place);
  const { tableName } = table;
  const aside = item && [
    put(tableName, asideKeyOf(entry.scope, entry.place), { ...attributesOf(item), why }),
  ];
  if (block) {
    const isLeft = aside && (await leave(table, [entry], aside, deadline));
    // One of a block that was divided meanwhile lies alone.
    if (!isLeft) await setAside(table, alone, why);
    return;
  }
  // It is refused when another relay has published it or set it aside meanwhile.
  if (aside) await tryTo(table, [removeItem(tableName, key, isThere), ...aside], deadline);
}

/**
 * Puts an entry that was set aside back into its shard, where the relay publishes it. False, and it stays, when it cannot
 * be published yet: its signals cannot be read, or there is no version of it. Receivers may have had later ones of its record.
 */
export async function returnAside(table: Table, scope: Scope, item: Item): Promise<boolean> {
  const { luid, ...entry } = entryOf(scope, 0, item);
  if (entry.signals === unreadable) return false;
  const [version] = await versions(table, [{ ...entry, luid }]);
  if (!version) return false;
  const { why: _why, ...attributes } = attributesOf(item);
  const key = { pk: outboxPartitionOf(scope, shardOf(luid, version.spread)), sk: entry.place };
  const { tableName } = table;
  return tryTo(table, [
    removeItem(tableName, keyOfItem(item), isThere),
    put(tableName, key, { ...attributes }),
  ]);
}

/** The entries that an item of a shard holds. */
export function entriesOf(scope: Scope, shard: number, item: Item): OutboxEntry[] {
  const items = unblocked(item);
  const [only = item] = items;
  if (only === item) return [entryOf(scope, shard, item)];
  const block = { place: item['sk'] as string, count: items.length };
  return items.map((one) => ({ ...entryOf(scope, shard, one), block }));
}

function entryOf(scope: Scope, shard: number, item: Item): OutboxEntry {
  const place = item['sk'] as string;
  return {
    scope,
    shard,
    place,
    kind: item['kind'] as Kind,
    handle: item['handle'] as string,
    ...outboxPlaceOf(place),
    signals: signalsIn(item['signals']),
  };
}

function signalsIn(text: unknown): readonly Signal[] {
  try {
    const signals: unknown = JSON.parse(String(text));
    return Array.isArray(signals) && signals.every(isSignal) ? signals : unreadable;
  } catch {
    return unreadable;
  }
}

/** True for a well-formed signal, member by member: no later reader checks again. */
function isSignal(stored: unknown): stored is Signal {
  if (typeof stored !== 'object' || stored === null) return false;
  const { signal, change, custom = {} } = stored as Readonly<Record<string, unknown>>;
  const isNamed = typeof signal === 'string' && Number.isSafeInteger(change);
  const isPlain = typeof custom === 'object' && custom !== null && !Array.isArray(custom);
  return isNamed && isPlain && Object.values(custom).every((value) => typeof value === 'string');
}

function isVersionOf({ luid, change }: OutboxEntry, head: Item): boolean {
  return head['luid'] === luid && Number(head['change']) === change;
}

function keyOfEntry({ scope, shard, place }: OutboxEntry): Key {
  return { pk: outboxPartitionOf(scope, shard), sk: place };
}

function keyOfBlock({ scope, shard, place, block }: OutboxEntry): Key {
  return { pk: outboxPartitionOf(scope, shard), sk: block?.place ?? place };
}

function attributesOf({ pk: _pk, sk: _sk, ...attributes }: Item): Item {
  return attributes;
}

function headKeyOfEntry({ scope, kind, handle }: OutboxEntry): Key {
  return headKeyOf(scope, kind, handle);
}

function changeKeyOfEntry({ scope, luid, change }: OutboxEntry): Key {
  return changeKeyOf(scope, luid, change);
}
