/** The actions of a transaction on deliveries, their markers and contents. */
import { type Delivery, isRetryRequested, spreadMemberOf } from '../port/deliveries.ts';
import { deliveryKeyOf, dueKeyOf, eventKeyOf, type Key } from './keys.ts';
import {
  type DeliveryState,
  eventNameOf,
  packDelivery,
  packEvent,
  packState,
  packText,
  stateNames,
} from './pack-delivery.ts';
import { partedOf } from './parted.ts';
import type { Item, ItemAction } from './request.ts';

const isAbsent = 'attribute_not_exists(pk)';

/** Stores a delivery that is not there yet. */
export function deliveryPut(tableName: string, delivery: Delivery): ItemAction {
  return put(tableName, deliveryKeyOf(delivery), packDelivery(delivery), isAbsent);
}

/** Changes the state of a delivery, and leaves its content alone, whichever way that is stored. */
export function stateUpdate(tableName: string, next: Delivery, version: number): ItemAction {
  const state = packState(next);
  const isStored = (name: keyof DeliveryState) => state[name] !== undefined;
  const set = stateNames.filter(isStored);
  const gone = stateNames.filter((name) => !isStored(name));
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

/** The content of a delivery; an item of the same name is the same. */
export function eventItemOf(delivery: Delivery, isDense: boolean): Item {
  return { ...eventKeyOf(eventNameOf(delivery)), ...packEvent(delivery, isDense) };
}

/** The intent in a content, if it is stored apart; an item of the same name is the same. */
export function intentItemsOf(delivery: Delivery, isDense: boolean): Item[] {
  const parted = partedOf(delivery);
  return parted ? [{ ...eventKeyOf(parted.name), ...packText(parted.intent, isDense) }] : [];
}

/**
 * The marker of a delivery while it is due. It says if a caller asked for the delivery, or a worker is woken for it, and in
 * which partition it lies.
 */
export function markersOf(tableName: string, delivery: Delivery): ItemAction[] {
  const said = {
    ...(isRetryRequested(delivery) && { asked: true }),
    ...(delivery.isSoon && { soon: true }),
    ...spreadMemberOf(delivery),
  };
  return dueKeysOf(delivery).map((key) => put(tableName, key, said));
}

export function dueKeysOf(delivery: Delivery): Key[] {
  return delivery.dueMs === undefined ? [] : [dueKeyOf(delivery, delivery.dueMs)];
}

export function unmark(tableName: string, key: Key): ItemAction {
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
