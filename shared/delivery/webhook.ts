/** An event as a Standard Webhook, signed by the ledger. https://www.standardwebhooks.com, 1.0; Ruling 59. */

import { signBytes } from '../crypto/proof.ts';
import type { OutgoingRequest } from '../outgoing/send.ts';
import type { Identity } from '../port/action.ts';
import type { SignedEvent } from '../port/deliveries.ts';
import { printed } from '../record/sign.ts';

/** The request that brings an event to an endpoint. */
export function webhookOf(
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
