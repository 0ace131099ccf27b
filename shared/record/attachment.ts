/**
 * What is kept beside a record and never read in it: the secrets of a bridge, the client that a factor
 * makes, the work on a report. It is stored, changed and ended in the commits of the record.
 */
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Write } from '../port/ports.ts';

/** A version with what is kept beside it. */
export interface Attached {
  /** As it is stored. */
  readonly version: Version;
  readonly write: Pick<Write, 'secrets' | 'client' | 'workMs'>;
  /** What its author is told this once, in `meta.secret`. */
  readonly told?: Readonly<Record<string, string>>;
}

/** The record as it is answered to whoever wrote it. */
export function answered({ version, told }: Attached): LedgerRecord {
  const { record } = version;
  return told ? { ...record, meta: { ...record.meta, ...{ secret: told } } } : record;
}
