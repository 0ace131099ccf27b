/**
 * What the ledger says about an intent, proof by proof, and the changes that these proofs make; until when
 * an intent waits, and whose proofs want it. Rulings 46 to 50.
 */
import type { Proof } from '../shape/proof.ts';
import type { Entry } from './balance.ts';
import type { ChangeAction, LedgerRecord, Step } from './record.ts';
import type { Outcome } from './settle.ts';

/** The statuses in which an intent ends; it is in exactly one of them, reached once. */
export const finalStatuses = ['completed', 'rejected'] as const;

const pending = 'pending';
/** What somebody says who does not want an intent. */
const dissents: ReadonlySet<unknown> = new Set(['failed', 'aborted', 'rejected']);

/** The custom part of a proof that the ledger will sign. */
export type Words = Readonly<Record<string, unknown>>;

/** A change made by the ledger: the status that it brings, and the words that say so. */
export interface Advance {
  readonly status: string;
  readonly words: readonly Words[];
}

/** Names one entry, by its schema: `deb_…` or `cre_…`. */
export type EntryHandles = (schema: Entry['schema']) => string;

/** The ledger's first word: the intent is stored. Until when it waits is said of one that has to. Decision 39. */
export function pendingOf(luid: string, moment: string, expiry?: string): Advance {
  const waits = expiry === undefined ? {} : { expiry };
  return { status: pending, words: [{ luid, ...waits, ...said(pending, moment) }] };
}

/** All that the ledger says of an intent that ends inside its own commit. Ruling 48, Decision 2. */
export function advancesOf(
  outcome: Outcome,
  luid: string,
  moment: string,
  handleOfEntry: EntryHandles,
): readonly Advance[] {
  return [pendingOf(luid, moment), ...endingOf(outcome, moment, handleOfEntry)];
}

/** All that the ledger says of a pending intent that ends now. Rulings 46 to 48. */
export function endingOf(
  outcome: Outcome,
  moment: string,
  handleOfEntry: EntryHandles,
): readonly Advance[] {
  if (!outcome.settles) {
    const { fault: reason, detail } = outcome;
    return [
      { status: 'failed', words: [{ ...said('failed', moment), reason, detail }] },
      { status: 'aborted', words: [said('aborted', moment)] },
      { status: 'rejected', words: [said('rejected', moment)] },
    ];
  }
  const resolved = outcome.entries.flatMap((entry) => {
    if (entry.holder === 'supply') return [];
    const { wallet } = entry.holder;
    const resolution = resolutionOf(entry, wallet, handleOfEntry(entry.schema));
    return [{ ...resolution, ...said('resolved', moment) }];
  });
  return [
    { status: 'prepared', words: [...resolved, said('prepared', moment)] },
    { status: 'committed', words: [said('committed', moment)] },
    { status: 'completed', words: [said('completed', moment)] },
  ];
}

/** What becomes of an intent that waited for too long. Rulings 47 and 50. */
export const expired: Outcome = {
  settles: false,
  fault: 'core.intent-expired',
  detail: 'The intent was still waiting when its time was over.',
};

/** An entry as the ledger resolved it, in a word of its own. Ruling 48. */
export interface ResolvedEntry {
  /** `deb_…` or `cre_…`. */
  readonly handle: string;
  readonly schema: Entry['schema'];
  readonly wallet: string;
  readonly symbol: string;
  /** In the symbol's smallest unit, always positive. */
  readonly amount: number;
  /** The claims that it comes from, counted from 0. */
  readonly inputs: readonly number[];
  /** Handle of the bridge that is called for it. */
  readonly bridge?: string;
}

/** The entries that the ledger has resolved, in their order. */
export function resolvedIn({ meta }: LedgerRecord): ResolvedEntry[] {
  return meta.proofs.flatMap(({ origin, custom }) =>
    origin === undefined && custom?.['status'] === 'resolved'
      ? (custom as unknown as ResolvedEntry)
      : [],
  );
}

/** Whether an intent waits for further signatures. Ruling 49. */
export function isPending({ meta }: LedgerRecord): boolean {
  return meta.status === pending;
}

/** Until when an intent waits, ISO 8601 UTC; undefined for one that does not. Decision 39. */
export function expiryOf(record: LedgerRecord): string | undefined {
  if (!isPending(record)) return undefined;
  const word = record.meta.proofs.find(
    ({ origin, custom }) => origin === undefined && custom?.['status'] === pending,
  );
  return word?.custom?.['expiry'] as string | undefined;
}

/**
 * The proofs by which its authors want an intent to happen: who signs that it failed, or is to end, does
 * not want it. Decision 38.
 */
export function consentsIn(proofs: readonly Proof[]): Proof[] {
  return proofs.filter(
    ({ origin, custom }) => origin !== undefined && !dissents.has(custom?.['status']),
  );
}

function said(status: string, moment: string): Words {
  return { status, moment };
}

/** Which wallet an entry touches, and how. The supply of a symbol is no wallet and is not named. */
function resolutionOf(entry: Entry, wallet: string, handle: string): Words {
  const { schema, symbol, amount, inputs, bridge } = entry;
  return {
    handle,
    schema,
    wallet,
    symbol,
    amount: Number(amount < 0n ? -amount : amount),
    inputs,
    ...(bridge !== undefined && { bridge }),
  };
}

/** The changes that the advances make on top of so many proofs: a create when they are the first, then updates. */
export function stepsOf(
  advances: readonly Advance[],
  proofsBefore: number,
  moment: string,
  first: ChangeAction = 'create',
): readonly Step[] {
  let proofs = proofsBefore;
  return advances.map(({ status, words }, index) => {
    proofs += words.length;
    return { action: index === 0 ? first : 'update', status, moment, proofs };
  });
}
