/**
 * A delivery as two items, and back, exactly. Its content is large, never changes and is the same for all targets, so
 * it is one item for all of them. Its state changes with each attempt and is small: an attempt writes about a kilobyte.
 * A long intent in the content is an item of its own.
 */

import { canonicalOf } from '../crypto/canonical.ts';
import { companions } from '../crypto/companions.ts';
import type { DeliveryStatus } from '../ledger/delivery.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import {
  type Delivery,
  type DeliveryName,
  type SignedEvent,
  spreadMemberOf,
} from '../port/deliveries.ts';
import { deflated, inflated } from './deflated.ts';
import type { EventName } from './keys.ts';
import { packContent, unpackContent } from './pack-content.ts';
import { joined, nameOfText, partedOf } from './parted.ts';
import type { Item } from './request.ts';

/** The attributes of a content, beside its key: one of them. */
export interface EventItem {
  /** Canonical JSON of the content, of the intent in it, or of the rest, in a dense ledger (`pack-content.ts`). Ruling 1. */
  readonly content?: Uint8Array;
  /** The same, deflated: half of it and less. */
  readonly packed?: Uint8Array;
  /** The same as text, in earlier releases. */
  readonly record?: string;
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
  /** Canonical JSON of the data without the content; absent where an earlier release stored both as one item. */
  readonly brings?: string;
  /** The name of the content. */
  readonly event?: string;
  /** The name of the intent in it, if stored apart, under the luid of the record that the delivery is about. */
  readonly intent?: string;
  readonly hash?: string;
  readonly moment?: string;
  /** `Delivery.spread`, which its key says as well. */
  readonly spread?: number;
}

// DynamoDB keeps items of at most 400 KB; keys and names take the rest.
const itemBytesMax = 390 * 1024;

/** Refuses a content that is too large to be stored. */
export function assertEventFits(delivery: Pick<Delivery, 'scope' | 'data'>): void {
  textOfEvent(delivery);
}

/** A content as an item, without an intent that is stored apart; `isDense` where the release before does not read it any more. */
export function packEvent(delivery: Pick<Delivery, 'scope' | 'data'>, isDense = false): EventItem {
  return packText(textOfEvent(delivery), isDense);
}

function textOfEvent({ scope, data }: Pick<Delivery, 'scope' | 'data'>): string {
  const parted = partedOf({ scope, data });
  const record = canonicalOf(parted?.own ?? data.record);
  assertSize('The event', Buffer.byteLength(record) + Buffer.byteLength(parted?.intent ?? ''));
  return record;
}

/** A text of a content, as an item. */
export function packText(text: string, isDense = false): EventItem {
  const content = isDense ? packContent(text) : undefined;
  return content ? { content } : { packed: deflated(text) };
}

/** The bytes that an item of a content takes beside its key. */
export function bytesOfEvent({ content, packed, record = '' }: EventItem): number {
  return (content ?? packed)?.length ?? Buffer.byteLength(record);
}

/** The text of a content; throws for one that cannot be read. */
export function textIn(item: Readonly<Record<string, unknown>>): string {
  const { content, packed, record } = item as EventItem;
  if (content) return unpackContent(content);
  return packed ? inflated(packed) : (record ?? '');
}

/** True for a content that is what its key names it: the name is a hash of the text. */
export function isOfName(item: Readonly<Record<string, unknown>>, name: string): boolean {
  try {
    return nameOfText(textIn(item)) === name;
  } catch {
    return false;
  }
}

/** The name of the content of a delivery: content that was signed anew has another name. */
export function eventNameOf({ scope, data }: Pick<Delivery, 'scope' | 'data'>): EventName {
  return { scope, event: data.handle, name: nameOf(partedOf({ scope, data })?.own ?? data.record) };
}

/** The names of contents: the same content is sent to many targets. */
const names = companions<SignedEvent, string>();

function nameOf(record: SignedEvent): string {
  const known = names.get(record);
  if (known !== undefined) return known;
  const name = nameOfText(canonicalOf(record));
  names.set(record, name);
  return name;
}

/** A delivery without its content, as an item. */
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
    ...spreadMemberOf(delivery),
  };
}

/** The number in an item of a delivery, or in its marker. */
export function spreadIn({ spread }: Item): Pick<Delivery, 'spread'> {
  return spread === undefined ? {} : { spread: Number(spread) };
}

/** The state of a delivery, which changes with its attempts. */
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

/** All members of a state. */
export const stateNames: readonly (keyof DeliveryState)[] = [
  'version',
  'status',
  'replay',
  'attempts',
  'due',
  'output',
  'proofs',
];

/** The names of the content of a delivery, and of the intent in it, if stored apart. */
export interface BroughtNames {
  readonly event: EventName;
  readonly intent?: EventName;
}

/** The names in the item of a delivery; undefined where an earlier release stored the content for it alone. */
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

/** The delivery of that name, from its items. */
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
    ...spreadIn(item),
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

/** The part of a delivery that never changes, from its own item or a shared one. */
function broughtIn(
  { brings, hash, moment }: DeliveryItem,
  event: Readonly<Record<string, unknown>>,
  intent: LedgerRecord | undefined,
): Pick<Delivery, 'data' | 'hash' | 'moment'> {
  if (brings !== undefined && hash !== undefined && moment !== undefined) {
    const own = JSON.parse(textIn(event)) as SignedEvent;
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
