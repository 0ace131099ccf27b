/**
 * Deliveries. Each is kept with what it brings, and with a marker while it is due: all of them change
 * in one transaction, so that what is due is always found, and nothing else is. Ruling 60,
 * Decision 18.
 */
import { randomUUID } from 'node:crypto';
import type { Delivery } from '../action/deliveries.ts';
import type { Page, Scope } from '../action/ports.ts';
import { assert } from '../ledger/assert.ts';
import { distinctBy } from './distinct.ts';
import {
  type DeliveryName,
  deliveryKeyOf,
  deliveryPartitionOf,
  dueKeyOf,
  dueOf,
  dueRangeOf,
  dueShardCount,
  eventKeyOf,
  type Key,
  textOf,
} from './keys.ts';
import { packDelivery, packEvent, unpackDelivery } from './pack-delivery.ts';
import { itemsAt, itemsIn } from './read.ts';
import { remove } from './remove.ts';
import { type Item, type ItemAction, type Table, transact } from './request.ts';
import { type Deadline, deadlineIn, failedIndexesOf, natureOf, repeating } from './retry.ts';

// DynamoDB takes 100 actions and 4 MB in one transaction; a delivery takes three actions.
const chunkLengthMax = 25;
const chunkBytesMax = 3 * 1024 * 1024;

const isAbsent = 'attribute_not_exists(pk)';
const isVersion = 'version = :version';

/** A delivery that is to be added, and how. */
interface Addition {
  readonly delivery: Delivery;
  readonly actions: readonly ItemAction[];
  readonly bytes: number;
}

/** Stores new deliveries; answers those that were not there yet. */
export async function add(table: Table, deliveries: readonly Delivery[]): Promise<Delivery[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const distinct = distinctBy(deliveries, (one) => textOf(deliveryKeyOf(one)));
  // All are packed before any is stored: one that is too large stops all of them.
  const chunks = chunksOf(distinct.map((delivery) => additionOf(table.tableName, delivery)));
  const added = await Promise.all(chunks.map((chunk) => addChunk(table, chunk, deadline)));
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
    ...(hasMoved ? dueKeysOf(next).map((key) => put(tableName, key)) : []),
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
  { index, limit }: Page,
): Promise<Delivery[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const range = { pk: deliveryPartitionOf(scope, subject) };
  const countMax = (index + 1) * limit;
  const items = await itemsIn(table, range, deadline, { newestFirst: true, countMax });
  const shown = items.slice(index * limit);
  const names = shown.map(({ sk }) => ({ scope, subject, luid: sk as string }));
  const events = await itemsAt(table, names.map(eventKeyOf), deadline);
  return names.flatMap((name, position) => {
    const event = events.get(textOf(eventKeyOf(name)));
    return event ? unpackDelivery(name, shown[position] as Item, event) : [];
  });
}

/** Some deliveries that are due, the longest due first. */
export async function due(table: Table, nowMs: number, limit: number): Promise<Delivery[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const shards = Array.from({ length: dueShardCount }, (_, shard) =>
    itemsIn(table, dueRangeOf(shard, nowMs), deadline, { countMax: limit }),
  );
  const markers = (await Promise.all(shards))
    .flat()
    .map(({ sk }) => dueOf(sk as string))
    .sort((one, other) => one.dueMs - other.dueMs)
    .slice(0, limit);
  const found = await readAll(table, markers, deadline);
  const lost = markers.filter((_, index) => !found[index]);
  const lostKeys = lost.map((marker) => dueKeyOf(marker, marker.dueMs));
  await remove(table, lostKeys, deadline);
  // Between the two reads someone else may have taken a delivery on: then it is due later, or over.
  return found.flatMap((one) => (one?.dueMs !== undefined && one.dueMs <= nowMs ? one : []));
}

/** The deliveries of those names, in their order. */
async function readAll(
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
    ...dueKeysOf(delivery).map((key) => put(tableName, key)),
  ];
  return { delivery, actions, bytes: Buffer.byteLength(event.data) };
}

/** The additions in their order, in as few chunks as transactions allow. */
function chunksOf(additions: readonly Addition[]): Addition[][] {
  const chunks: Addition[][] = [];
  let bytes = 0;
  for (const addition of additions) {
    const last = chunks.at(-1);
    bytes += addition.bytes;
    if (last && last.length < chunkLengthMax && bytes <= chunkBytesMax) {
      last.push(addition);
    } else {
      chunks.push([addition]);
      bytes = addition.bytes;
    }
  }
  return chunks;
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
