/**
 * The provider of a ledger: the signer in whose name the service makes tokens for clients. It has no key of
 * its own but factors, each an RSA key whose private half only the service can unwrap. They are made when
 * they are needed, and each verifies its tokens for as long as it is not dropped. Ruling 28, Decision 34.
 */
import type { KeyObject } from 'node:crypto';
import { remembering } from '../crypto/cache.ts';
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
import { isOfService, providerDefault } from './of-service.ts';
import { readerFor } from './reader.ts';

/** How old a key may be that signs. Tokens live for a day at most, so older ones are of no use soon. */
const keyMsMax = 90 * 24 * 60 * 60 * 1000;
/** How many of the newest keys are looked at and published. */
const keyCountMax = 20;
/** How the private half is called among what is kept beside a factor. */
const secretName = 'private';
/** How many private keys stay unwrapped, and for how long a factor's name leads to one. */
const secretCountMax = 1_000;

/** The handle of a ledger's provider. */
export function providerOf(home: LedgerRecord | undefined): string {
  const { 'oauth.provider': handle = providerDefault } = (home?.data['config'] ?? {}) as {
    'oauth.provider'?: string;
  };
  return handle;
}

/** Whether a factor is a key that the service made, and nobody else. */
export function isProviderKey({ kind, record }: Version): boolean {
  return isOfService(kind, record) && record.data['format'] === 'rsa-2048';
}

/** The keys of a provider that verify tokens, the newest first. */
export async function providerKeys(
  { store }: Services,
  scope: Scope,
  provider: string,
): Promise<Version[]> {
  const page = { index: 0, limit: keyCountMax };
  const factors = await store.list(scope, 'signer-factor', page, provider);
  return factors.filter(isProviderKey);
}

/** The key that signs: the newest one, or a new one where there is none or it is too old. */
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

/** The private half of a provider's key. */
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
  // Whoever drops the key in between takes the secret with it.
  if (!wrapped) throw new LedgerError('record.not-found', 'The key of the provider is gone.');
  known.key = rsaSecretKeyOf(
    await keyring.unwrap(wrapped, contextOfSecret(scope, luid, secretName)),
  );
  return known.key;
}

/** Whether the ledger has the provider; makes it when nobody has its name. */
async function makeProvider(services: Services, ledger: Identity, handle: string): Promise<void> {
  const scope = ledger.handle;
  const wanted = { what: 'record', scope, kind: 'signer', handle } as const;
  const [present] = await services.store.load([wanted]);
  if (present) return assertProvider(present);
  const writes = [creation(scope, versionOf(services, ledger, 'signer', { handle }), [])];
  // What stands in the way can only be that somebody was faster.
  await services.store.commit({ token: newToken(), writes });
  const [made] = await services.store.load([wanted]);
  assert(made, 'a signer that was made is there, since none of them ends');
  assertProvider(made);
}

/** Refuses to act in the name of a signer that authors have made, or that proves records. */
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
  const obstacles = await services.store.commit({ token: newToken(), writes });
  assert(obstacles.length === 0, `nobody else is called ${nameOfVersion(next)}`);
  return next;
}

/** A record that the service makes: no author signs it. */
function versionOf(
  services: Services,
  ledger: Identity,
  kind: 'signer' | 'signer-factor',
  data: RecordData,
): Version {
  return firstVersion(services, kind, { hash: hashOf(data), data }, [], [ledger]);
}

/** Where a private key stays once it is unwrapped. A key is never another one under the same luid. */
const unwrappedOf = remembering(secretCountMax, (_name: string): { key?: KeyObject } => ({}));
