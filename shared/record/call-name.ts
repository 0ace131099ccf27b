/**
 * The names of calls to bridges. They follow from what is asked, so that a call is accepted once however often its
 * event comes, and is found by whoever knows what an intent waits for. Ruling 60, Decision 55.
 */
import { namedLuid, timeOfLuid } from '../crypto/luid.ts';
import type { BridgeCall } from '../ledger/call.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Scope } from '../port/ports.ts';

type EntryAction = Pick<BridgeCall, 'action'> & { readonly entry: string };

/** The handle of a call that is about an entry: it has the time of that. */
export function entryCallHandle(scope: Scope, { action, entry }: EntryAction): string {
  const momentMs = timeOfLuid(entry.replace(/^([a-z]{3})_/, '$$$1.'));
  return handleOf(momentMs, `${scope} ${entry} ${action}`);
}

/** The handle of a call that tells how an intent stands, since a moment. */
export function statusCallHandle(
  scope: Scope,
  { luid, meta }: LedgerRecord,
  moment: string,
): string {
  return handleOf(Date.parse(moment), `${scope} ${luid} ${meta.status} status`);
}

function handleOf(ms: number, name: string): string {
  return namedLuid('evt', ms, name).replace('$evt.', 'evt_');
}
