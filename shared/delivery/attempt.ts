/**
 * One attempt of a delivery: who wants it now and where, what they answered, and what that makes of
 * it. The effect is read anew each time, so a new endpoint is called and a dropped effect is not. An
 * attempt may be made twice; the event's handle is the same. Rulings 57, 59 to 61.
 */
import type { Identity, Services } from '../action/action.ts';
import type { Deliveries, Delivery } from '../action/deliveries.ts';
import { inactive, silence } from '../action/effect-status.ts';
import { countersign, momentOf } from '../action/sign.ts';
import { assert } from '../ledger/assert.ts';
import { type AttemptOutcome, cancelled, type Verdict, verdictOf } from '../ledger/delivery.ts';
import type { Version } from '../ledger/record.ts';
import type { OutgoingRequest } from '../outgoing/send.ts';
import { requestFor } from './request.ts';

export interface AttemptPorts {
  readonly services: Services;
  readonly deliveries: Deliveries;
  /** Calls out, safely; never throws for trouble on the way. */
  readonly send: (request: OutgoingRequest) => Promise<AttemptOutcome>;
  /** Told of what went wrong on our side; the delivery is found due again. */
  readonly report: (error: unknown) => void;
}

/** How many attempts a delivery tells of; asked for again and again, it forgets the oldest. */
const proofCountMax = 100;

/** Attempts a delivery; answers it as it stands after, or undefined when another has taken it over. */
export async function attempt(
  ports: AttemptPorts,
  delivery: Delivery,
): Promise<Delivery | undefined> {
  const ledger = await ports.services.identityOf(delivery.scope);
  assert(ledger, 'a delivery belongs to a ledger of this server');
  const effect = await effectOf(ports, delivery);
  const verdict = effect
    ? await verdictOn(ports, ledger, delivery, effect)
    : cancelled('delivery.permanent-failure', 'The effect is gone.');
  // A status that cannot be set must not keep the delivery from its end: the next one tries it again.
  if (verdict.isGone && effect)
    await silence(ports.services, ledger, effect.record).catch(ports.report);
  const next = judged(ports, ledger, delivery, verdict, delivery.attempts + 1);
  return (await ports.deliveries.save(next, delivery)) ? next : undefined;
}

/** Ends a delivery whose target was silent for all of its schedule. Rulings 57 and 60. */
export async function giveUp(ports: AttemptPorts, delivery: Delivery): Promise<void> {
  const ledger = await ports.services.identityOf(delivery.scope);
  assert(ledger, 'a delivery belongs to a ledger of this server');
  const verdict = cancelled('delivery.retry-cap-exhausted', 'The target was silent for too long.');
  await ports.deliveries.save(
    judged(ports, ledger, delivery, verdict, delivery.attempts),
    delivery,
  );
}

/** The effect as it stands, also under a new handle; undefined once it was dropped. */
async function effectOf({ services }: AttemptPorts, delivery: Delivery) {
  const { scope, subject: luid, data } = delivery;
  const [record, pointer] = await services.store.load([
    { what: 'record', scope, kind: 'effect', handle: data.effect },
    { what: 'pointer', scope, kind: 'effect', luid },
  ]);
  if (record?.record.luid === luid) return record;
  if (!pointer || pointer.dropped !== undefined) return undefined;
  const [renamed] = await services.store.load([
    { what: 'record', scope, kind: 'effect', handle: pointer.handle },
  ]);
  return renamed?.record.luid === luid ? renamed : undefined;
}

async function verdictOn(
  ports: AttemptPorts,
  ledger: Identity,
  delivery: Delivery,
  effect: Version,
): Promise<Verdict> {
  if (effect.record.meta.status === inactive)
    return cancelled('delivery.permanent-failure', 'The effect is inactive.');
  const request = await requestFor(ports.services, ledger, delivery, effect);
  if ('status' in request) return request;
  return verdictOf(await ports.send(request), delivery.attempts + 1);
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
  };
}
