/** Reading an answer: exact numbers, and no trust in what the ledger did not sign. */
import { parse } from 'lossless-json';
import type { ApiSchemas } from './answer-types.ts';
import { hashOf, isProofOf } from './digest.ts';
import { envelopeProblems, isShaped } from './envelope.ts';
import { LedgerUntrusted } from './errors.ts';

/** No proof of the answer is by a key of the ledger that is known: it may have another one by now. */
export class UnknownKey extends LedgerUntrusted {}

/** The most digits of a number that an error shows. */
const digitsShown = 32;

/** An answer as it is signed: a record, or a list of them. */
export interface SignedAnswer {
  /** Of a record. */
  readonly luid?: unknown;
  readonly hash: string;
  readonly data: unknown;
  readonly meta: { readonly proofs: readonly ApiSchemas['Proof'][]; readonly status?: unknown };
}

/**
 * Parses JSON. An integer beyond 2^53 - 1 is a bigint, so that balances of up to 38 digits are exact. Throws for what is no
 * JSON, and for a number that no double holds, as 1e400. Ruling 39.
 */
export function parseExactly(text: string): unknown {
  return parse(text, undefined, (digits) => {
    const number = Number(digits);
    if (/^-?\d+$/.test(digits)) return Number.isSafeInteger(number) ? number : BigInt(digits);
    if (Number.isFinite(number)) return number;
    throw new SyntaxError(`the number ${digits.slice(0, digitsShown)} is too large.`);
  });
}

/**
 * The reasons of refusals that a ledger need not sign: those of a gateway, of a service without its database, and of a
 * server that does not host the ledger. They speak of the request, and of no record. Ruling 8.
 */
const unsignedReasons = new Set([
  ...['api.body-malformed', 'api.rate-limit-exceeded', 'api.request-timeout'],
  ...['api.route-not-found', 'api.unexpected-error'],
]);

/** True for a refusal that others than the ledger may give. Creating a ledger is refused by the key of the server. */
export function mayBeUnsigned(what: string, reason: string): boolean {
  return unsignedReasons.has(reason) || what === 'post /ledgers';
}

/**
 * Refuses with `LedgerUntrusted` an answer whose hash does not hold, that has no proof of the ledger (`UnknownKey`), that has
 * a proof that does not verify, or whose luid or status is not the one that the ledger has signed.
 */
export function assertOfLedger(
  answer: unknown,
  ledgerKeys: string | readonly string[],
): asserts answer is SignedAnswer {
  const { luid, hash, data, meta } = (answer ?? {}) as Partial<SignedAnswer>;
  const proofs: readonly unknown[] | undefined = Array.isArray(meta?.proofs)
    ? meta.proofs
    : undefined;
  if (typeof hash !== 'string' || !proofs) throw new LedgerUntrusted('The answer is not signed.');
  if (hash !== hashOf(data))
    throw new LedgerUntrusted('The hash of the answer is not that of its data.');
  const own = proofs.filter(isShaped).filter((proof) => [ledgerKeys].flat().includes(proof.public));
  if (own.length === 0) throw new UnknownKey('The answer is not signed by the ledger.');
  const wrong = proofs.findIndex((proof) => !(isShaped(proof) && isProofOf(hash, proof)));
  if (wrong >= 0) throw new LedgerUntrusted(`Proof ${wrong} of the answer does not verify.`);
  const statements = own.map(({ custom }) => custom ?? {});
  const [problem] = envelopeProblems({ luid, status: meta?.status }, statements);
  if (problem !== undefined) throw new LedgerUntrusted(problem);
}
