/**
 * Token clients: a factor with the schema `oauth-client-credentials` is one. The secret is shown once, when the factor
 * is made or a new secret is requested; only its salted hash is stored. Ruling 28, Decision 23.
 */
import { createClientId, createSecret, saltedHashOf } from '../crypto/secret.ts';
import { LedgerError } from '../ledger/errors.ts';
import { isNamed, type Query } from '../ledger/query.ts';
import { nameOfVersion, type RecordData, type Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import type { TokenClient } from '../port/ports.ts';
import type { Attached } from '../record/attachment.ts';
import { provideFor } from '../record/provider.ts';
import { readerFor } from '../record/reader.ts';

const credentials = 'oauth-client-credentials';
/** `include=a,b`, `include[]=a`, `include[0]=a`. */
export const includeName = 'include[]';
const secretReference = 'meta.secret';

/** The schema of a factor; one with a public key is a key pair without saying so. Ruling 77. */
export function schemaOfFactor(data: RecordData): string | undefined {
  return data.schema ?? (data['public'] === undefined ? undefined : 'key-pair');
}

/**
 * Attaches the client of a factor: a new one, the previous one, or the previous one with a new secret. Refuses with
 * `record.update-rejected` a changed schema.
 */
export async function attachClient(
  call: Call,
  next: Version,
  previous?: Version,
): Promise<Attached> {
  assertSameSchema(next, previous);
  if (next.record.data.schema !== credentials) return { version: next, write: {} };
  // The first client needs a provider that issues its tokens. Ruling 28.
  if (!previous) await provideFor(call.services, call.ledger);
  const id = previous?.record.meta.clientId ?? createClientId();
  const version = withClientId(next, id);
  if (!previous || includesSecret(call.query)) return newSecret(version, id);
  if (nameOfVersion(next) === nameOfVersion(previous)) return { version, write: {} };
  const client = await readerFor(call).client(id);
  // When the factor ends meanwhile, the commit fails and is decided anew.
  return { version, write: client ? { client: { ...client, factor: nameOfVersion(next) } } : {} };
}

function newSecret(version: Version, id: string): Attached {
  const clientSecret = createSecret();
  const { luid } = version.record;
  const client: TokenClient = {
    id,
    factor: nameOfVersion(version),
    luid,
    ...saltedHashOf(clientSecret),
  };
  return { version, write: { client }, secretShown: { clientSecret } };
}

function withClientId(version: Version, clientId: string): Version {
  const { record } = version;
  return { ...version, record: { ...record, meta: { ...record.meta, clientId } } };
}

/** A factor keeps its schema: otherwise its key or its client would be left behind. */
function assertSameSchema({ record }: Version, previous: Version | undefined): void {
  if (previous && schemaOfFactor(record.data) !== schemaOfFactor(previous.record.data))
    throw new LedgerError(
      'record.update-rejected',
      `Signer factor ${record.data.handle} cannot change its schema.`,
    );
}

/** True when `include` asks for `meta.secret`; other values are ignored. Ruling 28. */
function includesSecret(query: Query): boolean {
  return Object.entries(query)
    .filter(([name]) => isNamed(includeName, name))
    .flatMap(([, values]) => values)
    .flatMap((value) => value.split(','))
    .includes(secretReference);
}
