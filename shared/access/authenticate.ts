/**
 * Verification of bearer tokens. A token that was sent is always verified. The records that its `kid` leads to decide
 * which key must have signed it, never the token itself. Rulings 26, 27 and 29, Decision 33.
 */
import { hashOf } from '../crypto/digest.ts';
import { isPublicText } from '../crypto/key.ts';
import { checkRequestHash, type ReceivedRequest } from '../crypto/request-hash.ts';
import {
  type BearerClaims,
  type BearerToken,
  clockToleranceSeconds,
  invalidToken,
  parseBearer,
  verifyBearer,
  verifyBearerByAny,
  verifyProviderBearer,
} from '../crypto/token.ts';
import { isHandleText } from '../ledger/address.ts';
import { nameWithin } from '../ledger/kind.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Identity, Services } from '../port/action.ts';
import type { Bearer } from '../port/bearer.ts';
import { isInactive } from '../record/inactive.ts';
import { isProviderKey, providerOf } from '../record/provider.ts';
import { readerFor } from '../record/reader.ts';
import { endedBy } from './ended.ts';

/** A verified token, before its binding to the request is checked. */
type VerifiedToken = Omit<Bearer, 'hsh'>;

/** The number of a signer's factors that are tried, newest first. */
const factorCountMax = 20;

/**
 * Verifies the token of an `authorization` header; refuses with `auth.unauthorized`. With `isTrial` a single-use token
 * stays unused.
 */
export async function authenticate(
  services: Services,
  ledger: Identity,
  authorization: string,
  request: ReceivedRequest,
  isTrial = false,
): Promise<Bearer> {
  const token = parseBearer(authorization);
  const found = isPublicText(token.kid)
    ? await bearerOfKey(services, ledger, token)
    : await bearerOfHandle(services, ledger, token);
  const { hsh } = found.claims;
  if (hsh !== undefined && !checkRequestHash(hsh, request)) throw invalidToken('hsh');
  await assertUnused(services, ledger, found, isTrial);
  return { ...found, hsh: hsh !== undefined };
}

/** Verifies a token whose `kid` is a public key. It stands for the signer that holds the key, if there is one. */
async function bearerOfKey(
  services: Services,
  ledger: Identity,
  token: BearerToken,
): Promise<VerifiedToken> {
  const claims = await verifyBearer(token, token.kid, secondsOf(services));
  const reader = readerFor({ services, ledger });
  const [home, holders] = await Promise.all([reader.home(), reader.holders([token.kid])]);
  const holder = holders.get(token.kid);
  const found = { claims, kind: 'signer', public: token.kid } as const;
  const handle = holder?.signer;
  assertNotProvider(claims, home);
  if (handle === undefined) return found;
  const signer = await reader.record('signer', handle);
  if (!signer || (await endedBy({ services, ledger }, signer, holder))) throw invalidToken('key');
  return { ...found, signer: handle };
}

/** Verifies a token whose `kid` is a handle: of a key of the provider, or else of a signer. */
async function bearerOfHandle(
  services: Services,
  ledger: Identity,
  token: BearerToken,
): Promise<VerifiedToken> {
  const { kid, unverified } = token;
  if (!isHandleText(kid)) throw invalidToken('key');
  const { iss, sub = '', cid = '' } = unverified;
  const reader = readerFor({ services, ledger });
  const [home, key, signer, client, factor] = await Promise.all([
    reader.home(),
    reader.record('signer-factor', nameWithin(handleIn(iss), kid)),
    reader.record('signer', kid),
    reader.record('signer', handleIn(sub)),
    reader.record('signer-factor', nameWithin(handleIn(sub), handleIn(cid))),
  ]);
  if (key && isProviderKey(key) && iss === providerOf(home))
    return bearerOfProvider(services, token, {
      key,
      ...(client && { client }),
      ...(factor && { factor }),
    });
  if (!signer || isInactive(signer)) throw invalidToken('key');
  const found = await bearerOfSigner(services, ledger, token, signer);
  assertNotProvider(found.claims, home);
  return found;
}

/** Refuses a signer's token that names the provider as issuer, also one of a signer with that name. Decision 45. */
function assertNotProvider({ iss }: BearerClaims, home: LedgerRecord | undefined): void {
  if (iss === providerOf(home)) throw invalidToken('claims');
}

/** Verifies a token of the provider. It is valid while its key, its factor and the signer of that factor are active. */
async function bearerOfProvider(
  services: Services,
  token: BearerToken,
  { key, client, factor }: { key: Version } & Partial<Record<'client' | 'factor', Version>>,
): Promise<VerifiedToken> {
  const publicText = String(key.record.data['public']);
  const claims = await verifyProviderBearer(token, publicText, secondsOf(services));
  if (!services.settings.servers.includes(claims.aud)) throw invalidToken('claims');
  // A new factor under the same handle is another client. Decision 33.
  const { clientId } = factor?.record.meta ?? {};
  if (clientId === undefined || clientId !== claims.client_id) throw invalidToken('key');
  const isEnded = [client, factor].some((one) => !one || isInactive(one));
  if (isEnded || claims.sub === undefined || claims.cid === undefined) throw invalidToken('key');
  return { claims, kind: 'provider', signer: claims.sub, client: claims.cid };
}

/** Verifies a signer's token with the key of the signer, then with those of its factors. */
async function bearerOfSigner(
  services: Services,
  { handle: scope }: Identity,
  token: BearerToken,
  { record }: Version,
): Promise<VerifiedToken> {
  const { handle } = record.data;
  const signedBy = (records: readonly LedgerRecord[]) =>
    verifyBearerByAny(token, records.flatMap(keysIn), secondsOf(services));
  const factors = async () => {
    const page = { index: 0, limit: factorCountMax };
    const versions = await services.store.list(scope, 'signer-factor', page, handle);
    return versions.filter((one) => !isInactive(one)).map((version) => version.record);
  };
  const found = (await signedBy([record])) ?? (await signedBy(await factors()));
  if (!found) throw invalidToken('key');
  // The record may show a key that belongs to another signer. Decision 5.
  const [holder] = await services.store.load([{ what: 'holder', scope, public: found.public }]);
  if (holder?.signer !== handle) throw invalidToken('key');
  return { ...found, kind: 'signer', signer: handle };
}

/** Only ed25519 keys sign tokens of signers. */
function keysIn({ data }: LedgerRecord): string[] {
  return data['format'] === 'ed25519-raw' ? [String(data['public'])] : [];
}

/** Refuses a single-use token that was used before, and marks it as used. Ruling 27, Decision 33. */
async function assertUnused(
  { notes, clock }: Services,
  { handle: scope }: Identity,
  { claims, kind, public: publicText }: VerifiedToken,
  isTrial: boolean,
): Promise<void> {
  const { jti, exp } = claims;
  if (kind !== 'signer' || jti === undefined) return;
  const untilMs = (exp + clockToleranceSeconds) * 1000;
  const name = hashOf([publicText, jti]);
  const isFirst = isTrial
    ? !(await notes.isUsed(scope, name, clock()))
    : await notes.use(scope, name, untilMs, clock());
  if (!isFirst) throw invalidToken('replay');
}

/** A text that cannot be a handle becomes an empty one, under which there is no record. */
function handleIn(text: string): string {
  return isHandleText(text) ? text : '';
}

function secondsOf({ clock }: Services): number {
  return Math.floor(clock() / 1000);
}
