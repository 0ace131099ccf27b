/**
 * A delivery as two items, and back, exactly. What it brings is large and never changes; what changes
 * with each attempt is small. Each lies by itself, so that an attempt writes about a kilobyte.
 */
import type { Delivery } from '../action/deliveries.ts';
import { canonicalOf } from '../crypto/canonical.ts';
import type { DeliveryStatus } from '../ledger/delivery.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { DeliveryName } from './keys.ts';

/** The attributes of what a delivery brings, beside its key. */
export interface EventItem {
  /** Canonical JSON of the delivery's data. Ruling 1. */
  readonly data: string;
  readonly hash: string;
  readonly moment: string;
}

/** The attributes of a delivery, beside its key. */
export interface DeliveryItem {
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

// DynamoDB keeps items of at most 400 KB; keys and names take the rest.
const itemBytesMax = 390 * 1024;

/** What a delivery brings, as an item. */
export function packEvent({ data, hash, moment }: Delivery): EventItem {
  const text = canonicalOf(data);
  assertSize('The event', Buffer.byteLength(text));
  return { data: text, hash, moment };
}

/** What changes with the attempts of a delivery, as an item. */
export function packDelivery(delivery: Delivery): DeliveryItem {
  const { version, status, replay, attempts, dueMs, output, proofs } = delivery;
  const item = {
    version,
    status,
    replay,
    attempts,
    ...(dueMs !== undefined && { due: dueMs }),
    ...(output && { output: canonicalOf(output) }),
    ...(proofs.length > 0 && { proofs: canonicalOf(proofs) }),
  };
  assertSize('The delivery', Buffer.byteLength(`${item.output ?? ''}${item.proofs ?? ''}`));
  return item;
}

/** The delivery of that name that two items hold. */
export function unpackDelivery(
  { scope, subject, luid }: DeliveryName,
  item: Readonly<Record<string, unknown>>,
  event: Readonly<Record<string, unknown>>,
): Delivery {
  const { status, output, proofs } = item as unknown as DeliveryItem;
  const { data, hash, moment } = event as unknown as EventItem;
  return {
    scope,
    subject,
    luid,
    hash,
    data: JSON.parse(data) as Delivery['data'],
    status,
    moment,
    // Numbers arrive as bigints.
    replay: Number(item['replay']),
    attempts: Number(item['attempts']),
    ...(item['due'] !== undefined && { dueMs: Number(item['due']) }),
    ...(output !== undefined && { output: JSON.parse(output) as Record<string, unknown> }),
    proofs: proofs === undefined ? [] : (JSON.parse(proofs) as Delivery['proofs']),
    version: Number(item['version']),
  };
}

function assertSize(title: string, bytes: number): void {
  if (bytes <= itemBytesMax) return;
  const detail = `${title} would take ${bytes} bytes; at most ${itemBytesMax} can be kept.`;
  throw new LedgerError('api.body-malformed', detail, { fault: 'too-large', bytes });
}
