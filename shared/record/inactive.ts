/** Who is there and nevertheless neither gets nor gives tokens any more. Decision 33. */
import type { Version } from '../ledger/record.ts';
import { inactive } from '../ledger/vouching.ts';

/** Whether a proof has made a signer or a factor inactive. */
export function isInactive({ record }: Version): boolean {
  return record.meta.status === inactive;
}
