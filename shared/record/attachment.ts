/**
 * Attachments: data that is stored with a record and never shown in it. These are the secrets of a bridge, the
 * client of a factor and the work on a report. They change and end in the commits of the record.
 */
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Write } from '../port/ports.ts';

/** A version with its attachment. */
export interface Attached {
  /** The version to store; attaching may add to it, as a factor gets its `clientId`. */
  readonly version: Version;
  readonly write: Pick<Write, 'secrets' | 'client' | 'workMs'>;
  /** Shown once to the author of this request, as `meta.secret`. */
  readonly secretShown?: Readonly<Record<string, string>>;
}

/** The record as the author of this request gets it, with a new secret in it. */
export function answered({ version, secretShown }: Attached): LedgerRecord {
  const { record } = version;
  return secretShown ? { ...record, meta: { ...record.meta, ...{ secret: secretShown } } } : record;
}
