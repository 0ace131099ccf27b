/** Keys that count for nobody, though they belong to a signer. Decision 33. */
import { isLuid } from '../crypto/luid.ts';
import { lineOf } from '../ledger/kind.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import type { KeyHolder } from '../port/ports.ts';
import { findHead } from '../record/find.ts';
import { isInactive } from '../record/inactive.ts';

/**
 * The inactive record by which a key belongs to its signer: that of the signer, or of the factor whose key it is. Undefined
 * for a key that counts. Earlier releases did not store which factor has a key; theirs count until the factor is dropped.
 */
export async function endedBy(
  call: Pick<Call, 'services' | 'ledger'>,
  signer: Version | undefined,
  { luid = '' }: Partial<KeyHolder> = {},
): Promise<LedgerRecord | undefined> {
  if (signer && isInactive(signer)) return signer.record;
  const kind = 'signer-factor';
  if (!isLuid(luid, lineOf(kind).prefix)) return undefined;
  const { current } = await findHead(call, kind, luid);
  return current && isInactive(current) ? current.record : undefined;
}

/** The inactive records of keys, by key. */
export async function endedAmong(
  call: Call,
  holders: ReadonlyMap<string, KeyHolder>,
  known: ReadonlyMap<string, { readonly signer: Version | undefined }>,
): Promise<ReadonlyMap<string, LedgerRecord>> {
  const found = [...holders].map(async ([key, holder]): Promise<[string, LedgerRecord][]> => {
    const ended = await endedBy(call, known.get(holder.signer ?? '')?.signer, holder);
    return ended ? [[key, ended]] : [];
  });
  return new Map((await Promise.all(found)).flat());
}
