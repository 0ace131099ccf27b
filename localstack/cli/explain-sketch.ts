/**
 * The request to explain, as it would arrive: its body with proofs, and its bearer. Nothing is signed here. Keys count
 * as if they had signed, and the rest is what the ledger knows of them.
 */

import { randomBytes } from 'node:crypto';
import { digestOf } from '../../shared/crypto/digest.ts';
import { invalidToken } from '../../shared/crypto/token.ts';
import type { PlainObject } from '../../shared/ledger/compare.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import { lineOf } from '../../shared/ledger/kind.ts';
import type { LedgerRecord, Version } from '../../shared/ledger/record.ts';
import type { Action, Call, RequiredPermission, Services } from '../../shared/port/action.ts';
import type { Bearer } from '../../shared/port/bearer.ts';
import { findWithin } from '../../shared/record/find.ts';
import { isInactive } from '../../shared/record/inactive.ts';
import type { ExplainRequest } from './explain-request.ts';

/** The number of factors of a signer that are searched for a key. */
const factorCountMax = 20;
const tokenSeconds = 60;

/** A body as rules see it. */
export interface Sketch {
  readonly body: unknown;
  /** True when the data of a creation or an update were not given. */
  readonly isUnsaid: boolean;
}

/** The body with its proofs. Without a given body, a new record has no data and an update changes nothing. */
export async function sketchOf(
  call: Call,
  { requires, body: shape, signed }: Action & { readonly requires: RequiredPermission },
  input: ExplainRequest,
  record: LedgerRecord | undefined,
): Promise<Sketch> {
  if (input.method === 'GET') return { body: undefined, isUnsaid: false };
  const { body = {} } = input;
  const proofs = await proofsOf(call.services, call.ledger.handle, input);
  if (shape && signed === undefined) {
    if (proofs.length > 1) throw new Error('A proof is signed by one: name one signer.');
    return { body: overRecord({ ...body, ...proofs[0] }, record), isUnsaid: false };
  }
  const said = dataIn(body);
  const isUnsaid = said === undefined && ['create', 'update'].includes(requires.action);
  const data = said ?? record?.data ?? (await blankOf(call, requires));
  return { body: { data, meta: { proofs } }, isUnsaid };
}

/**
 * A proof with the digest that it would have if it signed the record: over anything else, its key would not count.
 * Decision 41.
 */
function overRecord(proof: PlainObject, record: LedgerRecord | undefined): PlainObject {
  if (proof['digest'] !== '' || !record) return proof;
  const { custom } = proof as Partial<SketchedProof>;
  return { ...proof, digest: digestOf(record.hash, custom) };
}

/** The data of a body; a body with neither `data` nor `meta` counts as the data. */
function dataIn(body: PlainObject): PlainObject | undefined {
  const isData = !('data' in body) && !('meta' in body) && Object.keys(body).length > 0;
  return isData ? body : (body['data'] as PlainObject | undefined);
}

/** The data of a new record of which only its owner is known, from the path. */
async function blankOf(call: Call, { record: kind }: RequiredPermission): Promise<PlainObject> {
  const { within } = lineOf(kind);
  if (!within) return {};
  try {
    return { [within]: await findWithin(call, kind) };
  } catch (error) {
    if (error instanceof LedgerError) return {};
    throw error;
  }
}

/** A proof of a body, as far as rules see it. */
interface SketchedProof {
  readonly public: string;
  /** Empty when nothing was signed; no stored proof has such a digest. */
  readonly digest: string;
  readonly custom?: Readonly<Record<string, unknown>>;
}

/** The proofs of the body and of each named signer; without any, a proof of a stranger. */
async function proofsOf(
  services: Services,
  ledger: string,
  input: ExplainRequest,
): Promise<SketchedProof[]> {
  const { proofs = [] } = (input.body?.['meta'] ?? {}) as { proofs?: readonly SketchedProof[] };
  const named = await Promise.all(input.signers.map((handle) => keyOf(services, ledger, handle)));
  const proof =
    typeof input.body?.['public'] === 'string' ? [input.body as unknown as SketchedProof] : [];
  const keys = [...named, ...input.publics].map((key) => ({ public: key }));
  const all = [...proofs, ...proof, ...keys];
  const stranger = { public: randomBytes(32).toString('base64') };
  return (all.length > 0 ? all : [stranger]).map((one) => ({ digest: '', ...one }));
}

/** The bearer of the token; undefined without one. On a GET, a named signer sends a token. */
export async function bearerOf(
  services: Services,
  ledger: string,
  input: ExplainRequest,
): Promise<Bearer | undefined> {
  const isGet = input.method === 'GET';
  const handle = input.tokenSigner ?? (isGet ? input.signers[0] : undefined);
  const key = input.tokenPublic ?? (isGet ? input.publics[0] : undefined);
  if (handle === undefined && key === undefined) {
    if (Object.keys(input.claims).length === 0) return undefined;
    throw new Error('Claims belong to a token: say whose it is, with --token-signer.');
  }
  return key === undefined
    ? ofSigner(services, ledger, handle ?? '', input)
    : ofKey(services, ledger, key, input);
}

/** A token by the key of a signer; for a signer without a key, a token of the provider. Ruling 26. */
async function ofSigner(
  services: Services,
  ledger: string,
  handle: string,
  { claims }: ExplainRequest,
): Promise<Bearer> {
  const signer = await signerAt(services, ledger, handle);
  if (isInactive(signer)) throw invalidToken('key');
  const key = await keyHeldBy(services, ledger, signer.record);
  const said = saying(services, claims, handle);
  return key === undefined
    ? { ...said, kind: 'provider', signer: handle }
    : { ...said, kind: 'signer', signer: handle, public: key };
}

async function ofKey(
  services: Services,
  ledger: string,
  key: string,
  { claims }: ExplainRequest,
): Promise<Bearer> {
  const [holder] = await services.store.load([{ what: 'holder', scope: ledger, public: key }]);
  const found = { ...saying(services, claims, key), kind: 'signer', public: key } as const;
  const { signer } = holder ?? {};
  if (signer === undefined) return found;
  if (isInactive(await signerAt(services, ledger, signer))) throw invalidToken('key');
  return { ...found, signer };
}

function saying(
  { settings, clock }: Services,
  { hsh, ...claims }: ExplainRequest['claims'],
  maker: string,
): Pick<Bearer, 'claims' | 'hsh'> {
  const iat = Math.floor(clock() / 1000);
  const unsaid = { sub: undefined, jti: undefined, hsh: undefined, cid: undefined };
  const said = { iss: maker, aud: settings.servers[0] ?? '', iat, exp: iat + tokenSeconds };
  return { claims: { ...unsaid, client_id: undefined, ...said, ...claims }, hsh: hsh === 'true' };
}

async function keyOf(services: Services, ledger: string, handle: string): Promise<string> {
  const { record } = await signerAt(services, ledger, handle);
  const key = await keyHeldBy(services, ledger, record);
  if (key === undefined) throw new Error(`The signer '${handle}' has no key to sign with.`);
  return key;
}

async function signerAt(services: Services, scope: string, handle: string): Promise<Version> {
  const want = { what: 'record', scope, kind: 'signer', handle } as const;
  const [signer] = await services.store.load([want]);
  if (!signer) throw new Error(`There is no signer '${handle}' in the ledger ${scope}.`);
  return signer;
}

/** The key of the signer's record or of a factor, if the signer still holds it. Decision 5. */
async function keyHeldBy(
  { store }: Services,
  scope: string,
  { data }: LedgerRecord,
): Promise<string | undefined> {
  const page = { index: 0, limit: factorCountMax };
  const factors = await store.list(scope, 'signer-factor', page, data.handle);
  const keys = [data, ...factors.map(({ record }) => record.data)]
    .filter(({ format }) => format === 'ed25519-raw')
    .map((known) => String(known['public']));
  const holders = await store.load(
    keys.map((key) => ({ what: 'holder', scope, public: key }) as const),
  );
  return keys.find((_, index) => holders[index]?.signer === data.handle);
}
