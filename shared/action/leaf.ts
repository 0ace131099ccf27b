/** The index of a change's leaf in the log, for callers that ask for it by `include=leaf`. Ruling 101, Decision 118. */
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { logOf } from '../log/leaf.ts';
import type { Call } from '../port/action.ts';
import { refusedParameter } from '../query/moment.ts';

/** The query parameters of an endpoint that answers one record. */
export const leafQuery = { names: ['include'] } as const;

/** A record with the index of the leaf of this change, if that is asked for and there is one. */
export async function withLeaf<Shown extends LedgerRecord>(
  { query, services, ledger }: Call,
  kind: Kind,
  record: Shown,
  change: number,
): Promise<Shown> {
  const [included, ...more] = query['include'] ?? [];
  if (included === undefined) return record;
  if (more.length > 0 || included !== 'leaf')
    throw refusedParameter('include', "takes 'leaf' alone.");
  const log = logOf(ledger.handle, { kind, record });
  const leaf = await services.logs.indexOf(log, record.luid, change);
  return leaf === undefined ? record : { ...record, meta: { ...record.meta, leaf } };
}
