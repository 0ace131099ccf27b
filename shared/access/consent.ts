/** Consent of the other end to what a wallet names: the wallets that its routes lead to, and its bridge. */
import type { RecordData, Version } from '../ledger/record.ts';
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

/** Refuses a wallet at a bridge that its author neither owns nor may update; a bridge that stays needs nothing again. */
export async function allowBridge(
  call: Call,
  after: RecordData,
  before: RecordData | undefined,
  found: readonly (Version | undefined)[],
): Promise<void> {
  const handle = after['bridge'];
  if (handle === before?.['bridge']) return;
  // One that is not there is refused where all that is named is looked for.
  const bridge = found.find((one) => one?.kind === 'bridge' && one.record.data.handle === handle);
  if (bridge) await allow(call, { action: 'update', kind: 'bridge', record: bridge.record });
}
