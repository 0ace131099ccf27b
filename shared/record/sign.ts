/** Signatures of the ledger: on each record, and on answers that are no records. Ruling 8. */
import { canonicalOf } from '../crypto/canonical.ts';
import { hashOf } from '../crypto/digest.ts';
import { sign } from '../crypto/proof.ts';
import type { LedgerError } from '../ledger/errors.ts';
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

/** Hashed and signed data of the ledger itself: an error, a status, a list. */
export interface Signed<Data> {
  readonly hash: string;
  readonly data: Data;
  readonly meta: { readonly proofs: readonly Proof[]; readonly moment?: string };
}

export function signed<Data>(identity: Identity, data: Data, nowMs: number): Signed<Data> {
  const hash = hashOf(data);
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
  return canonicalOf(body);
}
