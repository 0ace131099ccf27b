/**
 * How often somebody may try to get a token: counted by the client that is named and by the address that it
 * comes from, over all functions. Secrets cannot be guessed; what is kept small is what trying costs the
 * service. One address alone does not use up what a client has. Ruling 28, Decision 35.
 */
import { isIPv6 } from 'node:net';
import { hashOf } from '../crypto/digest.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Identity, Services } from '../port/action.ts';

/** How long a stretch is in which attempts are counted, in milliseconds. */
const windowMs = 60_000;
/** What an attempt costs at first, and once more when it fails. */
const points = 1;
/** How many points a stretch has for an address, and for a client. */
const addressPointsMax = 120;
const clientPointsMax = 480;
/** Whoever has one IPv6 address has all that begin like it: RFC 6177. */
const ownGroupCount = 4;
const groupCount = 8;

/** Who tries. */
export interface Trier {
  readonly client: string;
  readonly address: string;
}

/** Counts an attempt; refuses when there were too many. */
export async function assertFewAttempts(
  services: Services,
  ledger: Identity,
  trier: Trier,
): Promise<void> {
  const nowMs = services.clock();
  const startMs = nowMs - (nowMs % windowMs);
  const endMs = startMs + windowMs;
  const stretch = { scope: ledger.handle, startMs, endMs, points };
  // The address first: whoever is over it then costs the client nothing.
  for (const [who, pointsMax] of countersOf(trier)) {
    const isFew = await services.notes.attempt({ ...stretch, who, pointsMax });
    if (!isFew) throw tooMany(Math.ceil((endMs - nowMs) / 1000));
  }
}

/** Counts that an attempt has failed. */
export async function countFailure(
  services: Services,
  ledger: Identity,
  trier: Trier,
): Promise<void> {
  // Whoever is at the limit with this is told so with the next attempt.
  await assertFewAttempts(services, ledger, trier).catch((error: unknown) => {
    if (!(error instanceof LedgerError && error.reason === 'api.rate-limit-exceeded')) throw error;
  });
}

function countersOf({ client, address }: Trier): readonly (readonly [who: string, max: number])[] {
  return [
    [hashOf(['address', blockOf(address)]), addressPointsMax],
    [hashOf(['client', client]), clientPointsMax],
  ];
}

/** What of an address its owner cannot choose at will. */
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
