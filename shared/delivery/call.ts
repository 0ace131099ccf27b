/**
 * Calls a bridge for an entry, or notifies it of an intent. The intent is read before each attempt: a decision, or a
 * report of the bridge, may make the call unnecessary. Rulings 54 to 57, Decision 55.
 */

import { assert } from '../ledger/assert.ts';
import { callPlaceOf } from '../ledger/call.ts';
import { type CallState, callStateOf } from '../ledger/call-state.ts';
import { type DeliveryVerdict, verdictOf } from '../ledger/delivery.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Identity } from '../port/action.ts';
import { type CallData, type Delivery, isRetryRequested } from '../port/deliveries.ts';
import { entryCallHandle } from '../record/call-name.ts';
import { livingRecord } from '../record/living.ts';
import { deliveryLuidOf } from '../record/resend.ts';
import { momentOf, printed, withOwnProofs } from '../record/sign.ts';
import { type Attempted, type AttemptPorts, unasked } from './attempted.ts';
import { callBridge } from './bridge.ts';
import { tokenMsMax } from './tokens.ts';

/** The part of a lease that an attempt may take, in milliseconds: for a token, for the call, and to save. */
export const attemptMsMax = tokenMsMax + 12_000;
/** The most by which the clocks of two processes differ, in milliseconds. */
const skewMs = 60_000;
/** The time in which all who accepted a call at once have ended their first attempts: two leases, and that. */
const firstMsMax = 120_000 + skewMs;

/** Makes the call of a delivery, unless it is too late for it; returns undefined when it is too early. */
export async function call(
  ports: AttemptPorts,
  ledger: Identity,
  delivery: Delivery,
  data: CallData,
): Promise<Attempted | undefined> {
  const { scope, subject: luid, attempts } = delivery;
  const [source, bridge] = await Promise.all([
    callStateNow(ports, delivery, data),
    livingRecord(ports.services.store, scope, 'bridge', { handle: data.bridge, luid }),
  ]);
  if (source.end) return { verdict: source.end };
  if (!bridge) {
    await refuse(ports, delivery, data);
    return unasked('The bridge is gone.');
  }
  if (await isTooEarly(ports, delivery, data)) return undefined;
  const place = callPlaceOf(data, data.record.data.handle);
  const body = printed(withOwnProofs(ledger, data.record, ports.services.clock()));
  const outcome = await callBridge(ports, scope, bridge, { ...place, body });
  if (outcome.kind === 'answered' && outcome.status === 501) await refuse(ports, delivery, data);
  const verdict = verdictOf(outcome, attempts + 1, source);
  return { verdict: inTime(ports, verdict, source), outcome, isAwaited: source.isEndless };
}

/** The verdict, with the next attempt no later than the moment from which on there is none. */
function inTime(
  { services }: AttemptPorts,
  { waitMs, ...verdict }: DeliveryVerdict,
  { until }: { readonly until?: string },
): DeliveryVerdict {
  if (waitMs === undefined) return verdict;
  const leftMs = until === undefined ? waitMs : Date.parse(until) - services.clock();
  return { ...verdict, waitMs: Math.min(waitMs, Math.max(0, leftMs)) };
}

/** The state of a call, by the intent as it is stored now. */
export async function callStateNow(
  { services }: Pick<AttemptPorts, 'services'>,
  delivery: Delivery,
  { action, entry, record }: CallData,
): Promise<CallState> {
  if (entry === undefined) return { isEndless: false };
  const { handle } = (record.data['intent'] as LedgerRecord).data;
  const want = { what: 'record', scope: delivery.scope, kind: 'intent', handle } as const;
  const [intent] = await services.store.load([want]);
  assert(intent, 'an intent never ends');
  const request = { action, entry, isRepeatRequested: isRetryRequested(delivery) };
  return callStateOf(request, intent, momentOf(services.clock()));
}

/** Fails the intent of an entry that cannot be prepared; a decision stays. Ruling 57. */
async function refuse(
  { refused }: AttemptPorts,
  { scope }: Delivery,
  { action, entry, bridge, record, linked: luid }: CallData,
): Promise<void> {
  if (action !== 'prepare' || entry === undefined) return;
  const { handle } = (record.data['intent'] as LedgerRecord).data;
  await refused({ scope, luid, handle, entry, bridge });
}

/**
 * True while another process may still ask the bridge for the first time to prepare the entry that is to be aborted: a
 * bridge must not receive that after `abort`. Decision 127.
 */
async function isTooEarly(
  ports: AttemptPorts,
  delivery: Delivery,
  { action, entry }: CallData,
): Promise<boolean> {
  if (action !== 'abort' || entry === undefined) return false;
  const nowMs = ports.services.clock();
  const { scope, subject, moment } = delivery;
  const handle = entryCallHandle(scope, { action: 'prepare', entry });
  // Both are about the same intent.
  const prepare = await ports.deliveries.readNamed({
    ...delivery,
    luid: deliveryLuidOf(handle, subject),
  });
  if (mayBeginElsewhere(ports, prepare, nowMs)) {
    const leftMs = Date.parse(moment) + attemptMsMax - nowMs;
    // A moment of the future is of a clock that was set back since. Decision 87.
    if (leftMs > 0 && leftMs <= attemptMsMax + skewMs) return true;
  }
  const isOpen = prepare?.status === 'running' || prepare?.status === 'pending';
  return isOpen && (prepare.dueMs ?? 0) > nowMs;
}

/**
 * True while a process may be at its first attempt of a prepare without having stored it, if that began before the abort
 * was accepted: a later one finds the intent decided. One that was stored by another process is no sign that there is none,
 * unless the bridge has accepted it, and so knows the entry.
 */
function mayBeginElsewhere(
  { room }: AttemptPorts,
  prepare: Delivery | undefined,
  nowMs: number,
): boolean {
  if (!prepare) return true;
  if (prepare.status === 'delivered' || room.isOnly) return false;
  return nowMs - Date.parse(prepare.moment) <= firstMsMax;
}
