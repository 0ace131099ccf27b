/**
 * Verifying a webhook, as a receiver does: the signature over id, time and body by the ledger's key
 * (Standard Webhooks 1.0, `v1a`), and that it was made a moment ago. Ruling 59.
 */
import { verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { keyOf } from '../../shared/crypto/key.ts';

/** How old a delivery may be, in seconds; an older one may be a recording. */
const toleranceSeconds = 300;

/** Why the webhook is not to be believed; undefined when it is the ledger's. */
export function faultOf(
  headers: IncomingHttpHeaders,
  body: string,
  ledgerKey: string,
  nowSeconds: number,
): string | undefined {
  const id = String(headers['webhook-id']);
  const seconds = String(headers['webhook-timestamp']);
  const signatures = String(headers['webhook-signature']).split(' ');
  if (!(Math.abs(nowSeconds - Number(seconds)) <= toleranceSeconds)) return 'too old';
  const signed = Buffer.from(`${id}.${seconds}.${body}`);
  const isOfLedger = signatures
    .filter((signature) => signature.startsWith('v1a,'))
    .some((text) => verify(null, signed, keyOf(ledgerKey), Buffer.from(text.slice(4), 'base64')));
  return isOfLedger ? undefined : 'not signed by the ledger';
}
