/**
 * The answer to "what does this intent wait for?": its moment, signatures, a decision, or bridges, with the state of each call.
 * Rulings 49 to 51 and 55, Decision 57.
 */
import type { BridgeCall } from '../ledger/call.ts';
import { bridgedIn, expiryOf, isAhead, notBeforeOf, threadOf } from '../ledger/intent.ts';
import type { Version } from '../ledger/record.ts';
import { awaitedCalls } from '../ledger/thread.ts';
import type { Services } from '../port/action.ts';
import { type Delivery, spreadMemberOf } from '../port/deliveries.ts';
import type { Scope } from '../port/ports.ts';
import { entryCallHandle } from '../record/call-name.ts';
import { readerOf } from '../record/reader.ts';
import { deliveryLuidOf } from '../record/resend.ts';
import { momentOf } from '../record/sign.ts';

interface WaitingForWord {
  readonly for: 'moment' | 'signatures' | 'decision';
  /** The moment from which the intent takes effect, ISO 8601 UTC. Ruling 89. */
  readonly from?: string;
  /** The expiry, ISO 8601 UTC. */
  readonly until?: string;
}

/** A bridge has to act on an entry and report it. */
export interface WaitingForBridge {
  readonly for: 'bridge';
  readonly entry: string;
  readonly bridge: string;
  readonly action: BridgeCall['action'];
  /** The acceptance of the call. */
  readonly since: string;
  /** The state of the call: `delivered` means that the report of the bridge is missing. */
  readonly status: Delivery['status'];
  readonly attempts: number;
  /** The next attempt. */
  readonly next?: string;
  /** The last failure. */
  readonly reason?: unknown;
  readonly detail?: unknown;
}

export type WaitingWork = WaitingForWord | WaitingForBridge;

/** Each call is read with its content, so only this many are shown. */
const callCountMax = 20;

type WaitingServices = Pick<Services, 'store' | 'deliveries'>;
type AwaitedEntry = BridgeCall & { readonly entry: string };

/** Everything that the intent waits for, its own calls first; empty once it has ended. */
export async function waitingOf(
  services: WaitingServices,
  scope: Scope,
  version: Version,
): Promise<WaitingWork[]> {
  const { status } = version.record.meta;
  const expiry = expiryOf(version.record);
  const until = expiry === undefined ? {} : { until: expiry };
  if (isAhead(version.record))
    return [{ for: 'moment', from: String(notBeforeOf(version.record)), ...until }];
  if (status === 'pending') return [{ for: 'signatures', ...until }];
  if (status === 'prepared') return [{ for: 'decision', ...until }];
  const awaited = await callsAwaited(services, scope, version, callCountMax);
  const since = version.steps.at(-1)?.moment ?? version.record.meta.moment;
  return awaited.map(({ call, delivery }) => waitingFor(call, since, delivery));
}

/** A call whose report is missing, with its delivery; the courier may not have accepted it yet. */
export interface AwaitedCall {
  readonly call: AwaitedEntry;
  readonly delivery?: Delivery;
}

/** Calls of the thread without a report, those about the intent's own entries first. */
export async function callsAwaited(
  services: WaitingServices,
  scope: Scope,
  version: Version,
  countMax = Number.POSITIVE_INFINITY,
): Promise<AwaitedCall[]> {
  const thread = await threadWith(services, scope, version);
  const calls = awaitedCalls(threadOf(thread)).flatMap((call) =>
    call.entry === undefined ? [] : [{ ...call, entry: call.entry }],
  );
  const own = new Set(bridgedIn(version).map(({ handle }) => handle));
  const ordered = [
    ...calls.filter(({ entry }) => own.has(entry)),
    ...calls.filter(({ entry }) => !own.has(entry)),
  ];
  return withDeliveries(services, scope, thread, ordered.slice(0, countMax));
}

/** All current intents of the thread, the first one first. Ruling 43. */
async function threadWith(
  { store }: WaitingServices,
  scope: Scope,
  version: Version,
): Promise<Version[]> {
  const { record, together = [] } = version;
  const { handle: own } = record.data;
  const others = together.filter((handle) => handle !== own);
  if (others.length === 0) return [version];
  const found = await readerOf(store, scope).records('intent', others);
  const byHandle = new Map(others.map((handle, index) => [handle, found[index]]));
  return together.flatMap((handle) => (handle === own ? version : (byHandle.get(handle) ?? [])));
}

/** Reads the delivery of each call. */
async function withDeliveries(
  { store, deliveries }: WaitingServices,
  scope: Scope,
  thread: readonly Version[],
  calls: readonly AwaitedEntry[],
): Promise<AwaitedCall[]> {
  const spreads = new Map(
    thread.flatMap((one) => bridgedIn(one).map(({ handle }) => [handle, one.spread] as const)),
  );
  const luids = new Map(thread.flatMap(({ bridgeLuids = {} }) => Object.entries(bridgeLuids)));
  const handles = [...new Set(calls.map(({ bridge }) => bridge))];
  // An intent of an earlier release has the handles alone.
  const unknown = handles.filter((handle) => !luids.has(handle));
  const bridges = await readerOf(store, scope).records('bridge', unknown);
  const subjects = new Map<string, string | undefined>([
    ...luids,
    ...unknown.map((handle, index) => [handle, bridges[index]?.record.luid] as const),
  ]);
  return Promise.all(
    calls.map(async (call) => {
      const subject = subjects.get(call.bridge);
      if (subject === undefined) return { call };
      const luid = deliveryLuidOf(entryCallHandle(scope, call), subject);
      const spread = spreadMemberOf({ spread: spreads.get(call.entry) });
      const delivery = await deliveries.readNamed({ scope, subject, luid, ...spread });
      return { call, ...(delivery && { delivery }) };
    }),
  );
}

function waitingFor(
  { entry, bridge, action }: AwaitedEntry,
  since: string,
  delivery: Delivery | undefined,
): WaitingForBridge {
  const named = { for: 'bridge', entry, bridge, action } as const;
  if (!delivery) return { ...named, since, status: 'pending', attempts: 0 };
  const { moment, status, attempts, dueMs, output } = delivery;
  // During an attempt, the due time is a lease and no next attempt.
  const isNext = dueMs !== undefined && status !== 'running';
  const failure = status === 'delivered' ? {} : (output ?? {});
  const { reason, detail } = failure;
  return {
    ...named,
    since: moment,
    status,
    attempts,
    ...(isNext && { next: momentOf(dueMs) }),
    ...(reason !== undefined && { reason }),
    ...(detail !== undefined && { detail }),
  };
}
