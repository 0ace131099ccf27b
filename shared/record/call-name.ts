/**
 * Handles of calls to bridges. They are derived from the content of a call. A call is therefore accepted once,
 * however often its event comes, and can be found from the intent that awaits it. Ruling 60, Decision 55.
 */
import { namedLuid, timeOfLuid } from '../crypto/luid.ts';
import type { BridgeCall } from '../ledger/call.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Scope } from '../port/ports.ts';

type EntryAction = Pick<BridgeCall, 'action'> & { readonly entry: string };

/** The handle of a call about an entry. Its time is that of the entry. */
export function entryCallHandle(scope: Scope, { action, entry }: EntryAction): string {
  const momentMs = timeOfLuid(entry.replace(/^([a-z]{3})_/, '$$$1.'));
  return handleOf(momentMs, `${scope} ${entry} ${action}`);
}

/** The handle of a call that tells a bridge the status of an intent, with the moment of that status as its time. */
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
