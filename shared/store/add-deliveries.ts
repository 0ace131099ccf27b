/**
 * New deliveries. Their contents are stored ahead of them, outside any transaction, where they take half the units; those
 * of the same content share one item of it. A due delivery is stored in one transaction with its marker, one that has
 * ended in a plain write. Decisions 18 and 127.
 */
import type { Delivery, SignedEvent } from '../port/deliveries.ts';
import { deliveryPut, eventItemOf, intentItemsOf, markersOf } from './delivery-action.ts';
import { distinctBy } from './distinct.ts';
import { deliveryKeyOf, eventKeyOf, textOf } from './keys.ts';
import { isKnownDense, itemsAndLayoutsAt } from './layout.ts';
import { assertEventFits, bytesOfEvent, eventNameOf, packDelivery } from './pack-delivery.ts';
import type { Item, ItemAction, Table } from './request.ts';
import { type Deadline, deadlineIn } from './retry.ts';
import { putNew, refusedBy } from './try-to.ts';
import { writeAll } from './write-all.ts';

// DynamoDB takes 100 actions in one transaction.
const chunkActionsMax = 100;
/** The actions for a due delivery: itself and its marker. */
const ownActions = 2;
const chunkLengthMax = chunkActionsMax / ownActions;
/** The contents that are stored ahead of one chunk. */
const chunkBytesMax = 3 * 1024 * 1024;
/** The chunks that are packed and sent at a time: thousands would take too much memory. */
const chunkCountMax = 8;

/** Deliveries of the same content, in their order. */
interface DeliveryGroup {
  readonly deliveries: readonly Delivery[];
  /** The content, unless it is stored already: it is that of another chunk as well. */
  readonly event?: Item;
  readonly bytes: number;
}

type Chunk = readonly DeliveryGroup[];

/** Tells whether the ledger of a delivery is dense, as far as is known. Decision 141. */
type IsDense = (delivery: Delivery) => boolean;

/** Those that are not stored yet, in their order. All fail when one is too large to be stored. */
export async function newAmong(table: Table, deliveries: readonly Delivery[]): Promise<Delivery[]> {
  const distinct = distinctBy(deliveries, placeOf);
  for (const [one] of alikeIn(distinct)) if (one) assertEventFits(one);
  const keys = distinct.map(deliveryKeyOf);
  const found = await itemsAndLayoutsAt(
    table,
    keys,
    distinct.map(({ scope }) => scope),
    deadlineIn(table.deadlineMs),
  );
  return distinct.filter((one) => !found.has(placeOf(one)));
}

/** Stores new deliveries; returns those that were not there yet, in their order. */
export async function add(table: Table, deliveries: readonly Delivery[]): Promise<Delivery[]> {
  const distinct = distinctBy(deliveries, placeOf);
  const alike = alikeIn(distinct);
  // One that is too large stops all of them, so each is measured before any is stored.
  const isDense: IsDense = ({ scope }) => isKnownDense(table, scope);
  const intents = distinct.flatMap((one) => intentItemsOf(one, isDense(one)));
  if (alike.length > 1 || intents.length > 0)
    for (const [one] of alike) if (one) assertEventFits(one);
  const puts = [...intents, ...wideOf(alike, isDense)];
  await writeAll(table, { puts }, deadlineIn(table.deadlineMs));
  const chunks = chunksOf(alike, isDense);
  const added: Delivery[][] = [];
  const addSome = async (): Promise<void> => {
    for (let next = chunks.next(); !next.done; next = chunks.next()) {
      const place = added.push([]) - 1;
      added[place] = await addChunk(table, next.value, deadlineIn(table.deadlineMs));
    }
  };
  await Promise.all(Array.from({ length: chunkCountMax }, addSome));
  return added.flat();
}

function placeOf(delivery: Delivery): string {
  return textOf(deliveryKeyOf(delivery));
}

/** Groups neighbours of the same content. */
function alikeIn(deliveries: readonly Delivery[]): Delivery[][] {
  const groups: Delivery[][] = [];
  for (const one of deliveries) {
    const last = groups.at(-1);
    if (last?.[0] && placeOfEvent(last[0]) === placeOfEvent(one)) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

function placeOfEvent(delivery: Delivery): string {
  return textOf(eventKeyOf(eventNameOf(delivery)));
}

/** The contents whose deliveries need more than one chunk. */
function wideOf(alike: readonly (readonly Delivery[])[], isDense: IsDense): Item[] {
  return alike.flatMap(([one, ...others]) =>
    one && others.length >= chunkLengthMax ? [eventItemOf(one, isDense(one))] : [],
  );
}

/** The contents that were stored in a table, or are being stored: deliveries of one event are not stored all at once. */
const storedIn = new WeakMap<Table, WeakMap<SignedEvent, Promise<void>>>();

/** Stores the contents of a chunk, without those that were stored here before. */
async function addContents(table: Table, chunk: Chunk, deadline: Deadline): Promise<void> {
  const stored = storedIn.get(table) ?? new WeakMap<SignedEvent, Promise<void>>();
  storedIn.set(table, stored);
  const wanted = chunk.flatMap(({ event, deliveries: [one] }) =>
    event && one ? [{ event, record: one.data.record }] : [],
  );
  const fresh = wanted.filter(({ record }) => !stored.has(record));
  const writing = writeAll(table, { puts: fresh.map(({ event }) => event) }, deadline);
  for (const { record } of fresh) stored.set(record, writing);
  try {
    await Promise.all([writing, ...wanted.map(({ record }) => stored.get(record))]);
  } catch (error) {
    for (const { record } of wanted) stored.delete(record);
    throw error;
  }
}

/** Stores the contents of a chunk, and then its deliveries, without those that are there already. */
async function addChunk(table: Table, chunk: Chunk, deadline: Deadline): Promise<Delivery[]> {
  await addContents(table, chunk, deadline);
  const all = chunk.flatMap(({ deliveries }) => deliveries);
  const due = all.filter(({ dueMs }) => dueMs !== undefined);
  const over = all.filter(({ dueMs }) => dueMs === undefined);
  const [marked, ended] = await Promise.all([
    addMarked(table, due, deadline),
    Promise.all(over.map((one) => addEnded(table, one, deadline))),
  ]);
  const added = new Set([...marked, ...over.filter((_, index) => ended[index])]);
  return all.filter((one) => added.has(one));
}

function addEnded(table: Table, delivery: Delivery, deadline: Deadline): Promise<boolean> {
  return putNew(table, deliveryKeyOf(delivery), packDelivery(delivery), deadline);
}

/** Stores due deliveries in one transaction with their markers. */
async function addMarked(
  table: Table,
  deliveries: readonly Delivery[],
  deadline: Deadline,
): Promise<readonly Delivery[]> {
  const { tableName } = table;
  let rest = deliveries;
  while (rest.length > 0) {
    const actions = rest.flatMap((one): ItemAction[] => [
      deliveryPut(tableName, one),
      ...markersOf(tableName, one),
    ]);
    const refused = new Set(await refusedBy(table, actions, deadline));
    if (refused.size === 0) return rest;
    rest = rest.filter((_, index) => !refused.has(index * ownActions));
  }
  return [];
}

/** The deliveries in their order, in as few chunks as transactions allow; each is packed when asked for. */
function* chunksOf(
  alike: readonly (readonly Delivery[])[],
  isDense: IsDense,
): Generator<Chunk, void> {
  let chunk: DeliveryGroup[] = [];
  let [length, bytes] = [0, 0];
  for (const group of groupsOf(alike, isDense)) {
    const own = group.deliveries.length;
    const isFull = length + own > chunkLengthMax || bytes + group.bytes > chunkBytesMax;
    if (isFull && chunk.length > 0) {
      yield chunk;
      chunk = [];
      [length, bytes] = [0, 0];
    }
    chunk.push(group);
    length += own;
    bytes += group.bytes;
  }
  if (chunk.length > 0) yield chunk;
}

/** Each group with its content; a large one in parts without it. */
function* groupsOf(
  alike: readonly (readonly Delivery[])[],
  isDense: IsDense,
): Generator<DeliveryGroup, void> {
  for (const deliveries of alike) {
    const [one] = deliveries;
    if (one && deliveries.length <= chunkLengthMax) {
      const event = eventItemOf(one, isDense(one));
      yield { deliveries, event, bytes: bytesOfEvent(event) };
      continue;
    }
    for (let start = 0; start < deliveries.length; start += chunkLengthMax)
      yield { deliveries: deliveries.slice(start, start + chunkLengthMax), bytes: 0 };
  }
}
