/** Signatures of the ledger: on each record, and on answers that are no records. Ruling 8. */
import { canonicalOf } from '../crypto/canonical.ts';
import { companions } from '../crypto/companions.ts';
import { hashOfText } from '../crypto/digest.ts';
import { type SigningKey, sign, signAsync } from '../crypto/proof.ts';
import type { LedgerError } from '../ledger/errors.ts';
import { lineOf } from '../ledger/kind.ts';
import type { Identity } from '../port/action.ts';
import type { Proof } from '../shape/proof.ts';

/** The handle of the signer in whose name every ledger signs. Ruling 24. */
export const systemSigner = 'system';

export function momentOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** The ledger's proof over a hash, with a statement. */
export function countersign(
  identity: Identity,
  hash: string,
  custom: Readonly<Record<string, unknown>>,
): Proof {
  return { ...sign(hash, custom, identity.key), signer: systemSigner };
}

/** The ledger's proofs over a hash, one for each statement, made while other requests go on. Decision 150. */
export async function countersignAll(
  identity: Identity,
  hash: string,
  statements: readonly Readonly<Record<string, unknown>>[],
): Promise<Proof[]> {
  const proofs = await Promise.all(statements.map((one) => signAsync(hash, one, identity.key)));
  return proofs.map((one) => ({ ...one, signer: systemSigner }));
}

/** A record, or an answer that is none, with others in place of its proofs. */
export function withProofs<Body extends { readonly meta: { readonly proofs: readonly Proof[] } }>(
  body: Body,
  replacing: (proof: Proof) => Proof,
): Body {
  return { ...body, meta: { ...body.meta, proofs: body.meta.proofs.map(replacing) } };
}

/** Hashed and signed data of the ledger itself: an error, a status, a list. */
export interface Signed<Data> {
  readonly hash: string;
  readonly data: Data;
  readonly meta: { readonly proofs: readonly Proof[]; readonly moment?: string };
}

/** Texts of data that was signed for an answer, which `printed` prints as a part of it. */
const texts = companions<object, string>();

/** Signs data, which nobody may change afterwards. `text` is its canonical JSON, where that is known. */
export function signed<Data extends object>(
  identity: Identity,
  data: Data,
  nowMs: number,
  text: string = canonicalOf(data),
): Signed<Data> {
  texts.set(data, text);
  const hash = hashOfText(text);
  const proof = countersign(identity, hash, { moment: momentOf(nowMs) });
  return { hash, data, meta: { proofs: [proof] } };
}

/** An API error as it is answered. Rulings 2 and 8. */
export function signedError(identity: Identity, error: LedgerError, nowMs: number) {
  return signed(identity, errorDataOf(error), nowMs);
}

/** The data of an answered API error. */
export function errorDataOf({ reason, detail, custom }: LedgerError) {
  return { reason, detail, ...(custom && { custom }) };
}

/** The text of an answer. Amounts beyond 2^53 are printed as integer literals. Ruling 39. */
export function printed(body: unknown): string {
  const { data } = Object(body) as { readonly data?: unknown };
  const text = texts.get(Object(data));
  return text === undefined ? canonicalOf(body) : withText(body as object, text);
}

/** The canonical JSON of an answer whose `data` has this text. RFC 8785 3.2.3. */
function withText(body: object, text: string): string {
  const members = Object.entries(body)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${canonicalOf(name)}:${name === 'data' ? text : canonicalOf(value)}`);
  return `{${members.join(',')}}`;
}

/** The canonical JSON of a list of which each row is printed. */
export function printedList(rows: readonly string[]): string {
  return `[${rows.join(',')}]`;
}

/** The members of an answer that is signed. */
interface ProvenAnswer {
  readonly luid?: string;
  readonly hash: string;
  readonly meta: { readonly proofs: readonly Proof[]; readonly status?: string };
}

/**
 * An answer with a proof by each key that signs answers now: the newest one and, for some time after a rotation, the one
 * before. What an earlier key has signed gets these behind its own proofs, an intent also where a key has not stated its
 * luid and its last status; an answer that is not signed stays as it is. Rulings 8 and 99, Decision 116.
 */
export function withOwnProofs<Body>(
  { handle, key, former }: Identity,
  body: Body,
  nowMs: number,
): Body {
  if (!isSignedAnswer(body)) return body;
  const { luid, hash, meta } = body;
  // Other statements on an intent are about its entries, times and reversals; one of its statuses may be of another key.
  const isIntent = luid?.startsWith(intentPrefix) === true;
  const hasAnswered = (one: SigningKey): boolean => {
    const said = meta.proofs.flatMap(({ public: by, custom = {} }) =>
      by === one.public ? [custom] : [],
    );
    const hasStatus = said.some(({ status, handle }) => status === meta.status && !handle);
    return isIntent ? hasStatus && said.some((custom) => custom['luid'] === luid) : said.length > 0;
  };
  const missing = [key, former].flatMap((one) =>
    one && !hasAnswered(one) ? [{ handle, key: one }] : [],
  );
  if (missing.length === 0) return body;
  const said = {
    ...(luid !== undefined && { luid }),
    moment: momentOf(nowMs),
    ...(isIntent && { status: meta.status }),
  };
  const added = missing.map((identity) => countersign(identity, hash, said));
  return { ...body, meta: { ...meta, proofs: [...meta.proofs, ...added] } };
}

const intentPrefix = `$${lineOf('intent').prefix}.`;

function isSignedAnswer(body: unknown): body is ProvenAnswer {
  const { hash, meta } = Object(body) as Partial<ProvenAnswer>;
  return typeof hash === 'string' && Array.isArray(meta?.proofs);
}
