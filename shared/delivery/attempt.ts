/**
 * One attempt of a delivery: the request, the answer, and the verdict on it. An attempt may happen twice; its event has
 * the same handle. Rulings 57, 59 to 61.
 */

import { overdueAfterMs } from '../intent/remind.ts';
import { assert } from '../ledger/assert.ts';
import { cancelled, type DeliveryVerdict } from '../ledger/delivery.ts';
import type { Identity } from '../port/action.ts';
import { callIn, type Delivery } from '../port/deliveries.ts';
import { type AttemptSpan, spanned, spans } from '../port/trace.ts';
import { isYetToBeSentAgain } from '../record/resend.ts';
import { countersign, momentOf } from '../record/sign.ts';
import type { Attempted, AttemptPorts } from './attempted.ts';
import { call } from './call.ts';
import { inPlace, Postponed } from './place.ts';
import { sendEvent } from './send-event.ts';

export interface After extends Pick<Attempted, 'outcome'> {
  readonly delivery: Delivery;
}

/** The number of proofs of attempts that a delivery keeps; the oldest go first. */
const proofCountMax = 100;
/** The number of times that an attempt is added while callers keep asking. */
const addCountMax = 5;
/** The wait for another delivery that has to end first, in milliseconds. */
const earlyMs = 1_000;
/** A delivery that is due within this time, in milliseconds, wakes the sweeper. */
export const soonMs = 5_000;

/** Attempts a delivery; returns it as it is stored then, or undefined when another process has taken it over. */
export function attempt(ports: AttemptPorts, delivery: Delivery): Promise<After | undefined> {
  const { clock } = ports.services;
  const startMs = clock();
  const span: AttemptSpan = { delivery, headers: {} };
  return spanned(spans.attempt, span, async () => {
    const after = await attemptNow(withHeaders(ports, span), delivery);
    span.ms = clock() - startMs;
    if (after) span.status = after.delivery.status;
    if (after?.outcome) span.outcome = after.outcome;
    return after;
  });
}

/** Sends the headers of the trace along; those that the target is configured with go first. */
function withHeaders(ports: AttemptPorts, span: AttemptSpan): AttemptPorts {
  const { send } = ports;
  return {
    ...ports,
    send: (request, givenUp) =>
      send({ ...request, headers: { ...span.headers, ...request.headers } }, givenUp),
  };
}

async function attemptNow(ports: AttemptPorts, delivery: Delivery): Promise<After | undefined> {
  const { services, deliveries } = ports;
  const { data } = delivery;
  const ledger = await ledgerOf(ports, delivery);
  let attempted: Attempted | undefined;
  try {
    attempted = await inPlace(ports, delivery, async (own) =>
      data.action === undefined
        ? sendEvent(own, ledger, delivery, data.effect)
        : call(own, ledger, delivery, data),
    );
  } catch (error) {
    if (!(error instanceof Postponed)) throw error;
    return postpone(ports, delivery, error.untilMs, error.message);
  }
  if (!attempted) return postpone(ports, delivery, services.clock() + earlyMs);
  const { verdict, outcome } = attempted;
  const next = judged(ports, ledger, delivery, verdict, delivery.attempts + 1);
  if (attempted.isAwaited) watch(ports, next);
  const isSaved = await deliveries.save(next, delivery);
  if (!isSaved) await addTo(deliveries, next);
  // A delivery without a target is not counted: no subscriber misses it.
  if (isSaved && outcome && next.status === 'cancelled') ports.metric('DeliveryCancelled', 1);
  return isSaved ? { delivery: next, ...(outcome && { outcome }) } : undefined;
}

/**
 * Adds an attempt to a delivery that a caller asked to send again meanwhile, which stays due. One that has begun since is
 * left to whoever attempts it. Ruling 60.
 */
async function addTo(deliveries: AttemptPorts['deliveries'], attempted: Delivery): Promise<void> {
  const { output, proofs } = attempted;
  for (let count = 0; count < addCountMax; count += 1) {
    const current = await deliveries.readNamed(attempted);
    if (!current || !isYetToBeSentAgain(current)) return;
    const all = [...current.proofs, ...proofs.slice(-1)].slice(-proofCountMax);
    const version = current.version + 1;
    const next = { ...current, ...(output && { output }), proofs: all, version };
    if (await deliveries.save(next, current)) return;
  }
}

/** Leaves a delivery for later, without an attempt; `why` is for the owner of the effect or bridge. */
export async function postpone(
  { services, deliveries }: Pick<AttemptPorts, 'services' | 'deliveries'>,
  delivery: Delivery,
  dueMs: number,
  why?: string,
): Promise<After | undefined> {
  const next: Delivery = {
    ...delivery,
    status: 'pending',
    dueMs,
    ...(dueMs - services.clock() <= soonMs && { isSoon: true }),
    ...(why !== undefined && { output: throttled(why) }),
    version: delivery.version + 1,
  };
  return (await deliveries.save(next, delivery)) ? { delivery: next } : undefined;
}

/** The output of a delivery that waits for its ledger. There was no attempt, so there is no proof. */
function throttled(detail: string): Readonly<Record<string, unknown>> {
  return { status: 'pending', reason: 'delivery.throttled', detail };
}

/** Ends a delivery without an attempt. */
export async function end(
  ports: AttemptPorts,
  delivery: Delivery,
  verdict: DeliveryVerdict,
): Promise<void> {
  const ledger = await ledgerOf(ports, delivery);
  await ports.deliveries.save(
    judged(ports, ledger, delivery, verdict, delivery.attempts),
    delivery,
  );
  if (verdict === unansweredTooLong) ports.metric('DeliveryCancelled', 1);
}

/** The verdict on a delivery whose target did not answer in all of its schedule. Rulings 57 and 60. */
export const unansweredTooLong = cancelled(
  'delivery.retry-cap-exhausted',
  'The target was silent for too long.',
);

/** Counts a call for a decision that the bridge has not carried out for too long. Decision 55. */
export function watch({ services, metric }: AttemptPorts, delivery: Delivery): void {
  const action = callIn(delivery)?.action;
  const isDecided = action === 'commit' || action === 'abort';
  if (!isDecided || delivery.status === 'delivered') return;
  if (services.clock() - Date.parse(delivery.moment) > overdueAfterMs) metric('BridgeSilent', 1);
}

async function ledgerOf({ services }: AttemptPorts, { scope }: Delivery): Promise<Identity> {
  const ledger = await services.identityOf(scope);
  assert(ledger, 'a delivery belongs to a ledger of this server');
  return ledger;
}

/** The delivery after a verdict, with the ledger's proof of it. */
function judged(
  { services }: AttemptPorts,
  ledger: Identity,
  delivery: Delivery,
  { status, statement, waitMs }: DeliveryVerdict,
  attempts: number,
): Delivery {
  const nowMs = services.clock();
  const proof = countersign(ledger, delivery.hash, { ...statement, moment: momentOf(nowMs) });
  const { dueMs: _dueMs, ...rest } = delivery;
  return {
    ...rest,
    status,
    attempts,
    output: statement,
    proofs: [...delivery.proofs, proof].slice(-proofCountMax),
    version: delivery.version + 1,
    ...(waitMs !== undefined && { dueMs: nowMs + waitMs }),
    ...(waitMs !== undefined && waitMs <= soonMs && { isSoon: true }),
  };
}
