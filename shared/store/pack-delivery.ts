/**
 * A delivery as two items, and back, exactly. What it brings is large, never changes, and is the same for all targets
 * that are told the same: it lies by itself, once. What changes with each attempt is small, so that an attempt writes
 * about a kilobyte. A long intent that is brought is an item of its own besides.
 */

import { canonicalOf } from '../crypto/canonical.ts';
import type { DeliveryStatus } from '../ledger/delivery.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Delivery, SignedEvent } from '../port/deliveries.ts';
import type { DeliveryName, EventName } from './keys.ts';
import { joined, nameOfText, partedOf } from './parted.ts';

/** The attributes of what deliveries bring, beside its key. */
export interface EventItem {
  /** Canonical JSON of what is sent, or of the intent in it, or of the rest. Ruling 1. */
  readonly record: string;
}

/** The attributes of a delivery that change. */
export interface DeliveryState {
  /** Also the condition of every change. */
  readonly version: number;
  readonly status: DeliveryStatus;
  readonly replay: number;
  readonly attempts: number;
  /** `Delivery.dueMs`. */
  readonly due?: number;
  /** JSON. */
  readonly output?: string;
  /** JSON; absent while there are none. */
  readonly proofs?: string;
}

/** The attributes of a delivery, beside its key. */
export interface DeliveryItem extends DeliveryState {
  /** Canonical JSON of the data without what is sent; absent of a delivery that has an item of its own for all of it. */
  readonly brings?: string;
  /** The name of what is sent. */
  readonly event?: string;
  /** The name of the intent in it, where that lies by itself, by the luid of the record that the delivery is about. */
  readonly intent?: string;
  readonly hash?: string;
  readonly moment?: string;
}

// DynamoDB keeps items of at most 400 KB; keys and names take the rest.
const itemBytesMax = 390 * 1024;

/** What deliveries bring, as an item: without the intent that lies by itself. */
export function packEvent({ scope, data }: Pick<Delivery, 'scope' | 'data'>): EventItem {
  const parted = partedOf({ scope, data });
  const record = canonicalOf(parted?.own ?? data.record);
  assertSize('The event', Buffer.byteLength(record) + Buffer.byteLength(parted?.intent ?? ''));
  return { record };
}

/** How that is named which a delivery brings: what is signed anew is another one. */
export function eventNameOf({ scope, data }: Pick<Delivery, 'scope' | 'data'>): EventName {
  return { scope, event: data.handle, name: nameOf(partedOf({ scope, data })?.own ?? data.record) };
}

/** What is sent to many is named once. */
const names = new WeakMap<SignedEvent, string>();

function nameOf(record: SignedEvent): string {
  const name = names.get(record) ?? nameOfText(canonicalOf(record));
  names.set(record, name);
  return name;
}

/** A delivery without what it brings, as an item. */
export function packDelivery(delivery: Delivery): DeliveryItem {
  const { record: _record, ...brings } = delivery.data;
  const intent = partedOf(delivery)?.name.name;
  return {
    ...packState(delivery),
    brings: canonicalOf(brings),
    event: eventNameOf(delivery).name,
    ...(intent !== undefined && { intent }),
    hash: delivery.hash,
    moment: delivery.moment,
  };
}

/** What changes of a delivery with its attempts. */
export function packState(delivery: Delivery): DeliveryState {
  const { version, status, replay, attempts, dueMs, output, proofs } = delivery;
  const state = {
    version,
    status,
    replay,
    attempts,
    ...(dueMs !== undefined && { due: dueMs }),
    ...(output && { output: canonicalOf(output) }),
    ...(proofs.length > 0 && { proofs: canonicalOf(proofs) }),
  };
  assertSize('The delivery', Buffer.byteLength(`${state.output ?? ''}${state.proofs ?? ''}`));
  return state;
}

/** Every member that a state may have. */
export const stateNames: readonly (keyof DeliveryState)[] = [
  'version',
  'status',
  'replay',
  'attempts',
  'due',
  'output',
  'proofs',
];

/** Where that is which a delivery brings: itself, and the intent in it where that lies by itself. */
export interface BroughtNames {
  readonly event: EventName;
  readonly intent?: EventName;
}

/** Where that is which a delivery of that item brings; undefined of one that has it to itself. */
export function broughtBy(
  { scope }: Pick<DeliveryName, 'scope'>,
  item: Readonly<Record<string, unknown>>,
): BroughtNames | undefined {
  const { brings, event: name, intent } = item as unknown as DeliveryItem;
  if (brings === undefined || name === undefined) return undefined;
  const { handle, linked } = JSON.parse(brings) as Delivery['data'];
  const event = { scope, event: handle, name };
  return { event, ...(intent !== undefined && { intent: { scope, event: linked, name: intent } }) };
}

/** The delivery of that name that two items hold, and the intent in it where that lies by itself. */
export function unpackDelivery(
  { scope, subject, luid }: DeliveryName,
  item: Readonly<Record<string, unknown>>,
  event: Readonly<Record<string, unknown>>,
  intent?: LedgerRecord,
): Delivery {
  const { status, output, proofs } = item as unknown as DeliveryItem;
  return {
    scope,
    subject,
    luid,
    ...broughtIn(item as unknown as DeliveryItem, event, intent),
    status,
    // Numbers arrive as bigints.
    replay: Number(item['replay']),
    attempts: Number(item['attempts']),
    ...(item['due'] !== undefined && { dueMs: Number(item['due']) }),
    ...(output !== undefined && { output: JSON.parse(output) as Record<string, unknown> }),
    proofs: proofs === undefined ? [] : (JSON.parse(proofs) as Delivery['proofs']),
    version: Number(item['version']),
  };
}

/** What never changes of a delivery: with its own item, or with one that others have too. */
function broughtIn(
  { brings, hash, moment }: DeliveryItem,
  event: Readonly<Record<string, unknown>>,
  intent: LedgerRecord | undefined,
): Pick<Delivery, 'data' | 'hash' | 'moment'> {
  if (brings !== undefined && hash !== undefined && moment !== undefined) {
    const own = JSON.parse(event['record'] as string) as SignedEvent;
    const record = intent ? joined(own, intent) : own;
    return { data: { ...(JSON.parse(brings) as Delivery['data']), record }, hash, moment };
  }
  const own = event as unknown as Pick<Delivery, 'hash' | 'moment'> & { readonly data: string };
  return { data: JSON.parse(own.data) as Delivery['data'], hash: own.hash, moment: own.moment };
}

function assertSize(title: string, bytes: number): void {
  if (bytes <= itemBytesMax) return;
  const detail = `${title} would take ${bytes} bytes; at most ${itemBytesMax} can be kept.`;
  throw new LedgerError('api.body-malformed', detail, { fault: 'too-large', bytes });
}
