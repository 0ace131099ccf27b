/**
 * Deliveries. Each is kept with what it brings, and with a marker while it is due: all of them change
 * in one transaction, so that what is due is always found, and nothing else is. Ruling 60,
 * Decision 18.
 */
import { randomUUID } from 'node:crypto';
import { type Delivery, type DeliveryPage, isAsked } from '../action/deliveries.ts';
import type { Scope } from '../action/ports.ts';
import { assert } from '../ledger/assert.ts';
import { distinctBy } from './distinct.ts';
import {
  type DeliveryName,
  deliveryKeyOf,
  deliveryPartitionOf,
  dueKeyOf,
  eventKeyOf,
  type Key,
  textOf,
} from './keys.ts';
import { packDelivery, packEvent, unpackDelivery } from './pack-delivery.ts';
import { itemsAt, itemsIn } from './read.ts';
import { type Item, type ItemAction, type Table, transact } from './request.ts';
import { type Deadline, deadlineIn, failedIndexesOf, natureOf, repeating } from './retry.ts';

// DynamoDB takes 100 actions and 4 MB in one transaction; a delivery takes three actions.
const chunkLengthMax = 25;
const chunkBytesMax = 3 * 1024 * 1024;
/** How many transactions are packed and on their way at a time: what thousands take would not fit. */
const chunkCountMax = 8;

const isAbsent = 'attribute_not_exists(pk)';
const isVersion = 'version = :version';

/** A delivery that is to be added, and how. */
interface Addition {
  readonly delivery: Delivery;
  readonly actions: readonly ItemAction[];
  readonly bytes: number;
}

/** Stores new deliveries; answers those that were not there yet, in their order. */
export async function add(table: Table, deliveries: readonly Delivery[]): Promise<Delivery[]> {
  const distinct = distinctBy(deliveries, (one) => textOf(deliveryKeyOf(one)));
  // One that is too large stops all of them, so each is packed once before any is stored.
  if (distinct.length > chunkLengthMax) for (const one of distinct) packEvent(one);
  const chunks = chunksOf(table.tableName, distinct);
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

/** Puts `next` in the place of `previous`; false when that is no longer current. */
export async function save(table: Table, next: Delivery, previous: Delivery): Promise<boolean> {
  assert(
    next.luid === previous.luid && next.version === previous.version + 1,
    'a delivery is saved in the place of the version before it',
  );
  const { tableName } = table;
  const hasMoved = next.dueMs !== previous.dueMs;
  const token = randomUUID();
  const actions = [
    put(tableName, deliveryKeyOf(next), packDelivery(next), isVersion, {
      ':version': previous.version,
    }),
    ...(hasMoved ? dueKeysOf(previous).map((key) => unmark(tableName, key)) : []),
    ...(hasMoved || isAsked(next) !== isAsked(previous) ? markersOf(tableName, next) : []),
  ];
  try {
    await repeating(deadlineIn(table.deadlineMs), () => transact(table, token, actions));
    return true;
  } catch (error) {
    if (natureOf(error) !== 'refused') throw error;
    return false;
  }
}

/** The delivery of that name. */
export async function read(table: Table, name: DeliveryName): Promise<Delivery | undefined> {
  const [found] = await readAll(table, [name], deadlineIn(table.deadlineMs));
  return found;
}

/** A page of a target's deliveries, newest first. */
export async function list(
  table: Table,
  scope: Scope,
  subject: string,
  { index, limit, before }: DeliveryPage,
): Promise<Delivery[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const range = { pk: deliveryPartitionOf(scope, subject) };
  const countMax = (index + 1) * limit;
  const options = { newestFirst: true, countMax, ...(before !== undefined && { after: before }) };
  const items = await itemsIn(table, range, deadline, options);
  const shown = items.slice(index * limit);
  const names = shown.map(({ sk }) => ({ scope, subject, luid: sk as string }));
  const events = await itemsAt(table, names.map(eventKeyOf), deadline);
  return names.flatMap((name, position) => {
    const event = events.get(textOf(eventKeyOf(name)));
    return event ? unpackDelivery(name, shown[position] as Item, event) : [];
  });
}

/** The deliveries of those names, in their order. */
export async function readAll(
  table: Table,
  names: readonly DeliveryName[],
  deadline: Deadline,
): Promise<(Delivery | undefined)[]> {
  const keys = names.flatMap((name) => [deliveryKeyOf(name), eventKeyOf(name)]);
  const items = await itemsAt(table, keys, deadline);
  return names.map((name) => {
    const item = items.get(textOf(deliveryKeyOf(name)));
    const event = items.get(textOf(eventKeyOf(name)));
    return item && event && unpackDelivery(name, item, event);
  });
}

/** Stores a chunk in one transaction, without those that are there already. */
async function addChunk(
  table: Table,
  chunk: readonly Addition[],
  deadline: Deadline,
): Promise<Delivery[]> {
  let rest = chunk;
  while (rest.length > 0) {
    const known = await knownOf(table, rest, deadline);
    if (known.size === 0) return rest.map(({ delivery }) => delivery);
    rest = rest.filter((addition) => !known.has(addition));
  }
  return [];
}

/** Sends the chunk; answers which of it is there already, and stores it when nothing is. */
async function knownOf(
  table: Table,
  chunk: readonly Addition[],
  deadline: Deadline,
): Promise<ReadonlySet<Addition>> {
  const plan = chunk.flatMap((addition) =>
    addition.actions.map((action) => ({ action, addition })),
  );
  const token = randomUUID();
  const actions = plan.map(({ action }) => action);
  try {
    await repeating(deadline, () => transact(table, token, actions));
    return new Set();
  } catch (error) {
    if (natureOf(error) !== 'refused') throw error;
    return new Set(failedIndexesOf(error).flatMap((index) => plan[index]?.addition ?? []));
  }
}

function additionOf(tableName: string, delivery: Delivery): Addition {
  const event = packEvent(delivery);
  const actions = [
    put(tableName, deliveryKeyOf(delivery), packDelivery(delivery), isAbsent),
    put(tableName, eventKeyOf(delivery), event),
    ...markersOf(tableName, delivery),
  ];
  return { delivery, actions, bytes: Buffer.byteLength(event.data) };
}

/** The additions in their order, in as few chunks as transactions allow; each is packed when asked for. */
function* chunksOf(
  tableName: string,
  deliveries: readonly Delivery[],
): Generator<Addition[], void> {
  let chunk: Addition[] = [];
  let bytes = 0;
  for (const delivery of deliveries) {
    const addition = additionOf(tableName, delivery);
    const isFull = chunk.length === chunkLengthMax || bytes + addition.bytes > chunkBytesMax;
    if (isFull && chunk.length > 0) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(addition);
    bytes += addition.bytes;
  }
  if (chunk.length > 0) yield chunk;
}

/** The marker of a delivery while it is due; one that was asked for says so. */
function markersOf(tableName: string, delivery: Delivery): ItemAction[] {
  const asked = isAsked(delivery) ? { asked: true } : {};
  return dueKeysOf(delivery).map((key) => put(tableName, key, asked));
}

/** Where a delivery is marked as due: nowhere once it is over. */
function dueKeysOf(delivery: Delivery): Key[] {
  return delivery.dueMs === undefined ? [] : [dueKeyOf(delivery, delivery.dueMs)];
}

function unmark(tableName: string, key: Key): ItemAction {
  return { Delete: { TableName: tableName, Key: key } };
}

function put(
  tableName: string,
  key: Key,
  attributes: object = {},
  condition?: string,
  values?: Readonly<Record<string, unknown>>,
): ItemAction {
  return {
    Put: {
      TableName: tableName,
      Item: { ...key, ...attributes },
      ...(condition !== undefined && { ConditionExpression: condition }),
      ...(values && { ExpressionAttributeValues: values }),
    },
  };
}
