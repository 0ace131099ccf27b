/** Who is there and takes no part any more: signers and factors get and give no tokens, circles grant nothing. Decision 33. */
import type { Version } from '../ledger/record.ts';
import { inactive } from '../ledger/vouching.ts';

/** Whether a proof has made a record inactive. */
export function isInactive({ record }: Version): boolean {
  return record.meta.status === inactive;
}
