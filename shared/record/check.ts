/** Whether a signed body is what its authors signed. Rulings 2, 3, 4 and 17. */
import { hashOf } from '../crypto/digest.ts';
import { assertProofs } from '../crypto/proof.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Identity } from '../port/action.ts';
import type { SignedBody } from '../shape/record.ts';
import { assertLedgerNamed } from './author.ts';

/** Refuses a hash that is not the hash of the data. */
export function assertHash(body: SignedBody): void {
  if (body.hash.toLowerCase() !== hashOf(body.data))
    throw new LedgerError('crypto.hash-invalid', `Invalid record hash: ${body.hash}`);
}

/** Refuses a body that nobody signed, or whose proofs are of something else or for another ledger. */
export function assertAuthors(body: SignedBody, ledger: Identity): void {
  assertProofs(body.hash.toLowerCase(), body.meta.proofs);
  assertLedgerNamed(body.meta.proofs, ledger.handle);
}
