/** Inactive records: signers and clients have no tokens, circles grant nothing. Decision 33. */
import type { Version } from '../ledger/record.ts';
import { inactive } from '../ledger/vouching.ts';

export function isInactive({ record }: Version): boolean {
  return record.meta.status === inactive;
}
