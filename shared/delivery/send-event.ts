/**
 * Publishes an event to the target of an effect. The effect is read for each attempt, so that a new endpoint is called
 * and a dropped effect is not. Rulings 59 and 61, Decision 36.
 */

import { signBytes } from '../crypto/proof.ts';
import { budgetOf, paidFrom, resultOr, unitsFor } from '../ledger/budget.ts';
import { verdictOf } from '../ledger/delivery.ts';
import { type PatternMaker, parseConditions } from '../ledger/match.ts';
import type { Version } from '../ledger/record.ts';
import { covers, traitFilters } from '../ledger/trait.ts';
import { inactive } from '../ledger/vouching.ts';
import type { OutgoingRequest } from '../outgoing/send.ts';
import type { Identity } from '../port/action.ts';
import type { Delivery, SignedEvent } from '../port/deliveries.ts';
import { deactivateEffect } from '../record/advance.ts';
import { reachesIn } from '../record/lineage.ts';
import { livingRecord } from '../record/living.ts';
import { printed, withOwnProofs } from '../record/sign.ts';
import type { BridgeData } from '../shape/bridge.ts';
import type { EffectData } from '../shape/effect.ts';
import { type Attempted, type AttemptPorts, unasked } from './attempted.ts';
import { callBridge } from './bridge.ts';
import { seenEvent } from './seen.ts';

/** Sends the event of a delivery to its target, if there is one. */
export async function sendEvent(
  ports: AttemptPorts,
  ledger: Identity,
  delivery: Delivery,
  effectHandle: string,
): Promise<Attempted> {
  const { scope, subject: luid } = delivery;
  const { store } = ports.services;
  const effect = await livingRecord(store, scope, 'effect', { handle: effectHandle, luid });
  if (!effect) return unasked('The effect is gone.');
  if (effect.record.meta.status === inactive) return unasked('The effect is inactive.');
  const answer = await ask(ports, ledger, delivery, effect);
  // A status that cannot be set must not keep the delivery from its end; the next delivery tries again.
  if (answer.verdict.isGone)
    await deactivateEffect(ports.services, ledger, effect.record).catch(ports.report);
  return answer;
}

async function ask(
  ports: AttemptPorts,
  ledger: Identity,
  { data, attempts }: Delivery,
  effect: Version,
): Promise<Attempted> {
  const { action, handle } = effect.record.data as unknown as EffectData;
  const { services } = ports;
  const nowMs = services.clock();
  const record = withOwnProofs(ledger, data.record, nowMs);
  if (action.schema === 'webhook') {
    const request = webhookOf(ledger, action.endpoint, record, nowMs);
    const outcome = await ports.send(request);
    return { verdict: verdictOf(outcome, attempts + 1), outcome };
  }
  const scope = ledger.handle;
  const want = { what: 'record', scope, kind: 'bridge', handle: action.bridge } as const;
  const [bridge] = await services.store.load([{ ...want, mayBeRecent: true }]);
  if (!bridge) return unasked('The bridge is gone.');
  if (bridge.record.meta.status === inactive) return unasked('The bridge is inactive.');
  const [from, to] = [effect, bridge].map(({ record }) => record.meta.domain);
  const isNear = await reachesIn(services, scope, from, to);
  if (!isNear && !(await reachesIn(services, scope, to, from)))
    return unasked('The bridge is of another domain.');
  const filters = traitFilters(bridge.record);
  const seen = await seenEvent(services, scope, data.record.data, filters);
  const isWanted = resultOr<boolean | undefined>(
    () => wantsToHear(services.patternMaker, bridge, seen),
    () => undefined,
  );
  if (isWanted === undefined)
    return unasked('The conditions of the bridge take too much work to judge.');
  if (!isWanted) return unasked('The bridge does not do effects of this kind.');
  const path = `/effects/${encodeURIComponent(handle)}`;
  const body = printed(record);
  const outcome = await callBridge(ports, scope, bridge, { method: 'POST', path, body });
  return { verdict: verdictOf(outcome, attempts + 1), outcome };
}

/** True when a bridge wants this event; its conditions are on the event, as those of effects. Ruling 53. */
function wantsToHear(patternMaker: PatternMaker, { record }: Version, event: unknown): boolean {
  const paid = paidFrom(budgetOf(unitsFor.effect), patternMaker);
  return covers(record.data as unknown as BridgeData, 'effects', ({ filter = {} }) =>
    parseConditions(filter, paid)(event),
  );
}

/**
 * The request of an event as a Standard Webhook, signed by each key that signs answers now.
 * https://www.standardwebhooks.com, 1.0; Rulings 59 and 99.
 */
function webhookOf(
  ledger: Identity,
  endpoint: string,
  event: SignedEvent,
  nowMs: number,
): OutgoingRequest {
  const body = printed(event);
  const id = event.data.handle;
  const seconds = String(Math.floor(nowMs / 1000));
  const signed = Buffer.from(`${id}.${seconds}.${body}`);
  const signatures = [ledger.key, ledger.former].flatMap((key) =>
    key ? `v1a,${signBytes(signed, key)}` : [],
  );
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  };
  return { endpoint, method: 'POST', headers, body };
}
