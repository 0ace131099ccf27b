/** Who may lay routes: where a wallet's money goes, or comes from, is also said by whoever owns the other end. */
import type { RecordData } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import { changedTargets } from './addressed.ts';
import { allow } from './allow.ts';

/** Refuses new and changed routes to a wallet that the caller may not spend of. Ruling 43, Decision 51. */
export async function allowRoutes(
  call: Call,
  after: RecordData,
  before?: RecordData,
): Promise<void> {
  for (const record of await changedTargets(call, after, before))
    await allow(call, { action: 'spend', kind: 'wallet', record });
}
