/**
 * The content of a delivery, in two parts. Each call of a transition contains the whole intent, and so does each event
 * of its entries: eighty of them would store it eighty times. A long intent is stored once for all contents that have
 * it as it stood, and put back when they are read. The split depends on the content alone, so it is the same each time.
 * Decision 86.
 */

import { createHash } from 'node:crypto';
import { canonicalOf } from '../crypto/canonical.ts';
import { companions } from '../crypto/companions.ts';
import type { PlainObject } from '../ledger/compare.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Delivery, SignedEvent } from '../port/deliveries.ts';
import type { EventName } from './keys.ts';

/** A content without its intent, and the intent. */
export interface Parted {
  readonly own: SignedEvent;
  /** Canonical JSON. */
  readonly intent: string;
  readonly name: EventName;
}

/** A shorter intent stays in the content: that costs less than an item of its own. */
const intentBytesMin = 16 * 1024;
/** The length of a name, in characters of a hash: 132 bits. */
const nameLength = 22;
const entryMember = 'bridge-entry';

/** Intents as text: those of one transition are one object. */
const kept = companions<object, { readonly text: string; readonly name: string }>();
const parted = companions<SignedEvent, Parted | 'whole'>();

export function nameOfText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, nameLength);
}

/** The two parts of a content; undefined when it is stored whole. */
export function partedOf({ scope, data }: Pick<Delivery, 'scope' | 'data'>): Parted | undefined {
  const known = parted.get(data.record);
  if (known) return known === 'whole' ? undefined : known;
  const made = parts(scope, data);
  parted.set(data.record, made ?? 'whole');
  return made;
}

/** The content, from its two parts. */
export function joined(own: SignedEvent, intent: LedgerRecord): SignedEvent {
  return { ...own, data: changed(own.data, (holder) => ({ ...holder, intent })) };
}

function parts(scope: string, { record, linked }: Delivery['data']): Parted | undefined {
  let intent: Partial<LedgerRecord> | undefined;
  const data = changed(record.data, ({ intent: found, ...rest }) => {
    intent = found as typeof intent;
    return rest;
  });
  // The intent is found by the luid of the record that the delivery is about.
  if (intent?.luid !== linked) return undefined;
  const { text, name } = keptOf(intent);
  if (Buffer.byteLength(text) < intentBytesMin) return undefined;
  return { own: { ...record, data }, intent: text, name: { scope, event: linked, name } };
}

function keptOf(intent: object): { readonly text: string; readonly name: string } {
  const known = kept.get(intent);
  if (known) return known;
  const text = canonicalOf(intent);
  const made = { text, name: nameOfText(text) };
  kept.set(intent, made);
  return made;
}

/** The data of a content with its intent changed: an event of an entry has the intent in the entry. */
function changed(
  data: SignedEvent['data'],
  change: (holder: PlainObject) => PlainObject,
): SignedEvent['data'] {
  const entry = data[entryMember] as { readonly data: PlainObject } | undefined;
  const inEntry = entry && { ...data, [entryMember]: { ...entry, data: change(entry.data) } };
  return { ...(inEntry ?? change(data)), handle: data.handle };
}
