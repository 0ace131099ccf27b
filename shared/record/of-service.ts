/**
 * What of a ledger belongs to the service: its signers, which no author has signed, and their keys. They
 * are nobody else's to change, and nobody else may prove as them. Ruling 24, Decision 34.
 */
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord, RecordData, Version } from '../ledger/record.ts';

/** The handle of a ledger's provider, unless `oauth.provider` names another. */
export const providerDefault = 'oauth-provider';

/** Whether a record is a signer of the service, or one of its keys. */
export function isOfService(kind: Kind, { meta }: LedgerRecord): boolean {
  return (kind === 'signer' || kind === 'signer-factor') && meta.owners.length === 0;
}

/** Refuses a factor of a signer that belongs to the service, among the records that it names. */
export function assertOwnSigner(kind: Kind, named: readonly (Version | undefined)[]): void {
  if (kind !== 'signer-factor') return;
  const signer = named.find((version) => version && isOfService('signer', version.record));
  if (signer) throw ofService(signer.record.data.handle);
}

/** Refuses a signer of a name that the service may need. */
export function assertNoServiceName({ handle }: RecordData): void {
  if (handle === providerDefault) throw ofService(handle);
}

function ofService(handle: string): LedgerError {
  const detail = `The signer ${handle} belongs to the service.`;
  return new LedgerError('record.invalid', detail, { signer: handle });
}
