/**
 * One attempt of a delivery: who is there to be asked now, what they answered, and what that makes of it. An attempt
 * may be made twice; the handle of what it brings is the same. Rulings 57, 59 to 61.
 */

import { silentMs } from '../intent/remind.ts';
import { assert } from '../ledger/assert.ts';
import { cancelled, type Verdict } from '../ledger/delivery.ts';
import type { Identity } from '../port/action.ts';
import { callIn, type Delivery } from '../port/deliveries.ts';
import { countersign, momentOf } from '../record/sign.ts';
import type { Attempted, AttemptPorts } from './attempted.ts';
import { call } from './call.ts';
import { inPlace, PutOff } from './place.ts';
import { tell } from './tell.ts';

/** A delivery after an attempt of it. */
export interface After extends Pick<Attempted, 'outcome'> {
  readonly delivery: Delivery;
}

/** How many attempts a delivery tells of; asked for again and again, it forgets the oldest. */
const proofCountMax = 100;
/** How long a delivery waits for another one to come to its end, in milliseconds. */
const earlyMs = 1_000;
/** Whoever is to be attempted within this time, in milliseconds, is not found by chance: somebody is woken. */
export const soonMs = 5_000;

/** Attempts a delivery; answers it as it stands after, or undefined when another has taken it over. */
export async function attempt(ports: AttemptPorts, delivery: Delivery): Promise<After | undefined> {
  const { services, deliveries } = ports;
  const { data } = delivery;
  const ledger = await ledgerOf(ports, delivery);
  let attempted: Attempted | undefined;
  try {
    attempted = await inPlace(ports, delivery, async (own) =>
      data.action === undefined
        ? tell(own, ledger, delivery, data.effect)
        : call(own, delivery, data),
    );
  } catch (error) {
    if (!(error instanceof PutOff)) throw error;
    return putOff(ports, delivery, error.untilMs, error.message);
  }
  if (!attempted) return putOff(ports, delivery, services.clock() + earlyMs);
  const { verdict, outcome } = attempted;
  const next = judged(ports, ledger, delivery, verdict, delivery.attempts + 1);
  if (attempted.isAwaited) watch(ports, next);
  const isSaved = await deliveries.save(next, delivery);
  // One that nobody was there for is not given up: there is nobody who misses it.
  if (isSaved && outcome && next.status === 'cancelled') ports.metric('DeliveryCancelled', 1);
  return isSaved ? { delivery: next, ...(outcome && { outcome }) } : undefined;
}

/** Leaves a delivery for later, as not attempted; says why where somebody could do something about it. */
export async function putOff(
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

/** Why a delivery waits that may not be attempted now. It is no attempt, so the ledger signs no proof of it. */
function throttled(detail: string): Readonly<Record<string, unknown>> {
  return { status: 'pending', reason: 'delivery.throttled', detail };
}

/** Ends a delivery without an attempt. */
export async function end(
  ports: AttemptPorts,
  delivery: Delivery,
  verdict: Verdict,
): Promise<void> {
  const ledger = await ledgerOf(ports, delivery);
  await ports.deliveries.save(
    judged(ports, ledger, delivery, verdict, delivery.attempts),
    delivery,
  );
  if (verdict === silentTooLong) ports.metric('DeliveryCancelled', 1);
}

/** The verdict on a delivery whose target was silent for all of its schedule. Rulings 57 and 60. */
export const silentTooLong = cancelled(
  'delivery.retry-cap-exhausted',
  'The target was silent for too long.',
);

/** Counts a call that an intent waits for, when it is about a decision that was not carried out for too long. Decision 55. */
export function watch({ services, metric }: AttemptPorts, delivery: Delivery): void {
  const action = callIn(delivery)?.action;
  const isDecided = action === 'commit' || action === 'abort';
  if (!isDecided || delivery.status === 'delivered') return;
  if (services.clock() - Date.parse(delivery.moment) > silentMs) metric('BridgeSilent', 1);
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
  { status, words, waitMs }: Verdict,
  attempts: number,
): Delivery {
  const nowMs = services.clock();
  const proof = countersign(ledger, delivery.hash, { ...words, moment: momentOf(nowMs) });
  const { dueMs: _dueMs, ...rest } = delivery;
  return {
    ...rest,
    status,
    attempts,
    output: words,
    proofs: [...delivery.proofs, proof].slice(-proofCountMax),
    version: delivery.version + 1,
    ...(waitMs !== undefined && { dueMs: nowMs + waitMs }),
    ...(waitMs !== undefined && waitMs <= soonMs && { isSoon: true }),
  };
}
