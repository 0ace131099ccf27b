/**
 * Protection against old proofs. A signature covers data, not a record. When a record is dropped and created again
 * with equal data, every proof of the first one is valid for the second; only the moments differ. Decision 44.
 */
import { LedgerError } from '../ledger/errors.ts';
import { freesHandles } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Proof } from '../shape/proof.ts';
import { signedMsOf } from './author.ts';

/** Accepted difference between the clocks of authors and the ledger. */
const clockMs = 10 * 60_000;

type DatedProof = Pick<Proof, 'public' | 'custom'>;

/** Refuses with `crypto.signature-invalid` proofs that were signed before the record existed. */
export function assertNotStale(
  version: Version,
  proofs: readonly DatedProof[],
  nowMs: number,
): void {
  // Handles of other kinds never become free, so their data is never created twice.
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

/**
 * The creation time of the data for a key: by the ledger's clock with the accepted difference, and by the key's own
 * proof if it signed the data.
 */
function beginningFor(key: string, { record }: Version, nowMs: number): number {
  const { proofs, moment } = record.meta;
  // Proofs of authors come first, then those of the ledger, which have no origin.
  const withoutOrigin = proofs.findIndex(({ origin }) => origin === undefined);
  const own = proofs.slice(0, withoutOrigin).filter((proof) => proof.public === key);
  const said = own.map(signedMsOf).filter((momentMs) => !Number.isNaN(momentMs));
  const madeMs = Date.parse(moment);
  // The data exists, so a future moment comes from a clock that ran ahead and is ignored. Decision 87.
  if (madeMs > nowMs)
    return Math.max(nowMs - clockMs, ...said.filter((momentMs) => momentMs <= nowMs));
  // An author who signed with a wrong clock must not have to wait until that moment has passed.
  return Math.max(madeMs - clockMs, ...said.map((ms) => Math.min(ms, madeMs + clockMs)));
}
