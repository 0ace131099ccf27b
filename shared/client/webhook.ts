/** Verification of a webhook in one call. Ruling 59, Standard Webhooks 1.0 (`v1a`). */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { parseExactly } from './answer.ts';
import type { ApiSchemas } from './answer-types.ts';
import { hashOf, isProofOf, isSigned } from './digest.ts';

/** The event that a ledger has sent. */
export interface WebhookEvent {
  readonly hash: string;
  readonly data: Readonly<Record<string, unknown>> & {
    /** `evt_…`: an event may come twice, with the same handle. */
    readonly handle: string;
    readonly signal: string;
  };
  readonly meta: { readonly proofs: readonly ApiSchemas['Proof'][] };
}

/** The request is not the ledger's, or not of now. The message says why, and nothing of the content. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
}

type Headers =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, unknown>>;

export interface WebhookOptions {
  /**
   * The public key of the ledger: `Ledger.key`, or `data.public` of its signer `system`. After a rotation, all that
   * `ledgerKeysOf` tells.
   */
  readonly key: string | readonly string[];
  /** The greatest age of a request, in seconds: 300 by default. An older one may be a recording. */
  readonly toleranceSeconds?: number;
}

/**
 * The event of a webhook, if the ledger has signed it and it is of now; throws `WebhookRefused` otherwise. `body` is the
 * text as it came, not parsed and printed again. Keep the handles of the events that you have taken: one may come twice.
 */
export function verifyWebhook(
  headers: Headers,
  body: string,
  { key, toleranceSeconds = 300 }: WebhookOptions,
): WebhookEvent {
  const id = headerOf(headers, 'webhook-id');
  const seconds = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(seconds)) throw new WebhookRefused('It has no time.');
  if (Math.abs(Date.now() / 1000 - Number(seconds)) > toleranceSeconds)
    throw new WebhookRefused('Its time is too far from now.');
  const keys = [key].flat();
  const signed = utf8ToBytes(`${id}.${seconds}.${body}`);
  const isOfLedger = signatures
    .split(' ')
    .filter((one) => one.startsWith('v1a,'))
    .some((one) => keys.some((by) => isSigned(signed, one.slice('v1a,'.length), by)));
  if (!isOfLedger) throw new WebhookRefused('It is not signed by the ledger.');
  return eventIn(body, id, keys);
}

/** The event in a body that the ledger has signed, which it has signed as a record, too. */
function eventIn(body: string, id: string, keys: readonly string[]): WebhookEvent {
  const event = parseExactly(body) as WebhookEvent;
  const isRecord =
    event.data.handle === id &&
    event.hash === hashOf(event.data) &&
    event.meta.proofs.some((proof) => keys.includes(proof.public) && isProofOf(event.hash, proof));
  if (!isRecord) throw new WebhookRefused('Its event is not signed by the ledger.');
  return event;
}

function headerOf(headers: Headers, name: string): string {
  const value =
    typeof headers['get'] === 'function'
      ? headers['get'](name)
      : (headers as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : '';
}
