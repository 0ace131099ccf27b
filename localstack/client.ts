/** A small client of the ledger: signs what it sends and verifies what it is answered. */
import { hashOf } from '../shared/crypto/digest.ts';
import { createSeed, publicOf, secretKeyOf } from '../shared/crypto/key.ts';
import { type SigningKey, sign, verify } from '../shared/crypto/proof.ts';
import type { Proof } from '../shared/shape/proof.ts';

/** A hashed and signed body, as it is sent and answered. */
export interface Signed {
  readonly luid?: string;
  readonly hash: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: { readonly proofs: readonly Proof[] } & Readonly<Record<string, unknown>>;
}

/** What a list answers. */
export interface SignedList {
  readonly hash: string;
  readonly data: readonly Signed[];
  readonly meta: { readonly proofs: readonly Proof[] };
}

/** Makes a new ed25519 key. */
export function newKey(): SigningKey {
  const seed = createSeed();
  return { public: publicOf(seed), privateKey: secretKeyOf(seed) };
}

/** A record's data, hashed and signed by its author now. */
export function signedRecord(data: Signed['data'], key: SigningKey): Signed {
  const hash = hashOf(data);
  const proof = sign(hash, { moment: new Date().toISOString(), status: 'created' }, key);
  return { hash, data, meta: { proofs: [proof] } };
}

/** The end of a record, signed by its author now. */
export function signedDrop({ luid, hash: parent }: Signed, key: SigningKey): Signed {
  const data = { parent };
  const hash = hashOf(data);
  const custom = { moment: new Date().toISOString(), status: 'dropped' };
  const proofs = [sign(hash, custom, key)];
  return { ...(luid !== undefined && { luid }), hash, data, meta: { proofs } };
}

export interface Client {
  /** The ledger's own key. */
  readonly key: string;
  readonly get: <Answer extends Signed | SignedList = Signed>(path: string) => Promise<Answer>;
  readonly post: (path: string, body: Signed) => Promise<Signed>;
  /** Sends a drop, whose answer is empty. */
  readonly drop: (path: string, body: Signed) => Promise<void>;
}

/** A client of the ledger at this base address; it trusts no answer that the ledger did not sign. */
export async function connect(server: string): Promise<Client> {
  const system = (await call(server, 'GET', '/signers/system')) as Signed;
  const key = String(system.data['public']);
  assertSigned(system, key);
  const verified = async (method: string, path: string, body?: Signed) => {
    const answer = await call(server, method, path, body);
    assertSigned(answer, key);
    return answer;
  };
  return {
    key,
    drop: async (path, body) => {
      await call(server, 'POST', path, body);
    },
    get: async <Answer>(path: string) => (await verified('GET', path)) as Answer,
    post: async (path, body) => (await verified('POST', path, body)) as Signed,
  };
}

async function call(
  server: string,
  method: string,
  path: string,
  body?: Signed,
): Promise<Signed | SignedList> {
  const sent = body
    ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    : {};
  const response = await fetch(`${server}${path}`, { method, ...sent }).catch((error: unknown) => {
    throw new Error(`No ledger answers at ${server}. Start one with \`npm start\`.`, {
      cause: error,
    });
  });
  if (response.status === 204) return body as Signed;
  const answer = (await response.json()) as Signed;
  if (response.ok) return answer;
  throw new Error(
    `${method} ${path}: ${String(answer.data['reason'])}: ${String(answer.data['detail'])}`,
  );
}

/** Refuses an answer whose hash, or whose proof by the ledger, does not hold. */
function assertSigned({ hash, data, meta }: Signed | SignedList, ledgerKey: string): void {
  const byLedger = meta.proofs.filter((proof) => proof.public === ledgerKey);
  if (
    hash !== hashOf(data) ||
    byLedger.length === 0 ||
    !meta.proofs.every((proof) => verify(hash, proof))
  )
    throw new Error('The answer is not signed by the ledger.');
}
