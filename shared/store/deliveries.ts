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
  ownEventKeyOf,
  textOf,
} from './keys.ts';
import {
  broughtBy,
  type DeliveryState,
  eventNameOf,
  packDelivery,
  packEvent,
  packState,
  stateNames,
  unpackDelivery,
} from './pack-delivery.ts';
import { itemsAt, itemsIn } from './read.ts';
import { type Item, type ItemAction, type Table, transact } from './request.ts';
import { type Deadline, deadlineIn, failedIndexesOf, natureOf, repeating } from './retry.ts';

// DynamoDB takes 100 actions and 4 MB in one transaction.
const chunkActionsMax = 100;
/** What each delivery takes of them: itself and its marker, beside what it brings. */
const ownActions = 2;
/** How many deliveries of one event fit into one transaction with it. */
const groupLengthMax = Math.floor((chunkActionsMax - 1) / ownActions);
const chunkBytesMax = 3 * 1024 * 1024;
/** How many transactions are packed and on their way at a time: what thousands take would not fit. */
const chunkCountMax = 8;

const isAbsent = 'attribute_not_exists(pk)';

/** Deliveries that bring the same, in their order. */
interface Group {
  readonly deliveries: readonly Delivery[];
  /** Puts what they bring, where it is to be put with them. */
  readonly event?: ItemAction;
  readonly bytes: number;
}

/** What is stored in one transaction. */
type Chunk = readonly Group[];

/** Stores new deliveries; answers those that were not there yet, in their order. */
export async function add(table: Table, deliveries: readonly Delivery[]): Promise<Delivery[]> {
  const distinct = distinctBy(deliveries, (one) => textOf(deliveryKeyOf(one)));
  const alike = alikeIn(distinct);
  // One that is too large stops all of them, so each is packed once before any is stored.
  if (alike.length > 1) for (const [one] of alike) if (one) packEvent(one);
  await addWide(table, alike);
  const chunks = chunksOf(table.tableName, alike);
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

/** Those that follow each other and bring the same, together. */
function alikeIn(deliveries: readonly Delivery[]): Delivery[][] {
  const groups: Delivery[][] = [];
  for (const one of deliveries) {
    const last = groups.at(-1);
    const isLike = last?.[0]?.scope === one.scope && last[0].data.record === one.data.record;
    if (last && isLike) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** Stores what is brought to so many that one transaction does not hold them, before any of these is there. */
async function addWide(table: Table, alike: readonly (readonly Delivery[])[]): Promise<void> {
  for (const group of alike) {
    const [one] = group;
    if (!one || group.length <= groupLengthMax) continue;
    const token = randomUUID();
    const actions = [eventPut(table.tableName, one)];
    await repeating(deadlineIn(table.deadlineMs), () => transact(table, token, actions));
  }
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
    stateUpdate(tableName, next, previous.version),
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
  return (await unpackAll(table, names, shown, deadline)).flatMap((one) => one ?? []);
}

/** The deliveries of those names, in their order. */
export async function readAll(
  table: Table,
  names: readonly DeliveryName[],
  deadline: Deadline,
): Promise<(Delivery | undefined)[]> {
  const items = await itemsAt(table, names.map(deliveryKeyOf), deadline);
  const found = names.map((name) => items.get(textOf(deliveryKeyOf(name))));
  return unpackAll(table, names, found, deadline);
}

/** The deliveries that these items hold, with what they bring. */
async function unpackAll(
  table: Table,
  names: readonly DeliveryName[],
  items: readonly (Item | undefined)[],
  deadline: Deadline,
): Promise<(Delivery | undefined)[]> {
  const keys = names.map((name, index) => {
    const item = items[index];
    const brought = item && broughtBy(name, item);
    return brought ? eventKeyOf(brought) : ownEventKeyOf(name);
  });
  const events = await itemsAt(
    table,
    keys.filter((_, index) => items[index]),
    deadline,
  );
  return names.map((name, index) => {
    const item = items[index];
    const event = events.get(textOf(keys[index] as Key));
    return item && event && unpackDelivery(name, item, event);
  });
}

/** Stores a chunk in one transaction, without those that are there already. */
async function addChunk(table: Table, chunk: Chunk, deadline: Deadline): Promise<Delivery[]> {
  let rest = chunk;
  while (rest.length > 0) {
    const known = await knownOf(table, rest, deadline);
    if (known.size === 0) return rest.flatMap(({ deliveries }) => deliveries);
    rest = rest
      .map((group) => ({ ...group, deliveries: group.deliveries.filter((one) => !known.has(one)) }))
      .filter(({ deliveries }) => deliveries.length > 0);
  }
  return [];
}

/** Sends the chunk; answers which of it is there already, and stores it when nothing is. */
async function knownOf(
  table: Table,
  chunk: Chunk,
  deadline: Deadline,
): Promise<ReadonlySet<Delivery>> {
  const plan = chunk.flatMap(({ deliveries, event }) => [
    ...deliveries.flatMap((delivery) =>
      ownActionsOf(table.tableName, delivery).map((action) => ({ action, delivery })),
    ),
    ...(event ? [{ action: event, delivery: undefined }] : []),
  ]);
  const token = randomUUID();
  const actions = plan.map(({ action }) => action);
  try {
    await repeating(deadline, () => transact(table, token, actions));
    return new Set();
  } catch (error) {
    if (natureOf(error) !== 'refused') throw error;
    return new Set(failedIndexesOf(error).flatMap((index) => plan[index]?.delivery ?? []));
  }
}

function ownActionsOf(tableName: string, delivery: Delivery): ItemAction[] {
  return [
    put(tableName, deliveryKeyOf(delivery), packDelivery(delivery), isAbsent),
    ...markersOf(tableName, delivery),
  ];
}

/** Changes what attempts change of a delivery, and leaves alone what it brings, however that is kept. */
function stateUpdate(tableName: string, next: Delivery, version: number): ItemAction {
  const state = packState(next);
  const isKept = (name: keyof DeliveryState) => state[name] !== undefined;
  const set = stateNames.filter(isKept);
  const gone = stateNames.filter((name) => !isKept(name));
  const sets = set.map((name) => `#${name} = :${name}`).join(', ');
  const removes = gone.length > 0 ? ` REMOVE ${gone.map((name) => `#${name}`).join(', ')}` : '';
  return {
    Update: {
      TableName: tableName,
      Key: deliveryKeyOf(next),
      UpdateExpression: `SET ${sets}${removes}`,
      ConditionExpression: '#version = :before',
      ExpressionAttributeNames: Object.fromEntries(stateNames.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(set.map((name) => [`:${name}`, state[name]])),
        ':before': version,
      },
    },
  };
}

/** Puts what a delivery brings; what is there by that name is the same. */
function eventPut(tableName: string, delivery: Delivery): ItemAction {
  return put(tableName, eventKeyOf(eventNameOf(delivery)), packEvent(delivery));
}

/** The deliveries in their order, in as few chunks as transactions allow; each is packed when asked for. */
function* chunksOf(
  tableName: string,
  alike: readonly (readonly Delivery[])[],
): Generator<Chunk, void> {
  let chunk: Group[] = [];
  let [actions, bytes] = [0, 0];
  for (const group of groupsOf(tableName, alike)) {
    const taken = group.deliveries.length * ownActions + (group.event ? 1 : 0);
    const isFull = actions + taken > chunkActionsMax || bytes + group.bytes > chunkBytesMax;
    if (isFull && chunk.length > 0) {
      yield chunk;
      chunk = [];
      [actions, bytes] = [0, 0];
    }
    chunk.push(group);
    actions += taken;
    bytes += group.bytes;
  }
  if (chunk.length > 0) yield chunk;
}

/** Each group with what it brings; a large one in parts, of which none has it any more. */
function* groupsOf(
  tableName: string,
  alike: readonly (readonly Delivery[])[],
): Generator<Group, void> {
  for (const deliveries of alike) {
    const [one] = deliveries;
    if (one && deliveries.length <= groupLengthMax) {
      const bytes = Buffer.byteLength(packEvent(one).record);
      yield { deliveries, event: eventPut(tableName, one), bytes };
      continue;
    }
    for (let start = 0; start < deliveries.length; start += groupLengthMax)
      yield { deliveries: deliveries.slice(start, start + groupLengthMax), bytes: 0 };
  }
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

function put(tableName: string, key: Key, attributes: object = {}, condition?: string): ItemAction {
  return {
    Put: {
      TableName: tableName,
      Item: { ...key, ...attributes },
      ...(condition !== undefined && { ConditionExpression: condition }),
    },
  };
}
