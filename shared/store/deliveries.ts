/**
 * Deliveries. Each is stored with its content, and with a marker while it is due. They change in one transaction, so
 * exactly the due deliveries have markers. Ruling 60, Decision 18.
 */
import { assert } from '../ledger/assert.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import {
  type Delivery,
  type DeliveryName,
  type DeliveryPage,
  isRetryRequested,
} from '../port/deliveries.ts';
import type { Scope } from '../port/ports.ts';
import { dueKeysOf, markersOf, stateUpdate, unmark } from './delivery-action.ts';
import {
  deliveryKeyOf,
  deliveryPartitionsOf,
  eventKeyOf,
  type Key,
  ownEventKeyOf,
  textOf,
} from './keys.ts';
import { layoutOf } from './layout.ts';
import { mergedIn } from './merge.ts';
import { broughtBy, spreadIn, textIn, unpackDelivery } from './pack-delivery.ts';
import { itemsAt } from './read.ts';
import type { Item, Table } from './request.ts';
import { type Deadline, deadlineIn, rest } from './retry.ts';
import { tryTo } from './try-to.ts';

/** Puts `next` in the place of `previous`; false when that is no longer current. */
export async function save(table: Table, next: Delivery, previous: Delivery): Promise<boolean> {
  assert(
    next.luid === previous.luid && next.version === previous.version + 1,
    'a delivery is saved in the place of the version before it',
  );
  const { tableName } = table;
  const hasMoved = next.dueMs !== previous.dueMs || next.isSoon === true;
  const actions = [
    stateUpdate(tableName, next, previous.version),
    // One item has one action in a transaction: a marker of the same time is replaced, not removed and put.
    ...(next.dueMs === previous.dueMs ? [] : dueKeysOf(previous)).map((key) =>
      unmark(tableName, key),
    ),
    ...(hasMoved || isRetryRequested(next) !== isRetryRequested(previous)
      ? markersOf(tableName, next)
      : []),
  ];
  return tryTo(table, actions);
}

/** The delivery of that name. */
export async function readNamed(table: Table, name: DeliveryName): Promise<Delivery | undefined> {
  const [found] = await readAll(table, [name], deadlineIn(table.deadlineMs));
  return found;
}

/** The delivery of that luid, whichever intent it is about. */
export async function read(
  table: Table,
  scope: Scope,
  subject: string,
  luid: string,
): Promise<Delivery | undefined> {
  const deadline = deadlineIn(table.deadlineMs);
  const { count } = await layoutOf(table, scope, deadline);
  const names = Array.from({ length: count }, (_, spread) => ({ scope, subject, luid, spread }));
  return (await readAll(table, names, deadline)).find((one) => one !== undefined);
}

/**
 * A page of a target's deliveries, newest first. Others take the place of those that cannot be read, so that only the last
 * page has fewer than its limit; those that fill up a page by number come again on the next one.
 */
export async function list(
  table: Table,
  scope: Scope,
  subject: string,
  { index, limit, before }: DeliveryPage,
): Promise<Delivery[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const { count } = await layoutOf(table, scope, deadline);
  const ranges = deliveryPartitionsOf(scope, subject, count).map((pk) => ({ pk }));
  const found: Delivery[] = [];
  let [skip, after] = [index * limit, before];
  for (;;) {
    const countMax = skip + limit;
    const options = { newestFirst: true, countMax, ...(after !== undefined && { after }) };
    const items = await mergedIn(table, ranges, deadline, options);
    const shown = items.slice(skip);
    const names = shown.map((one) => ({
      scope,
      subject,
      luid: one['sk'] as string,
      ...spreadIn(one),
    }));
    found.push(...(await unpackAll(table, names, shown, deadline)).flatMap((one) => one ?? []));
    if (found.length >= limit || items.length < countMax) return found.slice(0, limit);
    await rest(0, deadline);
    [skip, after] = [0, names.at(-1)?.luid];
  }
}

/** The deliveries of these names, in their order; undefined where there is none. */
export async function readAll(
  table: Table,
  names: readonly DeliveryName[],
  deadline: Deadline,
): Promise<(Delivery | undefined)[]> {
  const items = await itemsAt(table, names.map(deliveryKeyOf), deadline);
  const found = names.map((name) => items.get(textOf(deliveryKeyOf(name))));
  return unpackAll(table, names, found, deadline);
}

/** The deliveries in these items, with their contents. */
async function unpackAll(
  table: Table,
  names: readonly DeliveryName[],
  items: readonly (Item | undefined)[],
  deadline: Deadline,
): Promise<(Delivery | undefined)[]> {
  const places = names.map((name, index) => {
    const item = items[index];
    return item && placesOf(name, item);
  });
  const keys = places.flatMap((place) => (place ? [place.event, ...intentKeysOf(place)] : []));
  const found = await itemsAt(table, keys, deadline);
  const intentAt = intentsIn(found);
  return names.map((name, index) => {
    const [item, place] = [items[index], places[index]];
    const event = place && found.get(textOf(place.event));
    if (!item || !event) return undefined;
    if (!place.intent) return deliveryIn(name, item, event);
    const intent = intentAt(place.intent);
    return intent && deliveryIn(name, item, event, intent);
  });
}

/** The delivery of its items; undefined for one that cannot be read, so that the others are still found. */
function deliveryIn(...items: Parameters<typeof unpackDelivery>): Delivery | undefined {
  try {
    return unpackDelivery(...items);
  } catch {
    return undefined;
  }
}

/** The intent of an item; undefined for one that cannot be read. */
function intentIn(item: Item): LedgerRecord | undefined {
  try {
    return JSON.parse(textIn(item)) as LedgerRecord;
  } catch {
    return undefined;
  }
}

interface BroughtPlaces {
  readonly event: Key;
  readonly intent?: Key;
}

function placesOf(name: DeliveryName, item: Item): BroughtPlaces {
  const brought = broughtBy(name, item);
  if (!brought) return { event: ownEventKeyOf(name) };
  const { event, intent } = brought;
  return { event: eventKeyOf(event), ...(intent && { intent: eventKeyOf(intent) }) };
}

function intentKeysOf({ intent }: BroughtPlaces): Key[] {
  return intent ? [intent] : [];
}

/** The intents among the items, each parsed once for all deliveries that share it. */
function intentsIn(found: ReadonlyMap<string, Item>): (key: Key) => LedgerRecord | undefined {
  const known = new Map<string, LedgerRecord>();
  return (key) => {
    const place = textOf(key);
    const item = found.get(place);
    const intent = known.get(place) ?? (item && intentIn(item));
    if (intent) known.set(place, intent);
    return intent;
  };
}
