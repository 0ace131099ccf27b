/**
 * Deliveries. Each is kept with what it brings, and with a marker while it is due: all of them change
 * in one transaction, so that what is due is always found, and nothing else is. Ruling 60,
 * Decision 18.
 */
import { randomUUID } from 'node:crypto';
import { type Delivery, type DeliveryPage, isAsked } from '../action/deliveries.ts';
import type { Scope } from '../action/ports.ts';
import { assert } from '../ledger/assert.ts';
import { dueKeysOf, markersOf, stateUpdate, unmark } from './delivery-action.ts';
import {
  type DeliveryName,
  deliveryKeyOf,
  deliveryPartitionOf,
  eventKeyOf,
  type Key,
  ownEventKeyOf,
  textOf,
} from './keys.ts';
import { broughtBy, unpackDelivery } from './pack-delivery.ts';
import { itemsAt, itemsIn } from './read.ts';
import { type Item, type Table, transact } from './request.ts';
import { type Deadline, deadlineIn, natureOf, repeating } from './retry.ts';

/** Puts `next` in the place of `previous`; false when that is no longer current. */
export async function save(table: Table, next: Delivery, previous: Delivery): Promise<boolean> {
  assert(
    next.luid === previous.luid && next.version === previous.version + 1,
    'a delivery is saved in the place of the version before it',
  );
  const { tableName } = table;
  const hasMoved = next.dueMs !== previous.dueMs || next.isSoon === true;
  const token = randomUUID();
  const actions = [
    stateUpdate(tableName, next, previous.version),
    // One item has one action in a transaction: what is marked anew at the same time is put in its place.
    ...(next.dueMs === previous.dueMs ? [] : dueKeysOf(previous)).map((key) =>
      unmark(tableName, key),
    ),
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
