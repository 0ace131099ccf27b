/** Finds the record that a delivery names, also under a new handle. */

import type { Version } from '../ledger/record.ts';
import type { Scope, Store } from '../port/ports.ts';

/** A record by its former handle and its luid, as it was at most a second ago; undefined once it was dropped. */
export async function livingRecord(
  store: Pick<Store, 'load'>,
  scope: Scope,
  kind: 'effect' | 'bridge',
  { handle, luid }: { readonly handle: string; readonly luid: string },
): Promise<Version | undefined> {
  const [record] = await store.load([{ what: 'record', scope, kind, handle, mayBeRecent: true }]);
  if (record?.record.luid === luid) return record;
  const [pointer] = await store.load([{ what: 'pointer', scope, kind, luid }]);
  if (!pointer || pointer.dropped !== undefined) return undefined;
  const [renamed] = await store.load([{ what: 'record', scope, kind, handle: pointer.handle }]);
  return renamed?.record.luid === luid ? renamed : undefined;
}
