/** Finds the record that a delivery or an intent names, also under a new handle. */

import type { Version } from '../ledger/record.ts';
import type { Scope, Store } from '../port/ports.ts';

/**
 * A record by its former handle and its luid, as it was at most a second ago; undefined once it was dropped. Without a
 * luid, as of an intent of an earlier release, it is the one that has the handle.
 */
export async function livingRecord(
  store: Pick<Store, 'load'>,
  scope: Scope,
  kind: 'effect' | 'bridge',
  { handle, luid }: { readonly handle: string; readonly luid?: string | undefined },
): Promise<Version | undefined> {
  const [record] = await store.load([{ what: 'record', scope, kind, handle, mayBeRecent: true }]);
  if (luid === undefined || record?.record.luid === luid) return record;
  const [pointer] = await store.load([{ what: 'pointer', scope, kind, luid }]);
  if (!pointer || pointer.dropped !== undefined) return undefined;
  const [renamed] = await store.load([{ what: 'record', scope, kind, handle: pointer.handle }]);
  return renamed?.record.luid === luid ? renamed : undefined;
}
