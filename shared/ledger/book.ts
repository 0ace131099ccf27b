/**
 * Books: what happened to a balance, entry by entry. The entries of an intent follow from the statements of the ledger
 * on it, so that they can be written more than once, in any order, and made anew. Every balance has a book, and so has
 * the supply of every symbol: the moves of all books of a symbol sum to zero.
 */
import type { Claim } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import { volumesOf } from './balance.ts';
import { capturedEntries, capturedIn, movedClaimsOf } from './capture.ts';
import { entriesOfResolved, type ResolvedEntry, resolvedIn, type Statement } from './intent.ts';
import type { LedgerRecord } from './record.ts';

/** A debit or a credit moves the balance; the others set a part of it aside and give that back. */
export const bookSchemas = ['debit', 'credit', 'reserve', 'release'] as const;

/** One entry of a book. */
export interface BookEntry {
  /** Handle of the wallet; absent in the book of a supply. */
  readonly wallet?: string;
  readonly symbol: string;
  readonly schema: (typeof bookSchemas)[number];
  /** In the symbol's smallest unit, always positive. */
  readonly amount: bigint;
  /** The moment that the ledger stated for it. ISO 8601 UTC. */
  readonly moment: string;
  readonly intent: { readonly handle: string; readonly luid: string };
  /** Distinguishes the entries of the intent in this book, and sorts those of the same moment. */
  readonly number: number;
  /** Indexes of the claims that it comes from, counted from 0; empty for what a whole thread reserves. */
  readonly inputs: readonly number[];
  /** Handle of the resolved entry, `deb_…` or `cre_…`. */
  readonly handle?: string;
  /** The other side, as the claims name it; absent where it is the supply, or more than one. */
  readonly counterparty?: string;
}

/** The sums of a book up to some entry. */
export interface BookTotals {
  readonly debits: bigint;
  readonly credits: bigint;
  /** The amount that is reserved. */
  readonly reserved: bigint;
  /** The numbers of entries that moved the balance, and of those that reserved or released a part of it. */
  readonly moves: number;
  readonly holds: number;
}

export const noTotals: BookTotals = { debits: 0n, credits: 0n, reserved: 0n, moves: 0, holds: 0 };

/** The numbers at which the entries of a kind begin: what a release gives back may move at the same moment. */
const firstNumbers = { reserve: 0, release: 1_000, move: 2_000 } as const;

const holding: ReadonlySet<unknown> = new Set(['processing', 'prepared']);
const ending: ReadonlySet<unknown> = new Set(['committed', 'failed', 'aborted']);

/** The totals after one more entry. */
export function totalsWith(totals: BookTotals, { schema, amount }: BookEntry): BookTotals {
  switch (schema) {
    case 'debit':
      return { ...totals, debits: totals.debits + amount, moves: totals.moves + 1 };
    case 'credit':
      return { ...totals, credits: totals.credits + amount, moves: totals.moves + 1 };
    case 'reserve':
      return { ...totals, reserved: totals.reserved + amount, holds: totals.holds + 1 };
    case 'release':
      return { ...totals, reserved: totals.reserved - amount, holds: totals.holds + 1 };
  }
}

/** The balance of a book: all credits less all debits, with what is reserved. */
export function bookedOf({ debits, credits }: BookTotals): bigint {
  return credits - debits;
}

/** True for an entry that moves the balance. */
export function isMove({ schema }: Pick<BookEntry, 'schema'>): boolean {
  return schema === 'debit' || schema === 'credit';
}

/**
 * The entries of an intent in all books, as far as it has come. The first intent of a thread reserves for all. It is
 * read without them, because they reserve nothing more: each takes what an earlier one of the thread brought to the same
 * balance and no other passes on, so that credits cover it (Decision 52; the audit checks it of stored threads).
 */
export function bookEntriesOf(record: LedgerRecord): BookEntry[] {
  const { reservedAt, ended } = courseOf(record);
  const isFirst = (record.meta.thread ?? record.data.handle) === record.data.handle;
  const reserves = reservedAt === undefined || !isFirst ? [] : reservedBy(record);
  const about = { intent: { handle: record.data.handle, luid: record.luid } };
  const hold = (schema: 'reserve' | 'release', moment: string): BookEntry[] =>
    reserves.map((one) => ({
      ...{ ...one, schema, moment, inputs: [], number: firstNumbers[schema] },
      ...about,
    }));
  return [
    ...(reservedAt === undefined ? [] : hold('reserve', reservedAt)),
    ...(ended ? hold('release', ended.moment) : []),
    ...(ended?.isMoved
      ? movesOf(record).map((one) => ({ ...one, ...about, moment: ended.moment }))
      : []),
  ];
}

/** The moments of an intent at which it changes balances. */
interface BookCourse {
  /** Absent when nothing was reserved, or reserved and moved in one commit. */
  readonly reservedAt?: string;
  readonly ended?: { readonly moment: string; readonly isMoved: boolean };
}

/**
 * The course of an intent, from the statements of the ledger. A decision in the commit of the reservation follows it at
 * once; any later one is brought about by somebody's proof, which stands between the two.
 */
function courseOf({ meta: { proofs } }: LedgerRecord): BookCourse {
  const words = proofs.map(({ origin, custom }) => (origin === undefined ? custom : undefined));
  const held = words.findIndex((word) => isStatus(word, holding));
  if (held < 0) return {};
  const end = words.slice(held).find((word) => isStatus(word, ending));
  const isAtOnce =
    words[held]?.['status'] === 'prepared' && words[held + 1]?.['status'] === 'committed';
  return {
    ...(!isAtOnce && { reservedAt: momentOf(words[held]) }),
    ...(end && { ended: { moment: momentOf(end), isMoved: end['status'] === 'committed' } }),
  };
}

/** True for a statement on the intent itself that has such a status. */
function isStatus(word: Statement | undefined, statuses: ReadonlySet<unknown>): boolean {
  return word !== undefined && word['handle'] === undefined && statuses.has(word['status']);
}

function momentOf(word: Statement | undefined): string {
  return word?.['moment'] as string;
}

type Reserved = Pick<BookEntry, 'symbol' | 'amount'> & { readonly wallet: string };

/** The amounts that an intent reserves: all its debits of each balance. */
function reservedBy(record: LedgerRecord): Reserved[] {
  const volumes = volumesOf(entriesOfResolved(resolvedOf(record)));
  return [...volumes.values()].flatMap(({ wallet, symbol, debits }) =>
    debits > 0n ? [{ wallet, symbol, amount: debits }] : [],
  );
}

type Moved = Omit<BookEntry, 'moment' | 'intent'>;

/** The moves of a committed intent: those of its resolved entries, and those of supplies. Ruling 87. */
function movesOf(record: LedgerRecord): Moved[] {
  const claims = movedClaimsOf(record);
  const ofWallets = capturedEntries(resolvedOf(record), capturedIn(record)).map(
    (entry, index): Moved => {
      const { handle, schema, wallet, symbol, amount, inputs } = entry;
      const counterparty = counterpartyOf(claims, entry);
      return {
        ...{ handle, schema, wallet, symbol, inputs },
        ...{ amount: BigInt(amount), number: firstNumbers.move + index },
        ...(counterparty !== undefined && { counterparty }),
      };
    },
  );
  return [...ofWallets, ...claims.flatMap(moveOfSupply)];
}

/** The move of a supply: an issue takes from it, and a destroy gives back to it. */
function moveOfSupply(claim: Claim, index: number): Moved[] {
  if (claim.action !== 'issue' && claim.action !== 'destroy') return [];
  const isIssue = claim.action === 'issue';
  return [
    {
      schema: isIssue ? 'debit' : 'credit',
      symbol: handleOf(claim.symbol),
      amount: BigInt(claim.amount),
      number: firstNumbers.move + index,
      inputs: [index],
      counterparty: handleOf(isIssue ? claim.target : claim.source),
    },
  ];
}

/** The other side of an entry, when its claims name a single one. */
function counterpartyOf(
  claims: readonly Claim[],
  { schema, inputs }: ResolvedEntry,
): string | undefined {
  const others = inputs.flatMap((input) => {
    const claim = claims[input];
    if (claim?.action !== 'transfer') return [];
    return handleOf(schema === 'debit' ? claim.target : claim.source);
  });
  const [only, ...more] = new Set(others);
  return more.length === 0 ? only : undefined;
}

/** The resolved entries, without those that cannot be read. */
function resolvedOf(record: LedgerRecord): ResolvedEntry[] {
  return resolvedIn(record).filter(
    ({ amount, inputs }) => Number.isSafeInteger(amount) && Array.isArray(inputs),
  );
}
