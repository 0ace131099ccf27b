/**
 * What an attempt sends, and to whom: a Standard Webhook, or the same event to a bridge with what shows
 * who calls. Rulings 53 and 59, Decision 36.
 */
import type { Identity, Services } from '../action/action.ts';
import { securityOf } from '../action/bridge-secret.ts';
import type { Delivery, SignedEvent } from '../action/deliveries.ts';
import { inactive } from '../action/effect-status.ts';
import { printed } from '../action/sign.ts';
import { signBytes } from '../crypto/proof.ts';
import { cancelled, type Verdict } from '../ledger/delivery.ts';
import type { Version } from '../ledger/record.ts';
import type { OutgoingRequest } from '../outgoing/send.ts';
import type { BridgeData, SecurityRule } from '../shape/bridge.ts';
import type { EffectData } from '../shape/effect.ts';

const permanent = 'delivery.permanent-failure';
const json = { 'content-type': 'application/json' };

/** The request that tells an effect's target, or why there is none to be told. */
export async function requestFor(
  services: Services,
  ledger: Identity,
  delivery: Delivery,
  effect: Version,
): Promise<OutgoingRequest | Verdict> {
  const { action, handle } = effect.record.data as unknown as EffectData;
  const event = delivery.data.record;
  if (action.schema === 'webhook') return webhook(ledger, action.endpoint, event, services.clock());
  const scope = ledger.handle;
  const want = { what: 'record', scope, kind: 'bridge', handle: action.bridge } as const;
  const [bridge] = await services.store.load([want]);
  if (!bridge) return cancelled(permanent, 'The bridge is gone.');
  if (bridge.record.meta.status === inactive)
    return cancelled(permanent, 'The bridge is inactive.');
  const rules = await securityOf(services, scope, bridge);
  // Tokens come with the other calls of bridges; until then an effect says that it cannot be told.
  if (rules.some(({ schema }) => schema === 'oauth2'))
    return cancelled(permanent, 'Bridges with oauth2 are not called yet.');
  return toBridge(bridge, `/effects/${encodeURIComponent(handle)}`, rules, event);
}

/** The event as a Standard Webhook, signed by the ledger. https://www.standardwebhooks.com, 1.0. */
function webhook(
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
    ...json,
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1a,${signature}`,
  };
  return { endpoint, method: 'POST', headers, body };
}

/** An event that is posted below the base address of a bridge. */
function toBridge(
  { record }: Version,
  path: string,
  rules: readonly SecurityRule[],
  event: SignedEvent,
): OutgoingRequest {
  const { config } = record.data as unknown as BridgeData;
  const url = new URL(config.server);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
  const secure = rules.flatMap((rule) =>
    rule.schema === 'header' ? [[rule.key.toLowerCase(), rule.value] as const] : [],
  );
  const headers = { ...Object.fromEntries(secure), ...json };
  return { endpoint: url.href, method: 'POST', headers, body: printed(event) };
}
