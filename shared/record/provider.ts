/**
 * The provider of a ledger: the signer in whose name the service issues tokens to clients. Its keys are factors,
 * each an RSA key whose private half only the service can unwrap. They are made on demand, and each verifies its
 * tokens until it is dropped. Ruling 28, Decision 34.
 */
import type { KeyObject } from 'node:crypto';
import { cached } from '../crypto/cache.ts';
import { hashOf } from '../crypto/digest.ts';
import { createRsaPair, rsaSecretKeyOf } from '../crypto/rsa.ts';
import { contextOfSecret, createClientId } from '../crypto/secret.ts';
import { assert } from '../ledger/assert.ts';
import { LedgerError } from '../ledger/errors.ts';
import {
  type LedgerRecord,
  nameOfVersion,
  type RecordData,
  type Version,
} from '../ledger/record.ts';
import type { Identity, Services } from '../port/action.ts';
import type { Scope } from '../port/ports.ts';
import { creation, firstVersion } from './birth.ts';
import { newToken } from './commit.ts';
import { readerFor } from './reader.ts';
import { isOfService, providerDefault } from './service-signer.ts';

/** The highest age of a signing key. Tokens live for a day at most, so an older key can be dropped a day later. */
const keyMsMax = 90 * 24 * 60 * 60 * 1000;
/** The number of newest keys that are read and published. */
const keyCountMax = 20;
/** The name of the private half in the attachment of a factor. */
const secretName = 'private';
/** The number of unwrapped private keys in memory. */
const secretCountMax = 1_000;

export function providerOf(home: LedgerRecord | undefined): string {
  const { 'oauth.provider': handle = providerDefault } = (home?.data['config'] ?? {}) as {
    'oauth.provider'?: string;
  };
  return handle;
}

/** True for a key of the service itself. */
export function isProviderKey({ kind, record }: Version): boolean {
  return isOfService(kind, record) && record.data['format'] === 'rsa-2048';
}

/** The provider's keys that verify tokens, newest first. */
export async function providerKeys(
  { store }: Services,
  scope: Scope,
  provider: string,
): Promise<Version[]> {
  const page = { index: 0, limit: keyCountMax };
  const factors = await store.list(scope, 'signer-factor', page, provider);
  return factors.filter(isProviderKey);
}

/** The newest key, or a new one when there is none or it is too old. */
export async function signingKey(
  services: Services,
  ledger: Identity,
  provider: string,
): Promise<Version> {
  const [newest] = await providerKeys(services, ledger.handle, provider);
  if (newest && services.clock() - Date.parse(newest.record.meta.moment) < keyMsMax) return newest;
  await makeProvider(services, ledger, provider);
  return makeKey(services, ledger, provider);
}

/** Makes sure that the ledger has a provider with a key. */
export async function provideFor(services: Services, ledger: Identity): Promise<void> {
  const home = await readerFor({ services, ledger }).home();
  await signingKey(services, ledger, providerOf(home));
}

/** Reads and unwraps the private half of a provider's key; throws `record.not-found` when the key is gone. */
export async function privateKeyOf(
  { store, keyring }: Services,
  scope: Scope,
  { record }: Version,
): Promise<KeyObject> {
  const { luid } = record;
  const known = unwrappedOf(`${scope} ${luid}`);
  if (known.key) return known.key;
  const [secrets] = await store.load([{ what: 'secrets', scope, luid }]);
  const wrapped = secrets?.[secretName];
  // The secret ends with its key.
  if (!wrapped) throw new LedgerError('record.not-found', 'The key of the provider is gone.');
  known.key = rsaSecretKeyOf(
    await keyring.unwrap(wrapped, contextOfSecret(scope, luid, secretName)),
  );
  return known.key;
}

/** Makes the provider when its handle is free; refuses a signer of authors under that handle. */
async function makeProvider(services: Services, ledger: Identity, handle: string): Promise<void> {
  const scope = ledger.handle;
  const wanted = { what: 'record', scope, kind: 'signer', handle } as const;
  const [present] = await services.store.load([wanted]);
  if (present) return assertProvider(present);
  const writes = [creation(scope, versionOf(services, ledger, 'signer', { handle }), [])];
  // The commit fails only when another process was faster.
  await services.store.commit({ token: newToken(), writes });
  const [made] = await services.store.load([wanted]);
  assert(made, 'a signer that was made is there, since none of them ends');
  assertProvider(made);
}

/** Refuses with `record.invalid` a signer that an author has made, or that proves records. */
function assertProvider({ record }: Version): void {
  const { data } = record;
  if (!isOfService('signer', record) || data['public'] !== undefined)
    throw new LedgerError(
      'record.invalid',
      `The signer ${data.handle} cannot be the provider of the ledger: choose another oauth.provider.`,
    );
}

async function makeKey(services: Services, ledger: Identity, signer: string): Promise<Version> {
  const scope = ledger.handle;
  const pair = await createRsaPair();
  const handle = `key-${createClientId()}`;
  const schema = 'key-pair';
  const data = { handle, signer, schema, format: 'rsa-2048', public: pair.public };
  const next = versionOf(services, ledger, 'signer-factor', data);
  const context = contextOfSecret(scope, next.record.luid, secretName);
  const secrets = { [secretName]: await services.keyring.wrap(pair.privateDer, context) };
  const writes = [{ ...creation(scope, next, []), secrets }];
  const conflicts = await services.store.commit({ token: newToken(), writes });
  assert(conflicts.length === 0, `nobody else is called ${nameOfVersion(next)}`);
  return next;
}

/** A record without an author, signed by the ledger alone. */
function versionOf(
  services: Services,
  ledger: Identity,
  kind: 'signer' | 'signer-factor',
  data: RecordData,
): Version {
  return firstVersion(services, kind, { hash: hashOf(data), data }, [], [ledger]);
}

/** A luid never gets another key, so a cached one stays right. */
const unwrappedOf = cached(secretCountMax, (_name: string): { key?: KeyObject } => ({}));
