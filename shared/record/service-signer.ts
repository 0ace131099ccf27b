/**
 * Signers of the service, and their keys: records without an author. Callers can neither change them nor prove as
 * them. Ruling 24, Decision 34.
 */
import { LedgerError } from '../ledger/errors.ts';
import { hasKeys, type Kind } from '../ledger/kind.ts';
import type { LedgerRecord, RecordData, Version } from '../ledger/record.ts';
import { logSigner } from '../log/checkpoint.ts';

/** The handle of a ledger's provider, unless `oauth.provider` names another. */
export const providerDefault = 'oauth-provider';

/** True for a signer of the service, and for one of its keys. */
export function isOfService(kind: Kind, { meta }: LedgerRecord): boolean {
  return hasKeys(kind) && meta.owners.length === 0;
}

/** Refuses with `record.invalid` a factor of a signer of the service. */
export function assertOwnSigner(kind: Kind, named: readonly (Version | undefined)[]): void {
  if (kind !== 'signer-factor') return;
  const signer = named.find((version) => version && isOfService('signer', version.record));
  if (signer) throw ofService(signer.record.data.handle);
}

/** Refuses with `record.invalid` a signer with a name of the provider, or with that of the log's signer. */
export function assertNoServiceName({ handle }: RecordData, provider = providerDefault): void {
  if ([provider, providerDefault, logSigner].includes(handle)) throw ofService(handle);
}

function ofService(handle: string): LedgerError {
  const detail = `The signer ${handle} belongs to the service.`;
  return new LedgerError('record.invalid', detail, { signer: handle });
}
