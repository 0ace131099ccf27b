/**
 * New deliveries with their content. Contents and markers are stored ahead of their deliveries, so that no delivery is
 * without them: outside a transaction they take half the units. Deliveries of the same content share one item of it.
 * Long intents are shared by different contents as well. Decision 18.
 */
import type { Delivery } from '../port/deliveries.ts';
import { deliveryPut, eventItemOf, intentItemsOf, markerItemsOf } from './delivery-action.ts';
import { distinctBy } from './distinct.ts';
import { deliveryKeyOf, eventKeyOf, keyOfItem, textOf } from './keys.ts';
import { eventNameOf, packEvent } from './pack-delivery.ts';
import type { Item, Table } from './request.ts';
import { type Deadline, deadlineIn } from './retry.ts';
import { refusedBy } from './try-to.ts';
import { writeAll } from './write-all.ts';

/** The deliveries of one transaction: DynamoDB takes 100 actions. */
const chunkLengthMax = 100;
/** The contents that are stored ahead of one transaction. */
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

/** Stores new deliveries; returns those that were not there yet, in their order. */
export async function add(table: Table, deliveries: readonly Delivery[]): Promise<Delivery[]> {
  const distinct = distinctBy(deliveries, (one) => textOf(deliveryKeyOf(one)));
  const alike = alikeIn(distinct);
  // One that is too large stops all of them, so each is packed once before any is stored.
  const intents = distinct.flatMap(intentItemsOf);
  if (alike.length > 1 || intents.length > 0) for (const [one] of alike) if (one) packEvent(one);
  const puts = [...intents, ...wideOf(alike)];
  await writeAll(table, { puts }, deadlineIn(table.deadlineMs));
  const chunks = chunksOf(alike);
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

/** Groups neighbours of the same content: a transaction puts each content once. */
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

/** The contents whose deliveries need more than one transaction. */
function wideOf(alike: readonly (readonly Delivery[])[]): Item[] {
  return alike.flatMap((group) =>
    group[0] && group.length > chunkLengthMax ? [eventItemOf(group[0])] : [],
  );
}

/** Stores a chunk, its deliveries in one transaction, without those that are there already. */
async function addChunk(table: Table, chunk: Chunk, deadline: Deadline): Promise<Delivery[]> {
  let rest = chunk.flatMap(({ deliveries }) => deliveries);
  const events = distinctBy(
    chunk.flatMap(({ event }): Item[] => (event ? [event] : [])),
    (event) => textOf(keyOfItem(event)),
  );
  await writeAll(table, { puts: [...events, ...rest.flatMap(markerItemsOf)] }, deadline);
  while (rest.length > 0) {
    const actions = rest.map((delivery) => deliveryPut(table.tableName, delivery));
    const refused = new Set(await refusedBy(table, actions, deadline));
    if (refused.size === 0) return rest;
    rest = rest.filter((_, index) => !refused.has(index));
  }
  return [];
}

/** The deliveries in their order, in as few chunks as transactions allow; each is packed when asked for. */
function* chunksOf(alike: readonly (readonly Delivery[])[]): Generator<Chunk, void> {
  let chunk: DeliveryGroup[] = [];
  let [length, bytes] = [0, 0];
  for (const group of groupsOf(alike)) {
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
function* groupsOf(alike: readonly (readonly Delivery[])[]): Generator<DeliveryGroup, void> {
  for (const deliveries of alike) {
    const [one] = deliveries;
    if (one && deliveries.length <= chunkLengthMax) {
      const event = eventItemOf(one);
      yield { deliveries, event, bytes: Buffer.byteLength(String(event['record'])) };
      continue;
    }
    for (let start = 0; start < deliveries.length; start += chunkLengthMax)
      yield { deliveries: deliveries.slice(start, start + chunkLengthMax), bytes: 0 };
  }
}
