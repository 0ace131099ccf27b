/**
 * The work that a bridge has left. An intent whose entries it prepares or carries out keeps it from ending: its commits and
 * aborts are repeated until they succeed. Rulings 12 and 55, Decision 62.
 */
import { LedgerError } from '../ledger/errors.ts';
import { bridgedIn } from '../ledger/intent.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import { search } from '../query/search.ts';

/** The statuses in which bridges have something to do, or may have once it is decided. */
const underWay: readonly string[] = ['processing', 'prepared', 'committed', 'aborted'];

/**
 * Refuses with `record.drop-rejected` to drop a bridge while an intent with an entry at it has not ended.
 */
export async function assertOwesNothing(call: Call, bridge: Version): Promise<void> {
  const { luid, data } = bridge.record;
  const matches = ({ meta }: LedgerRecord) => underWay.includes(meta.status);
  const filter = { path: 'meta.status', operator: '$in', operand: underWay };
  const criteria = {
    listing: { scope: call.ledger.handle, kind: 'intent' as const },
    filters: { all: [filter], matches },
    words: [],
    isExact: true as const,
  };
  const isOf = async (_: LedgerRecord, { record, bridgeLuids }: Version) =>
    bridgedIn({ record }).some((entry) =>
      bridgeLuids ? bridgeLuids[entry.bridge] === luid : entry.bridge === data.handle,
    );
  const [intent] = await search(call, criteria, { index: 0, limit: 1 }, isOf);
  // The error does not name the intent, which the caller may not be allowed to read.
  if (!intent) return;
  throw new LedgerError(
    'record.drop-rejected',
    `Bridge ${data.handle} has yet to carry out an intent.`,
  );
}
