/**
 * What is kept beside a current version and must be there because of it: secrets, a client, and the marker of
 * an intent that waits.
 */

import { secretNamesIn } from '../ledger/placeholder.ts';
import type { Version } from '../ledger/record.ts';
import type { Scope } from '../port/ports.ts';
import { clientKeyOf, expiryKeyOf, type Key, secretsKeyOf } from '../store/keys.ts';

/** An item beside a record, and what is wrong when it is not there. */
interface Beside {
  readonly key: Key;
  readonly missing: string;
}

/** What must be kept beside a version. Decisions 22, 23, 34 and 39. */
export function keptOf(scope: Scope, version: Version): Beside[] {
  const { kind, record } = version;
  const { luid, data, meta } = record;
  const namesSecrets =
    kind === 'bridge' && secretNamesIn(JSON.stringify(data['secure'] ?? [])).length > 0;
  const isProviderKey =
    kind === 'signer-factor' && data['format'] === 'rsa-2048' && meta.owners.length === 0;
  const whose = isProviderKey ? 'provider' : 'bridge';
  const secrets = {
    key: secretsKeyOf(scope, luid),
    missing: `The secrets of the ${whose} are missing.`,
  };
  const client = {
    key: clientKeyOf(scope, meta.clientId ?? ''),
    missing: 'The client of the factor is missing.',
  };
  const expiryKey = expiryKeyOf(scope, version);
  return [
    ...(expiryKey
      ? [{ key: expiryKey, missing: 'Nothing marks that the intent has yet to end.' }]
      : []),
    ...(namesSecrets || isProviderKey ? [secrets] : []),
    ...(meta.clientId === undefined ? [] : [client]),
  ];
}
