/** Finds the record that a delivery names, also under a new handle. */

import type { Version } from '../ledger/record.ts';
import type { Scope, Store } from '../port/ports.ts';

/** A record by its former handle and its luid; undefined once it was dropped. */
export async function livingRecord(
  store: Pick<Store, 'load'>,
  scope: Scope,
  kind: 'effect' | 'bridge',
  { handle, luid }: { readonly handle: string; readonly luid: string },
): Promise<Version | undefined> {
  const [record, pointer] = await store.load([
    { what: 'record', scope, kind, handle },
    { what: 'pointer', scope, kind, luid },
  ]);
  if (record?.record.luid === luid) return record;
  if (!pointer || pointer.dropped !== undefined) return undefined;
  const [renamed] = await store.load([{ what: 'record', scope, kind, handle: pointer.handle }]);
  return renamed?.record.luid === luid ? renamed : undefined;
}
