/** A small client of the ledger: it signs its requests and verifies the answers. */
import { sign as signBytes } from 'node:crypto';
import { hashOf } from '../../shared/crypto/digest.ts';
import { createSeed, privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { type SigningKey, sign, verify } from '../../shared/crypto/proof.ts';
import type { Proof } from '../../shared/shape/proof.ts';

/** The longest time that an answer may take, in milliseconds: a little longer than the gateway allows. */
const answerMsMax = 30_000;
const tokenSeconds = 60;

/** A hashed and signed body, of a request or an answer. */
export interface SignedRecord {
  readonly luid?: string;
  readonly hash: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: { readonly proofs: readonly Proof[] } & Readonly<Record<string, unknown>>;
}

export interface SignedList {
  readonly hash: string;
  readonly data: readonly SignedRecord[];
  readonly meta: { readonly proofs: readonly Proof[] };
}

export function newKey(): SigningKey {
  const seed = createSeed();
  return { public: publicOf(seed), privateKey: privateKeyOf(seed) };
}

/** A record's data, hashed and signed by its author now. */
export function signedRecord(data: SignedRecord['data'], key: SigningKey): SignedRecord {
  const hash = hashOf(data);
  const proof = sign(hash, { moment: new Date().toISOString(), status: 'created' }, key);
  return { hash, data, meta: { proofs: [proof] } };
}

/** The end of a record, signed by its author now. */
export function signedDrop({ luid, hash: parent }: SignedRecord, key: SigningKey): SignedRecord {
  const data = { parent };
  const hash = hashOf(data);
  const custom = { moment: new Date().toISOString(), status: 'dropped' };
  const proofs = [sign(hash, custom, key)];
  return { ...(luid !== undefined && { luid }), hash, data, meta: { proofs } };
}

/** The new data of a record in place of its current version, signed by its author now. */
export function signedUpdate(
  { luid, hash: parent, data: current }: SignedRecord,
  change: SignedRecord['data'],
  key: SigningKey,
): SignedRecord {
  const data = { ...current, ...change, parent };
  const hash = hashOf(data);
  const proofs = [sign(hash, { moment: new Date().toISOString() }, key)];
  return { ...(luid !== undefined && { luid }), hash, data, meta: { proofs } };
}

/** A token of a key's owner, good for a minute. Ruling 26. */
function tokenOf({ public: publicKey, privateKey }: SigningKey, server: string): string {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: publicKey, aud: server, iat, exp: iat + tokenSeconds };
  const parts = [{ alg: 'EdDSA', typ: 'JWT', kid: publicKey }, claims];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = signBytes(null, Buffer.from(text.join('.')), privateKey);
  return [...text, signature.toString('base64url')].join('.');
}

/** There was no answer, or not the answer of a ledger. */
export class ServerUnreachable extends Error {}

/** An answer that the ledger did not sign. */
export class Unsigned extends Error {}

/** The API error of a ledger. */
export class Declined extends Error {
  readonly reason: string;

  constructor(what: string, { data }: SignedRecord) {
    const reason = String(data['reason']);
    super(`${what}: ${reason}: ${String(data['detail'])}`);
    this.reason = reason;
  }
}

export interface ConnectOptions {
  /** Handle of the ledger; without one it is the server's default ledger. */
  readonly ledger?: string | undefined;
  /** The ledger's own key; without it, the ledger is asked for its key. */
  readonly key?: string | undefined;
  /** The key that signs the tokens of reads, which a closed ledger asks for. */
  readonly reader?: SigningKey | undefined;
}

export interface LedgerClient {
  /** The ledger's own key. */
  readonly key: string;
  readonly get: <Answer extends SignedRecord | SignedList = SignedRecord>(
    path: string,
  ) => Promise<Answer>;
  readonly post: (path: string, body: SignedRecord | Proof) => Promise<SignedRecord>;
  readonly put: (path: string, body: SignedRecord) => Promise<SignedRecord>;
  /** Posts a request whose answer has no body: a drop, `activate`, `events/retry`. */
  readonly send: (path: string, body: SignedRecord) => Promise<void>;
}

/** A client of the ledger at this base address; it trusts no answer that the ledger did not sign. */
export async function connect(
  server: string,
  { ledger, key: known, reader }: ConnectOptions = {},
): Promise<LedgerClient> {
  const headers = ledger === undefined ? {} : { 'x-ledger': ledger };
  const ask = (method: string, path: string, body?: SignedRecord | Proof) => {
    const isToken = reader && !body;
    const authorization = isToken && `Bearer ${tokenOf(reader, server)}`;
    return call(
      server,
      method,
      path,
      { ...headers, ...(authorization && { authorization }) },
      body,
    );
  };
  const key = known ?? (await keyFrom(ask));
  const verified = async (method: string, path: string, body?: SignedRecord | Proof) => {
    const answer = await ask(method, path, body);
    assertSigned(answer, key);
    return answer;
  };
  return {
    key,
    get: async <Answer>(path: string) => (await verified('GET', path)) as Answer,
    post: async (path, body) => (await verified('POST', path, body)) as SignedRecord,
    put: async (path, body) => (await verified('PUT', path, body)) as SignedRecord,
    send: async (path, body) => {
      await ask('POST', path, body);
    },
  };
}

/** The ledger's own key, from an answer that is signed with it. */
async function keyFrom(
  ask: (method: string, path: string) => Promise<SignedRecord | SignedList>,
): Promise<string> {
  const system = (await ask('GET', '/signers/system')) as SignedRecord;
  const key = String(system.data['public']);
  assertSigned(system, key);
  return key;
}

async function call(
  server: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: SignedRecord | Proof,
): Promise<SignedRecord | SignedList> {
  const response = await fetch(`${server}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerMsMax),
  }).catch((error: unknown) => {
    const text = `No ledger answers at ${server}. Start one with \`npm start\`.`;
    throw new ServerUnreachable(text, { cause: error });
  });
  if (response.status === 202 || response.status === 204) return body as SignedRecord;
  const answer = (await response.json().catch((error: unknown) => {
    throw new ServerUnreachable(`The server at ${server} is no ledger.`, { cause: error });
  })) as SignedRecord;
  if (response.ok) return answer;
  throw new Declined(`${method} ${path}`, answer);
}

/** Refuses an answer whose hash, or whose proof by the ledger, does not hold. */
function assertSigned({ hash, data, meta }: SignedRecord | SignedList, ledgerKey: string): void {
  const byLedger = meta.proofs.filter((proof) => proof.public === ledgerKey);
  if (
    hash !== hashOf(data) ||
    byLedger.length === 0 ||
    !meta.proofs.every((proof) => verify(hash, proof))
  )
    throw new Unsigned('The answer is not signed by the ledger.');
}
