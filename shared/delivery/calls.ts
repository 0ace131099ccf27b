/**
 * The calls to bridges that an event brings, with their data. A bridge is notified of a status only if it wants to be.
 * Rulings 53 and 54, Decision 54.
 */

import { canonicalOf } from '../crypto/canonical.ts';
import { companions } from '../crypto/companions.ts';
import { assert } from '../ledger/assert.ts';
import { BudgetExceeded } from '../ledger/budget.ts';
import type { BridgeCall } from '../ledger/call.ts';
import { requestOf, withoutNotes } from '../ledger/call-request.ts';
import { isFinal } from '../ledger/intent.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { hasTrait, traitFilters } from '../ledger/trait.ts';
import { type CallData, type SignedEvent, spreadMemberOf } from '../port/deliveries.ts';
import { entryCallHandle, statusCallHandle } from '../record/call-name.ts';
import { livingRecord } from '../record/living.ts';
import { eventBytesMax, type LedgerEvent } from '../signal/event.ts';
import { recordAfter } from '../signal/stood.ts';
import type { AcceptPorts, Bringing } from './accepted.ts';
import { seenIntent } from './seen.ts';
import type { SignFor } from './signing.ts';

/** The deliveries for the calls of an event, in their order. */
export async function callsOf(
  ports: AcceptPorts,
  sign: SignFor,
  event: LedgerEvent,
): Promise<Bringing[]> {
  const { calls = [] } = event;
  if (calls.length === 0) return [];
  const records = await recordsOf(ports, event, calls);
  const all: Bringing[] = [];
  for (const call of calls) {
    const intent = records.intents.get(call.intent ?? '');
    assert(intent, 'an intent never ends');
    const bridge = await calledBridge(ports, event.ledger, call, records);
    if (!bridge) await missed(ports, event, call, intent.record);
    else if (await isWanted(ports, event.ledger, call, { bridge, intent: intent.record }))
      all.push(bringingOf(sign, event, { call, bridge, intent }));
  }
  return all;
}

/** The bridge that the intent began with, also under a new handle. */
async function calledBridge(
  { services }: AcceptPorts,
  scope: string,
  { bridge: handle, intent = '' }: BridgeCall,
  { bridges, intents }: CalledRecords,
): Promise<Version | undefined> {
  const found = bridges.get(handle);
  const luid = intents.get(intent)?.bridgeLuids?.[handle];
  if (luid === undefined || found?.record.luid === luid) return found;
  return livingRecord(services.store, scope, 'bridge', { handle, luid });
}

export interface CalledRecords {
  /** By handle. */
  readonly bridges: ReadonlyMap<string, Version>;
  /** By handle; the intent of the event itself has the empty text. */
  readonly intents: ReadonlyMap<string, CalledIntent>;
}

/** An intent, with its number in a busy ledger, and the luids of its bridges. */
export type CalledIntent = Pick<Version, 'record' | 'spread' | 'bridgeLuids'>;

/** The bridges of the entries, and the intents of the thread that have these entries, as they stood at the event. */
export async function recordsOf(
  { services }: AcceptPorts,
  { ledger: scope, data, spread, bridgeLuids }: LedgerEvent,
  calls: readonly Pick<BridgeCall, 'bridge' | 'intent' | 'intentChange'>[],
): Promise<CalledRecords> {
  const record = data['intent'] as LedgerRecord;
  const others = distinct(calls.flatMap(({ intent }) => intent ?? []));
  const wants = [
    ...distinct(calls.map(({ bridge }) => bridge)).map(wantOfBridge(scope)),
    ...others.map(wantOfIntent(scope)),
  ];
  const { store } = services;
  const found = await store.load(wants);
  const versions = found.flatMap((version) => version ?? []);
  const byHandle = (kind: string) =>
    new Map(
      versions
        .filter((version) => version.kind === kind)
        .map((version) => [version.record.data.handle, version] as const),
    );
  const known = byHandle('intent');
  const changes = new Map(calls.map(({ intent, intentChange }) => [intent, intentChange]));
  const intents = others.flatMap((handle) => {
    const version = known.get(handle);
    if (!version) return [];
    const number = changes.get(handle) ?? version.change;
    return recordAfter(store, scope, version, number).then(
      (stood) => [handle, calledIn(version, stood)] as const,
    );
  });
  const own = calledIn({ spread, bridgeLuids }, record);
  return {
    bridges: byHandle('bridge'),
    intents: new Map<string, CalledIntent>([...(await Promise.all(intents)), ['', own]]),
  };
}

function calledIn(
  { spread, bridgeLuids }: { [Name in 'spread' | 'bridgeLuids']?: Version[Name] | undefined },
  record: LedgerRecord,
): CalledIntent {
  return { record, ...spreadMemberOf({ spread }), ...(bridgeLuids && { bridgeLuids }) };
}

function wantOfBridge(scope: string) {
  return (handle: string) =>
    ({ what: 'record', scope, kind: 'bridge', handle, mayBeRecent: true }) as const;
}

function wantOfIntent(scope: string) {
  return (handle: string) => ({ what: 'record', scope, kind: 'intent', handle }) as const;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/**
 * Handles a call to a bridge that is gone: an entry to prepare fails its intent. After the decision a bridge stays until
 * its intents have ended: where this one has not, that is an error of ours; where it has, nobody is left to be called.
 */
async function missed(
  { refused, report, services }: AcceptPorts,
  { ledger: scope }: LedgerEvent,
  { action, entry, bridge }: BridgeCall,
  { luid, data }: LedgerRecord,
): Promise<void> {
  const { handle } = data;
  if (action === 'prepare' && entry !== undefined) {
    await refused({ scope, luid, handle, entry, bridge });
    return;
  }
  const [intent] = await services.store.load([wantOfIntent(scope)(handle)]);
  if (intent && isFinal(intent.record.meta.status)) return;
  report(new Error(`The bridge ${bridge} is gone, which was to ${action} ${entry ?? handle}.`));
}

/** True for every call but a status that the bridge does not want: the others were decided before. Ruling 54. */
async function isWanted(
  { patternMaker, report, services }: AcceptPorts,
  scope: string,
  { action }: BridgeCall,
  { bridge, intent }: { readonly bridge: Version; readonly intent: LedgerRecord },
): Promise<boolean> {
  if (action !== 'status') return true;
  const seen = await seenIntent(services, scope, intent, traitFilters(bridge.record));
  try {
    return hasTrait(bridge.record, 'statuses', seen, patternMaker);
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) report(error);
    return false;
  }
}

/** A call, its bridge and its intent. */
interface Calling {
  readonly call: BridgeCall;
  readonly bridge: Version;
  readonly intent: CalledIntent;
}

function bringingOf(
  sign: SignFor,
  { ledger: scope, data: { moment } }: LedgerEvent,
  { call, bridge, intent: { record: intent, spread } }: Calling,
): Bringing {
  const { action, entry } = call;
  const handle =
    entry === undefined
      ? statusCallHandle(scope, intent, moment)
      : entryCallHandle(scope, { action, entry });
  const data: CallData = {
    handle,
    bridge: call.bridge,
    ...(entry !== undefined && { entry }),
    action,
    record: action === 'status' ? sentOf(intent) : callOf(sign, call, intent),
    linked: intent.luid,
  };
  return { scope, subject: bridge.record.luid, ...spreadMemberOf({ spread }), data };
}

/** Caches what bridges are told of an intent, one object for all of them: it is stored once. */
const sent = companions<LedgerRecord, SignedEvent>();

/** The record of an intent, with the statements of the ledger among its proofs. */
function sentOf(intent: LedgerRecord): SignedEvent {
  const { luid, hash, data, meta } = intent;
  const known = sent.get(intent) ?? { luid, hash, data: { ...data }, meta };
  sent.set(intent, known);
  return known;
}

function callOf(sign: SignFor, call: BridgeCall, intent: LedgerRecord): SignedEvent {
  const { data } = requestOf(call, intent);
  const fits = Buffer.byteLength(canonicalOf(data)) <= eventBytesMax;
  return sign(fits ? data : withoutNotes(data));
}
