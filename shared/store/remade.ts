/**
 * Contents that are not stored, since they follow from a version of an intent that is: what a bridge is called with, and
 * what it is told of a status. Their delivery keeps the place of the intent, and the ledger's proof. Decision 127.
 */
import { digestOf, hashOf } from '../crypto/digest.ts';
import { requestOf } from '../ledger/call-request.ts';
import { type LedgerRecord, recordAfter, type Version } from '../ledger/record.ts';
import type { CallData, Delivery, SignedEvent } from '../port/deliveries.ts';

/** The attributes of a delivery in place of its content. */
export interface RemadeItem {
  /** JSON of `RemadePlace`. */
  readonly of: string;
  /** Of a call: the key of its proof, 32 bytes, and the result, 64 bytes. */
  readonly signed?: Uint8Array;
}

/** The last change of the version and the one that is told, the handle of the intent, and what the proof says. */
type RemadePlace = readonly [
  version: number,
  change: number,
  handle: string,
  signer?: string,
  moment?: string,
];

const keyBytes = 32;

/** Caches what takes the place of contents: each is asked for several times. */
const known = new WeakMap<SignedEvent, RemadeItem | 'stored'>();

/** The attributes in place of a content; undefined for one that has to be stored. */
export function remadeItemOf({
  data,
  source,
}: Pick<Delivery, 'data' | 'source'>): RemadeItem | undefined {
  if (!source || data.action === undefined) return undefined;
  const before = known.get(data.record);
  if (before) return before === 'stored' ? undefined : before;
  const made = itemOf(data, source);
  known.set(data.record, made ?? 'stored');
  return made;
}

function itemOf(
  data: CallData,
  { version, change }: NonNullable<Delivery['source']>,
): RemadeItem | undefined {
  const { record } = data;
  if (data.action === 'status')
    return { of: JSON.stringify([version, change, record.data.handle] satisfies RemadePlace) };
  const intent = record.data['intent'] as LedgerRecord;
  const [proof, ...others] = record.meta.proofs;
  const { moment } = proof?.custom ?? {};
  if (!proof || proof.signer === undefined || typeof moment !== 'string') return undefined;
  const { signer, public: key, result } = proof;
  const place: RemadePlace = [version, change, intent.data.handle, signer, moment];
  const signed = Uint8Array.from([...Buffer.from(key, 'base64'), ...Buffer.from(result, 'base64')]);
  // A body that would have been too large lacks notes, so it does not follow from its intent.
  const isSame = others.length === 0 && hashOf(callOf(data, intent)) === record.hash;
  return isSame ? { of: JSON.stringify(place), signed } : undefined;
}

/** The place of the intent: its handle, and the last change of the version. */
export function sourceIn({ of }: RemadeItem): { readonly handle: string; readonly source: Source } {
  const [version, change, handle] = JSON.parse(of) as RemadePlace;
  return { handle, source: { version, change } };
}

type Source = NonNullable<Delivery['source']>;

/** The content, made again from the version that has its intent; undefined when that lacks the change. */
export function remade(
  { of, signed }: RemadeItem,
  brings: Omit<CallData, 'record'>,
  version: Version,
): SignedEvent | undefined {
  const [, change, , signer, moment] = JSON.parse(of) as RemadePlace;
  const intent = recordAfter(version, change);
  if (!intent || !signed || signer === undefined || moment === undefined) return intent;
  const data = callOf(brings, intent);
  const hash = hashOf(data);
  const custom = { moment };
  const textAt = (from: number, to?: number) =>
    Buffer.from(signed).subarray(from, to).toString('base64');
  const proof = {
    method: 'ed25519-v2' as const,
    public: textAt(0, keyBytes),
    digest: digestOf(hash, custom),
    result: textAt(keyBytes),
    custom,
    signer,
  };
  return { hash, data, meta: { proofs: [proof] } };
}

function callOf(
  { action, entry, bridge }: Omit<CallData, 'record'>,
  intent: LedgerRecord,
): SignedEvent['data'] {
  return requestOf({ action, bridge, ...(entry !== undefined && { entry }) }, intent).data;
}
