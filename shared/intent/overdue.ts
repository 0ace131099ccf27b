/**
 * The times of intents: their moment, their expiry, and the reason that is recorded. Rulings 47, 50, 57
 * and 89, Decision 66.
 */
import { expired, expiryOf, isAhead, notBeforeOf } from '../ledger/intent.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Services } from '../port/action.ts';
import type { Scope } from '../port/ports.ts';
import type { ThreadFailure } from './thread.ts';
import { waitingOf } from './waiting.ts';

/** True while an intent waits for its moment. Texts of moments sort as times. */
export function isEarly(record: LedgerRecord, moment: string): boolean {
  const notBefore = notBeforeOf(record);
  return notBefore !== undefined && moment < notBefore;
}

/** True when the moment of an intent has come, and the ledger has not looked at it since. */
export function isDue(record: LedgerRecord, moment: string): boolean {
  return isAhead(record) && !isEarly(record, moment);
}

/** True when an undecided thread has reached its expiry. Texts of moments sort as times. */
export function isExpired(
  members: readonly { readonly record: LedgerRecord }[],
  moment: string,
): boolean {
  const [first] = members;
  const expiry = first && expiryOf(first.record);
  return expiry !== undefined && moment >= expiry;
}

/** The failure reason of an expired thread. It names a bridge that could not be called, if there is one. */
export async function expiryReason(
  services: Pick<Services, 'store' | 'deliveries'>,
  scope: Scope,
  version: Version,
): Promise<ThreadFailure> {
  const waiting = await waitingOf(services, scope, version);
  const unreached = waiting.find((one) => one.for === 'bridge' && one.status !== 'delivered');
  if (unreached?.for !== 'bridge') return expired;
  const { bridge, entry } = unreached;
  const detail = `Bridge ${bridge} could not be asked about the entry ${entry} before the time was over.`;
  return { reason: 'core.bridge-unreachable', detail };
}
