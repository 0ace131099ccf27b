/**
 * Builds the HTTP request of a call to a bridge from the call and its intent. The body depends on these two alone, so
 * that every retry sends the same bytes. Rulings 42 and 54, Decision 54.
 */
import type { Claim, ClaimReference, IntentData } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import { alterationOf } from './alteration.ts';
import { assert } from './assert.ts';
import { type BridgeCall, type CallPlace, callPlaceOf } from './call.ts';
import { type ResolvedEntry, resolvedIn } from './intent.ts';
import type { LedgerRecord } from './record.ts';

/** The request before the ledger signs it. */
export interface CallRequest extends CallPlace {
  readonly data: Readonly<Record<string, unknown>> & { readonly handle: string };
}

/** A wallet as the bridge sees it: the handle, and the author's `custom` where the claims agree. Rulings 42 and 45. */
interface CallAddress {
  readonly handle: string;
  readonly custom?: Readonly<Record<string, unknown>>;
}

const namePrefix = /^(deb|cre)_/;

/** The request of a call. A status call sends the data of the intent itself. Ruling 54. */
export function requestOf(call: BridgeCall, intent: LedgerRecord): CallRequest {
  const { action } = call;
  if (action === 'status')
    return { ...callPlaceOf(call, intent.data.handle), data: { ...intent.data } };
  const entry = resolvedIn(intent).find(({ handle }) => handle === call.entry);
  assert(entry, 'a call is about an entry of its intent');
  const { handle } = entry;
  const data = action === 'prepare' ? preparationOf(entry, intent) : { handle, action, intent };
  return { ...callPlaceOf(call, handle), data };
}

/** Leaves out the `custom` of addresses and claims, for a body that would be too large; `intent` still has them. */
export function withoutNotes(data: CallRequest['data']): CallRequest['data'] {
  const bare = ['source', 'target'].flatMap((side) => {
    const address = data[side] as CallAddress | undefined;
    return address ? [[side, { handle: address.handle }] as const] : [];
  });
  const { custom: _notes, ...rest } = data as typeof data & { readonly custom?: unknown };
  return { ...rest, ...Object.fromEntries(bare) } as CallRequest['data'];
}

function preparationOf(entry: ResolvedEntry, intent: LedgerRecord): CallRequest['data'] {
  const { handle, schema, amount, symbol, inputs } = entry;
  const { claims } = intent.data as unknown as IntentData;
  const own = inputs.flatMap((input) => claims[input] ?? []);
  const source = sharedOf(own.flatMap((claim) => ('source' in claim ? claim.source : [])));
  const target = sharedOf(own.flatMap((claim) => ('target' in claim ? claim.target : [])));
  const custom = sharedNotesOf(own);
  return {
    handle,
    luid: handle.replace(namePrefix, '$ben.'),
    schema,
    amount,
    symbol: { handle: symbol },
    ...(source && { source }),
    ...(target && { target }),
    ...(custom && { custom }),
    inputs,
    intent,
  };
}

/** The address that all claims share; its `custom` is left out where they differ. */
function sharedOf(references: readonly ClaimReference[]): CallAddress | undefined {
  const [first, ...others] = references.map(addressOf);
  if (!first || others.some(({ handle }) => handle !== first.handle)) return undefined;
  return others.every(({ custom }) => isSame(custom, first.custom))
    ? first
    : { handle: first.handle };
}

/** The `custom` that all claims share; undefined where they differ. Ruling 77. */
function sharedNotesOf([first, ...others]: readonly Claim[]): CallAddress['custom'] {
  return others.every(({ custom }) => isSame(custom, first?.custom)) ? first?.custom : undefined;
}

function addressOf(reference: ClaimReference): CallAddress {
  const custom = typeof reference === 'string' ? undefined : reference.custom;
  return { handle: handleOf(reference), ...(custom && { custom }) };
}

function isSame(one: CallAddress['custom'] = {}, other: CallAddress['custom'] = {}): boolean {
  return Object.keys(alterationOf(one, other)).length === 0;
}
