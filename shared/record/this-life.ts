/**
 * Whether a proof was meant for the record as it lives now. What is signed names data and not a record, so when a
 * record is made again with equal data, everything that was once signed about the first one fits the second:
 * only the moments tell them apart. Decision 44.
 */
import { LedgerError } from '../ledger/errors.ts';
import { freesHandles } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Proof } from '../shape/proof.ts';
import { signedMsOf } from './author.ts';

/** How far the clocks of authors may be from that of the ledger. */
const clockMs = 10 * 60_000;

/** Whose proof it is, and what they said with it. */
type DatedProof = Pick<Proof, 'public' | 'custom'>;

/** Refuses proofs that were signed before there was the data that they are about. A proof may say no moment. */
export function assertOfThisLife(
  version: Version,
  proofs: readonly DatedProof[],
  nowMs: number,
): void {
  // Data of other kinds is never made twice: what names it is never free again.
  if (!freesHandles(version.kind)) return;
  for (const [index, proof] of proofs.entries()) {
    const sinceMs = beginningFor(proof.public, version, nowMs);
    if (signedMsOf(proof) < sinceMs)
      throw new LedgerError(
        'crypto.signature-invalid',
        `Invalid signature for key: ${proof.public}`,
        { index, fault: 'moment', since: new Date(sinceMs).toISOString() },
      );
  }
}

/** When the data was made: by the ledger's clock, give or take, and by the key's own word if it has signed the data. */
function beginningFor(key: string, { record }: Version, nowMs: number): number {
  const { proofs, moment } = record.meta;
  // Whoever signed the data comes first, and then the ledger, whose proofs have no origin.
  const sealed = proofs.findIndex(({ origin }) => origin === undefined);
  const own = proofs.slice(0, sealed).filter((proof) => proof.public === key);
  const said = own.map(signedMsOf).filter((momentMs) => !Number.isNaN(momentMs));
  const madeMs = Date.parse(moment);
  // The data is there, so a moment that is still to come is that of a clock that ran ahead, and says nothing. Decision 87.
  if (madeMs > nowMs)
    return Math.max(nowMs - clockMs, ...said.filter((momentMs) => momentMs <= nowMs));
  // Who once signed with a wrong clock must not have to wait until it is right.
  return Math.max(madeMs - clockMs, ...said.map((ms) => Math.min(ms, madeMs + clockMs)));
}
