/** Consent for what a wallet refers to: the target wallets of its routes, and its bridge. */
import type { RecordData, Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import { changedTargets } from './addressed.ts';
import { allow } from './allow.ts';

/** Refuses a new or changed route to a wallet that the caller may not spend from. Ruling 43, Decision 51. */
export async function allowRoutes(
  call: Call,
  after: RecordData,
  before?: RecordData,
): Promise<void> {
  for (const record of await changedTargets(call, after, before))
    await allow(call, { action: 'spend', kind: 'wallet', record });
}

/** Refuses a wallet at a new bridge that the caller may not update. */
export async function allowBridge(
  call: Call,
  after: RecordData,
  before: RecordData | undefined,
  found: readonly (Version | undefined)[],
): Promise<void> {
  const handle = after['bridge'];
  if (handle === before?.['bridge']) return;
  // A missing bridge is refused with the other references.
  const bridge = found.find((one) => one?.kind === 'bridge' && one.record.data.handle === handle);
  if (bridge) await allow(call, { action: 'update', kind: 'bridge', record: bridge.record });
}
