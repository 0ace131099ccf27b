/**
 * New deliveries with their content. Deliveries of the same content share one item of it, which is stored in the same
 * transaction, or before them where they are too many for one. Long intents are shared by different contents as well.
 */
import { randomUUID } from 'node:crypto';
import type { Delivery } from '../port/deliveries.ts';
import { eventPut, intentPuts, ownActionsOf } from './delivery-action.ts';
import { distinctBy } from './distinct.ts';
import { deliveryKeyOf, eventKeyOf, type Key, textOf } from './keys.ts';
import { eventNameOf, packEvent } from './pack-delivery.ts';
import { type ItemAction, type Table, transact } from './request.ts';
import { type Deadline, deadlineIn, repeating } from './retry.ts';
import { refusedBy } from './try-to.ts';

// DynamoDB takes 100 actions and 4 MB in one transaction.
const chunkActionsMax = 100;
/** The actions for one delivery: itself and its marker. The content is one more. */
const ownActions = 2;
/** The deliveries of one event that fit into one transaction with it. */
const groupLengthMax = Math.floor((chunkActionsMax - 1) / ownActions);
const chunkBytesMax = 3 * 1024 * 1024;
/** The transactions that are packed and sent at a time: thousands would take too much memory. */
const chunkCountMax = 8;

/** Deliveries of the same content, in their order. */
interface DeliveryGroup {
  readonly deliveries: readonly Delivery[];
  /** The put of the content, if it belongs in the same transaction. */
  readonly event?: ItemAction;
  readonly bytes: number;
}

type Chunk = readonly DeliveryGroup[];

/** Stores new deliveries; returns those that were not there yet, in their order. */
export async function add(table: Table, deliveries: readonly Delivery[]): Promise<Delivery[]> {
  const distinct = distinctBy(deliveries, (one) => textOf(deliveryKeyOf(one)));
  const alike = alikeIn(distinct);
  // One that is too large stops all of them, so each is packed once before any is stored.
  const intents = intentsOf(table.tableName, distinct);
  if (alike.length > 1 || intents.length > 0) for (const [one] of alike) if (one) packEvent(one);
  await Promise.all([...intents, ...wideOf(table.tableName, alike)].map(addFirst(table)));
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

/** Puts the long intents that the contents share, each once. */
function intentsOf(tableName: string, deliveries: readonly Delivery[]): ItemAction[] {
  return distinctBy(
    deliveries.flatMap((one) => intentPuts(tableName, one)),
    textOfPut,
  );
}

/** Puts the contents whose deliveries need more than one transaction. */
function wideOf(tableName: string, alike: readonly (readonly Delivery[])[]): ItemAction[] {
  return alike.flatMap((group) =>
    group[0] && group.length > groupLengthMax ? [eventPut(tableName, group[0])] : [],
  );
}

/** Stores contents ahead of their deliveries, so that no delivery is without its content. */
function addFirst(table: Table): (action: ItemAction) => Promise<void> {
  return (action) => {
    const token = randomUUID();
    return repeating(deadlineIn(table.deadlineMs), () => transact(table, token, [action]));
  };
}

function textOfPut({ Put }: ItemAction): string {
  return textOf(Put?.Item as unknown as Key);
}

/** Stores a chunk in one transaction, without the deliveries that are there already. */
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

/** Sends the chunk; returns the deliveries that are there already, and stores the chunk when there are none. */
async function knownOf(
  table: Table,
  chunk: Chunk,
  deadline: Deadline,
): Promise<ReadonlySet<Delivery>> {
  // Two groups may share a content, and one item has one action in a transaction.
  const events = distinctBy(
    chunk.flatMap(({ event }) => event ?? []),
    textOfPut,
  );
  const plan = [
    ...chunk.flatMap(({ deliveries }) =>
      deliveries.flatMap((delivery) =>
        ownActionsOf(table.tableName, delivery).map((action) => ({ action, delivery })),
      ),
    ),
    ...events.map((action) => ({ action, delivery: undefined })),
  ];
  const actions = plan.map(({ action }) => action);
  const refused = await refusedBy(table, actions, deadline);
  return new Set(refused.flatMap((index) => plan[index]?.delivery ?? []));
}

/** The deliveries in their order, in as few chunks as transactions allow; each is packed when asked for. */
function* chunksOf(
  tableName: string,
  alike: readonly (readonly Delivery[])[],
): Generator<Chunk, void> {
  let chunk: DeliveryGroup[] = [];
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

/** Each group with the put of its content; a large one in parts without it. */
function* groupsOf(
  tableName: string,
  alike: readonly (readonly Delivery[])[],
): Generator<DeliveryGroup, void> {
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
