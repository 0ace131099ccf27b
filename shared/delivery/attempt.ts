/**
 * One attempt of a delivery: who wants it now and where, what they answered, and what that makes of
 * it. The effect is read anew each time, so a new endpoint is called and a dropped effect is not. An
 * attempt may be made twice; the event's handle is the same. Rulings 57, 59 to 61.
 */
import type { Identity, Services } from '../action/action.ts';
import type { Deliveries, Delivery, SignedEvent } from '../action/deliveries.ts';
import { inactive, setEffectStatus } from '../action/effect-status.ts';
import { countersign, momentOf, printed } from '../action/sign.ts';
import { signBytes } from '../crypto/proof.ts';
import { assert } from '../ledger/assert.ts';
import { type AttemptOutcome, cancelled, type Verdict, verdictOf } from '../ledger/delivery.ts';
import type { Version } from '../ledger/record.ts';
import type { OutgoingRequest } from '../outgoing/send.ts';
import type { EffectData } from '../shape/effect.ts';

export interface AttemptPorts {
  readonly services: Services;
  readonly deliveries: Deliveries;
  /** Calls out, safely; never throws for trouble on the way. */
  readonly send: (request: OutgoingRequest) => Promise<AttemptOutcome>;
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
  if (verdict.isGone && effect)
    await setEffectStatus(ports.services, ledger, effect.record, inactive);
  const next = judged(ports, ledger, delivery, verdict);
  return (await ports.deliveries.save(next, delivery)) ? next : undefined;
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
  const { action } = effect.record.data as unknown as EffectData;
  assert(action.schema === 'webhook', 'an effect is told by webhook');
  const request = requestOf(ledger, action.endpoint, delivery.data.record, ports.services.clock());
  return verdictOf(await ports.send(request), delivery.attempts + 1);
}

/** The event as a Standard Webhook, signed by the ledger. https://www.standardwebhooks.com, 1.0. */
function requestOf(
  ledger: Identity,
  endpoint: string,
  event: SignedEvent,
  nowMs: number,
): OutgoingRequest {
  const body = printed(event);
  const id = event.data.handle;
  const seconds = String(Math.floor(nowMs / 1000));
  const signature = signBytes(Buffer.from(`${id}.${seconds}.${body}`), ledger.key);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1a,${signature}`,
  };
  return { endpoint, method: 'POST', headers, body };
}

/** The delivery after a verdict, with the ledger's proof of it. */
function judged(
  { services }: AttemptPorts,
  ledger: Identity,
  delivery: Delivery,
  { status, words, waitMs }: Verdict,
): Delivery {
  const nowMs = services.clock();
  const proof = countersign(ledger, delivery.hash, { ...words, moment: momentOf(nowMs) });
  const { dueMs: _dueMs, ...rest } = delivery;
  return {
    ...rest,
    status,
    attempts: delivery.attempts + 1,
    output: words,
    proofs: [...delivery.proofs, proof].slice(-proofCountMax),
    version: delivery.version + 1,
    ...(waitMs !== undefined && { dueMs: nowMs + waitMs }),
  };
}
