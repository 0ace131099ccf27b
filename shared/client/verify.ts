/**
 * `countersign/verify`: judges a record by its own bytes, in Node, Deno and browsers. It sends nothing and asks nobody, so
 * its verdict is worth what the source of the trusted key is worth. Rulings 1 to 7.
 */
import type { Proof } from '../shape/proof.ts';
import { hashOf, isProofOf } from './digest.ts';
import { envelopeProblems, isObject, isShaped } from './envelope.ts';

export { parseExactly } from './answer.ts';

export interface VerifyOptions {
  /** The public keys that you trust, from a source of your own: those of ledgers. Without one, nothing is proven. */
  readonly trust?: string | readonly string[];
}

/** A proof of a record, with what it is worth. */
export interface ProofVerdict {
  readonly public: string;
  /** The name that the ledger gives the key. No signature covers it. */
  readonly signer?: string;
  /** The signed statement. */
  readonly custom: Readonly<Record<string, unknown>>;
  /** True when the holder of the key signed this hash and this statement. */
  readonly isValid: boolean;
  /** True for a proof by a trusted key, be it valid or not. */
  readonly isTrusted: boolean;
}

export interface RecordVerdict {
  /** True when there is no problem, in the record or in an element of it. */
  readonly isProven: boolean;
  /** The hash of the data, as it is computed here. */
  readonly hash: string;
  readonly proofs: readonly ProofVerdict[];
  /** The status of the record, when a valid proof by a trusted key states it. */
  readonly status?: string;
  /** The records in the data of a list, each with its own proofs. */
  readonly elements: readonly RecordVerdict[];
  /** Everything that is not as a ledger would have signed it, a sentence each. */
  readonly problems: readonly string[];
}

interface Candidate {
  readonly luid?: unknown;
  readonly hash?: unknown;
  readonly data?: unknown;
  readonly meta?: { readonly proofs?: unknown; readonly status?: unknown };
}

/**
 * Judges a record, or a list of them, as a ledger has answered it. Parse its text by `parseExactly`: JSON.parse rounds
 * large integers, whose hash is then another. It throws for no input; what is wrong is in `problems`.
 *
 * @example
 * const { isProven, problems } = verifyRecord(parseExactly(text), { trust: ledgerKey });
 */
export function verifyRecord(record: unknown, { trust = [] }: VerifyOptions = {}): RecordVerdict {
  const trusted = new Set([trust].flat());
  const { luid, hash: stated, data, meta } = isObject(record) ? (record as Candidate) : {};
  const given = Array.isArray(meta?.proofs) ? meta.proofs : undefined;
  if (data === undefined || given === undefined) return unsigned;
  const hash = hashOf(data);
  const proofs = given.map((proof) => verdictOf(hash, proof, trusted));
  const elements = elementsIn(data).map((one) => verifyRecord(one, { trust }));
  const status = statusIn(proofs, meta?.status);
  const problems = [
    ...(stated === hash ? [] : ['The hash is not that of the data: one of them was changed.']),
    ...proofs.flatMap(({ isValid }, index) =>
      isValid ? [] : [`Proof ${index} does not verify: it is of other data, or forged.`],
    ),
    ...(proofs.some(({ isValid, isTrusted }) => isValid && isTrusted)
      ? []
      : [trusted.size > 0 ? 'No trusted key has signed it.' : 'No key is trusted.']),
    ...envelopeProblems(
      { luid, status: meta?.status },
      believed(proofs).map(({ custom }) => custom),
    ),
    ...elements.flatMap((one, index) => one.problems.map((text) => `Element ${index}: ${text}`)),
  ];
  const isProven = problems.length === 0;
  return { isProven, hash, proofs, ...(status !== undefined && { status }), elements, problems };
}

const unsigned: RecordVerdict = {
  ...{ isProven: false, hash: '', proofs: [], elements: [] },
  problems: ['It is no signed record: it needs hash, data and meta.proofs.'],
};

function verdictOf(hash: string, proof: unknown, trusted: ReadonlySet<string>): ProofVerdict {
  const { public: key, signer, custom } = isObject(proof) ? (proof as Partial<Proof>) : {};
  return {
    public: String(key),
    ...(signer !== undefined && { signer: String(signer) }),
    custom: isObject(custom) ? custom : {},
    isValid: isShaped(proof) && isProofOf(hash, proof),
    isTrusted: trusted.has(String(key)),
  };
}

/** The elements of a list that are records. */
function elementsIn(data: unknown): unknown[] {
  return Array.isArray(data)
    ? data.filter((one) => isObject(one) && isObject(one['meta']) && 'hash' in one)
    : [];
}

/** A status beside the data is proven where the ledger has stated it. */
function statusIn(proofs: readonly ProofVerdict[], status: unknown): string | undefined {
  const isStated = believed(proofs).some(({ custom }) => custom['status'] === status);
  return typeof status === 'string' && isStated ? status : undefined;
}

function believed(proofs: readonly ProofVerdict[]): ProofVerdict[] {
  return proofs.filter(({ isValid, isTrusted }) => isValid && isTrusted);
}
