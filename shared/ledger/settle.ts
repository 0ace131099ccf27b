/**
 * Settling: from intents and what the ledger knows to what becomes of each, and how the balances move.
 *
 * It takes a list of intents, in the order in which they take effect, so that several may share one
 * commit. Each is all or nothing; one that is refused leaves no trace on those after it.
 */
import type { Claim } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import { type Entry, entriesOf, type Sheet, type Turnover, turnoversOf } from './balance.ts';
import type { Fault } from './errors.ts';

/** What settling needs to know. */
export interface Facts {
  /** What the claims call wallets, as far as it leads to one. Ruling 42. */
  readonly wallets: ReadonlySet<string>;
  /** Handles of the symbols that exist, among those that are named. */
  readonly symbols: ReadonlySet<string>;
  /** The available amounts; a missing cell holds nothing. */
  readonly sheet: Sheet;
}

/** What becomes of an intent. */
export type Outcome =
  | { readonly settles: true; readonly entries: readonly Entry[] }
  | { readonly settles: false; readonly fault: Fault; readonly detail: string };

/** How a balance moves, and how much it must hold before for all of it to stand. */
export interface NetMove {
  readonly wallet: string;
  readonly symbol: string;
  readonly amount: bigint;
  /** What is reserved of it until it is decided; never below zero. */
  readonly needs: bigint;
  /** Whether it need not hold that: all that is taken from it is asked of a bridge. Decision 61. */
  readonly isFree: boolean;
}

/** An intent to settle; its entries are those of its claims unless it was routed. */
export interface Settled {
  readonly claims: readonly Claim[];
  readonly entries?: readonly Entry[];
}

export interface Settlement {
  /** One for each intent, in order. */
  readonly outcomes: readonly Outcome[];
  /** One for each balance that an intent touched. */
  readonly moves: readonly NetMove[];
}

/** The handles that the claims name. */
export function namesOf(claims: readonly Claim[]): {
  readonly wallets: ReadonlySet<string>;
  readonly symbols: ReadonlySet<string>;
} {
  const wallets = new Set<string>();
  const symbols = new Set<string>();
  for (const claim of claims) {
    symbols.add(handleOf(claim.symbol));
    if ('source' in claim) wallets.add(handleOf(claim.source));
    if ('target' in claim) wallets.add(handleOf(claim.target));
  }
  return { wallets, symbols };
}

/** Settles the intents one after the other. */
export function settle(facts: Facts, intents: readonly Settled[]): Settlement {
  const moves = new Map<string, NetMove>();
  const outcomes = intents.map(({ claims, entries = claims.flatMap(entriesOf) }): Outcome => {
    const turnovers = turnoversOf(entries);
    const refusal = unknownOf(facts, claims) ?? shortfallOf(facts.sheet, moves, turnovers);
    if (refusal) return refusal;
    for (const [cell, turnover] of turnovers) moves.set(cell, movedBy(moves.get(cell), turnover));
    return { settles: true, entries };
  });
  return { outcomes, moves: [...moves.values()] };
}

/**
 * Settles intents that take effect together or not at all: what comes to a balance through one of them pays for
 * what a later one takes from it. Ruling 43.
 */
export function settleAsOne(
  facts: Facts,
  intents: readonly Settled[],
): { readonly outcome: Outcome; readonly moves: readonly NetMove[] } {
  const { outcomes, moves } = settle(facts, intents);
  const refusal = outcomes.find(({ settles }) => !settles);
  if (refusal) return { outcome: refusal, moves: [] };
  const entries = outcomes.flatMap((one) => (one.settles ? one.entries : []));
  return { outcome: { settles: true, entries }, moves };
}

/** How the entries of intents that take effect together move balances, whatever these hold. */
export function movesOfEntries(intents: readonly (readonly Entry[])[]): NetMove[] {
  const moves = new Map<string, NetMove>();
  for (const entries of intents)
    for (const [cell, turnover] of turnoversOf(entries))
      moves.set(cell, movedBy(moves.get(cell), turnover));
  return [...moves.values()];
}

/** The first claim that names what does not exist: its symbol, then its source, then its target. */
function unknownOf(facts: Facts, claims: readonly Claim[]): Outcome | undefined {
  for (const [index, claim] of claims.entries()) {
    const symbol = handleOf(claim.symbol);
    if (!facts.symbols.has(symbol))
      return refused('core.symbol-invalid', `Symbol ${symbol} of claim ${index} does not exist.`);
    if ('source' in claim && !facts.wallets.has(handleOf(claim.source)))
      return refused(
        'core.source-invalid',
        `Source ${handleOf(claim.source)} of claim ${index} does not exist.`,
      );
    if ('target' in claim && !facts.wallets.has(handleOf(claim.target)))
      return refused(
        'core.target-invalid',
        `Target ${handleOf(claim.target)} of claim ${index} does not exist.`,
      );
  }
  return undefined;
}

/** The first balance that its debits would bring below the floor; credits do not help. Ruling 41. */
function shortfallOf(
  sheet: Sheet,
  moves: ReadonlyMap<string, NetMove>,
  turnovers: ReadonlyMap<string, Turnover>,
): Outcome | undefined {
  for (const [cell, { wallet, symbol, debits, guarded }] of turnovers) {
    const available = (sheet.get(cell) ?? 0n) + (moves.get(cell)?.amount ?? 0n);
    if (guarded > 0n && debits > available)
      return refused(
        'core.insufficient-balance',
        `Wallet ${wallet} holds too little ${symbol} to give ${debits}.`,
      );
  }
  return undefined;
}

/** The move of a balance after one more intent. */
function movedBy(before: NetMove | undefined, turnover: Turnover): NetMove {
  const { wallet, symbol, debits, credits, guarded } = turnover;
  const amount = before?.amount ?? 0n;
  const needs = debits - amount;
  const needsMin = before?.needs ?? 0n;
  return {
    wallet,
    symbol,
    amount: amount + credits - debits,
    needs: needs > needsMin ? needs : needsMin,
    isFree: (before?.isFree ?? true) && guarded === 0n,
  };
}

function refused(fault: Fault, detail: string): Outcome {
  return { settles: false, fault, detail };
}

/** The balances that the claims would touch, by cell. */
export function cellsOf(claims: readonly Claim[]): ReadonlyMap<string, Turnover> {
  return turnoversOf(claims.flatMap(entriesOf));
}
