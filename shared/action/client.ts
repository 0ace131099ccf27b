/**
 * Clients for tokens: a factor for client credentials makes one. Its secret is told once, to whoever makes
 * the factor or asks for a new secret; afterwards it can only be recognized. Ruling 28, Decision 23.
 */
import { createClientId, createSecret, saltedHashOf } from '../crypto/secret.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Query } from '../ledger/query.ts';
import { nameOfVersion, type RecordData, type Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import type { Client } from '../port/ports.ts';
import type { Attached } from '../record/attachment.ts';
import { provideFor } from '../record/provider.ts';
import { readerFor } from '../record/reader.ts';

const credentials = 'oauth-client-credentials';
/** `include=a,b`, `include[]=a`, `include[0]=a`. */
const includeName = /^include(?:\[\d*\])?$/;
const secretReference = 'meta.secret';

/** What a factor is: a key that is shown says so by itself. Ruling 77. */
export function schemaOfFactor(data: RecordData): string | undefined {
  return data.schema ?? (data['public'] === undefined ? undefined : 'key-pair');
}

/** The client of a factor's version: a new one, the one before, or the one before with a new secret. */
export async function attachClient(
  call: Call,
  next: Version,
  previous?: Version,
): Promise<Attached> {
  assertSameSchema(next, previous);
  if (next.record.data.schema !== credentials) return { version: next, write: {} };
  // With the first client there is somebody to make its tokens. Ruling 28.
  if (!previous) await provideFor(call.services, call.ledger);
  const id = previous?.record.meta.clientId ?? createClientId();
  const version = withClientId(next, id);
  if (!previous || asksForSecret(call.query)) return newSecret(version, id);
  if (nameOfVersion(next) === nameOfVersion(previous)) return { version, write: {} };
  const client = await readerFor(call).client(id);
  // Whoever ends the factor in between is found by the commit, which then is decided anew.
  return { version, write: client ? { client: { ...client, factor: nameOfVersion(next) } } : {} };
}

function newSecret(version: Version, id: string): Attached {
  const clientSecret = createSecret();
  const { luid } = version.record;
  const client: Client = {
    id,
    factor: nameOfVersion(version),
    luid,
    ...saltedHashOf(clientSecret),
  };
  return { version, write: { client }, told: { clientSecret } };
}

function withClientId(version: Version, clientId: string): Version {
  const { record } = version;
  return { ...version, record: { ...record, meta: { ...record.meta, clientId } } };
}

/** What a factor is for it stays for: a key that becomes a client would leave one of them behind. */
function assertSameSchema({ record }: Version, previous: Version | undefined): void {
  if (previous && schemaOfFactor(record.data) !== schemaOfFactor(previous.record.data))
    throw new LedgerError(
      'record.update-rejected',
      `Signer factor ${record.data.handle} cannot change its schema.`,
    );
}

/** Whether a query includes the secret; other references say nothing. Ruling 28. */
function asksForSecret(query: Query): boolean {
  return Object.entries(query)
    .filter(([name]) => includeName.test(name))
    .flatMap(([, values]) => values)
    .flatMap((value) => value.split(','))
    .includes(secretReference);
}
