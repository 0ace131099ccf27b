/**
 * What a bridge is asked, and where: from a call and the intent that it is for to a request. The body follows from
 * both, so that it is the same however often it is made. Rulings 42 and 54, Decision 54.
 */
import type { Claim, IntentData, Party } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import { alterationOf } from './alteration.ts';
import { assert } from './assert.ts';
import { type BridgeCall, type CallPlace, callPlaceOf } from './call.ts';
import { type ResolvedEntry, resolvedIn } from './intent.ts';
import type { LedgerRecord } from './record.ts';

/** What it is asked there; what is sent is this, signed by the ledger. */
export interface CallRequest extends CallPlace {
  readonly data: Readonly<Record<string, unknown>> & { readonly handle: string };
}

/** A wallet as a claim names it. Rulings 42 and 45. */
interface Address {
  readonly handle: string;
  readonly custom?: Readonly<Record<string, unknown>>;
}

const namePrefix = /^(deb|cre)_/;

/** What a call asks of its bridge. Of a status, the data is the intent's own. Ruling 54. */
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

/** The same without what authors wrote beside addresses and claims, where it would be too large: the intent has that too. */
export function withoutNotes(data: CallRequest['data']): CallRequest['data'] {
  const bare = ['source', 'target'].flatMap((side) => {
    const address = data[side] as Address | undefined;
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

/** What several claims say in the same way; what they do not share is left out. */
function sharedOf(parties: readonly Party[]): Address | undefined {
  const [first, ...others] = parties.map(addressOf);
  if (!first || others.some(({ handle }) => handle !== first.handle)) return undefined;
  return others.every(({ custom }) => isSame(custom, first.custom))
    ? first
    : { handle: first.handle };
}

/** What authors wrote beside each of some claims, where it is the same. Ruling 77. */
function sharedNotesOf([first, ...others]: readonly Claim[]): Address['custom'] {
  return others.every(({ custom }) => isSame(custom, first?.custom)) ? first?.custom : undefined;
}

function addressOf(party: Party): Address {
  const custom = typeof party === 'string' ? undefined : party.custom;
  return { handle: handleOf(party), ...(custom && { custom }) };
}

function isSame(one: Address['custom'] = {}, other: Address['custom'] = {}): boolean {
  return Object.keys(alterationOf(one, other)).length === 0;
}
