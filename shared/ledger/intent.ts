/**
 * What the ledger says about an intent, proof by proof, and the changes that these proofs make.
 * Rulings 46 to 48.
 */
import type { Entry } from './balance.ts';
import type { Step } from './record.ts';
import type { Outcome } from './settle.ts';

/** The statuses in which an intent ends; it is in exactly one of them, reached once. */
export const finalStatuses = ['completed', 'rejected'] as const;

/** The custom part of a proof that the ledger will sign. */
export type Words = Readonly<Record<string, unknown>>;

/** A change made by the ledger: the status that it brings, and the words that say so. */
interface Advance {
  readonly status: string;
  readonly words: readonly Words[];
}

/** Names one entry, by its schema: `deb_…` or `cre_…`. */
export type EntryHandles = (schema: Entry['schema']) => string;

/** All that the ledger says of an intent that ends inside its own commit. Ruling 48, Decision 2. */
export function advancesOf(
  outcome: Outcome,
  luid: string,
  moment: string,
  handleOfEntry: EntryHandles,
): readonly Advance[] {
  const said = (status: string, more: Words = {}): Words => ({ ...more, status, moment });
  const pending = { status: 'pending', words: [said('pending', { luid })] };
  if (!outcome.settles) {
    const failure = said('failed', { reason: outcome.fault, detail: outcome.detail });
    return [
      pending,
      { status: 'failed', words: [failure] },
      { status: 'aborted', words: [said('aborted')] },
      { status: 'rejected', words: [said('rejected')] },
    ];
  }
  const resolved = outcome.entries.flatMap((entry) =>
    entry.holder === 'supply'
      ? []
      : [said('resolved', resolutionOf(entry, entry.holder.wallet, handleOfEntry(entry.schema)))],
  );
  return [
    pending,
    { status: 'prepared', words: [...resolved, said('prepared')] },
    { status: 'committed', words: [said('committed')] },
    { status: 'completed', words: [said('completed')] },
  ];
}

/** Which wallet an entry touches, and how. The supply of a symbol is no wallet and is not named. */
function resolutionOf(entry: Entry, wallet: string, handle: string): Words {
  const { schema, symbol, amount, claim } = entry;
  return {
    handle,
    schema,
    wallet,
    symbol,
    amount: Number(amount < 0n ? -amount : amount),
    inputs: [claim],
  };
}

/** The changes that the advances make on top of the authors' proofs: one create, then updates. */
export function stepsOf(
  advances: readonly Advance[],
  authorProofs: number,
  moment: string,
): readonly Step[] {
  let proofs = authorProofs;
  return advances.map(({ status, words }, index) => {
    proofs += words.length;
    return { action: index === 0 ? 'create' : 'update', status, moment, proofs };
  });
}
