/**
 * Rate limit of token requests, by client and by address, over all processes. Secrets cannot be guessed; the limit
 * bounds the cost of trying. One address cannot use up the limit of a client. Ruling 28, Decision 35.
 */
import { isIPv6 } from 'node:net';
import { hashOf } from '../crypto/digest.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Identity, Services } from '../port/action.ts';

/** The time window of the limit, in milliseconds. */
const windowMs = 60_000;
/** The cost of an attempt, and once more when it fails. */
const points = 1;
/** Points per window for an address, and for a client. */
const addressPointsMax = 120;
const clientPointsMax = 480;
/** The owner of an IPv6 address controls the whole /64: RFC 6177. */
const ownGroupCount = 4;
const groupCount = 8;

export interface TokenRequester {
  readonly client: string;
  readonly address: string;
}

/** Counts an attempt; refuses with `api.rate-limit-exceeded` and `retry-after`. */
export async function assertRateLimit(
  services: Services,
  ledger: Identity,
  requester: TokenRequester,
): Promise<void> {
  const nowMs = services.clock();
  const startMs = nowMs - (nowMs % windowMs);
  const endMs = startMs + windowMs;
  const stretch = { scope: ledger.handle, startMs, endMs, points };
  // The address is counted first, so that an address over its limit costs the client nothing.
  for (const [who, pointsMax] of countersOf(requester)) {
    const isFew = await services.notes.attempt({ ...stretch, who, pointsMax });
    if (!isFew) throw tooMany(Math.ceil((endMs - nowMs) / 1000));
  }
}

export async function countFailure(
  services: Services,
  ledger: Identity,
  requester: TokenRequester,
): Promise<void> {
  // A failure that reaches the limit is refused at the next attempt.
  await assertRateLimit(services, ledger, requester).catch((error: unknown) => {
    if (!(error instanceof LedgerError && error.reason === 'api.rate-limit-exceeded')) throw error;
  });
}

function countersOf({
  client,
  address,
}: TokenRequester): readonly (readonly [who: string, max: number])[] {
  return [
    [hashOf(['address', blockOf(address)]), addressPointsMax],
    [hashOf(['client', client]), clientPointsMax],
  ];
}

/** The part of an address that its owner cannot vary. */
function blockOf(address: string): string {
  const [, ipv4] = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address) ?? [];
  if (ipv4 !== undefined || !isIPv6(address)) return ipv4 ?? address;
  const [head = '', tail = ''] = address.split('::');
  const [before, after] = [head, tail].map((part) => part.split(':').filter((one) => one !== ''));
  const missing = groupCount - (before?.length ?? 0) - (after?.length ?? 0);
  const groups = [...(before ?? []), ...Array(Math.max(0, missing)).fill('0'), ...(after ?? [])];
  return groups.slice(0, ownGroupCount).join(':');
}

function tooMany(seconds: number): LedgerError {
  const headers = { 'retry-after': String(seconds) };
  const detail = `Too many attempts; try again in ${seconds} seconds.`;
  return new LedgerError('api.rate-limit-exceeded', detail, undefined, headers);
}
