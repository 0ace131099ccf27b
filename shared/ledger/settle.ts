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
  /** Handles of the wallets that exist, among those that are named. */
  readonly wallets: ReadonlySet<string>;
  /** Handles of the symbols that exist, among those that are named. */
  readonly symbols: ReadonlySet<string>;
  /** Handles of the wallets whose money is kept by a bridge, among those that are named. */
  readonly bridged: ReadonlySet<string>;
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
  readonly needs: bigint;
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
export function settle(
  facts: Facts,
  intents: readonly { readonly claims: readonly Claim[] }[],
): Settlement {
  const moves = new Map<string, NetMove>();
  const outcomes = intents.map(({ claims }): Outcome => {
    const entries = claims.flatMap(entriesOf);
    const turnovers = turnoversOf(entries);
    const refusal =
      unknownOf(facts, claims) ??
      bridgedOf(facts, claims) ??
      shortfallOf(facts.sheet, moves, turnovers);
    if (refusal) return refusal;
    for (const [cell, turnover] of turnovers) moves.set(cell, movedBy(moves.get(cell), turnover));
    return { settles: true, entries };
  });
  return { outcomes, moves: [...moves.values()] };
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

/**
 * The first transfer that a bridge would have to take part in. Bridges are not called yet, and money that
 * lies outside must not move here alone. Ruling 54, Decision 8.
 */
function bridgedOf({ bridged }: Facts, claims: readonly Claim[]): Outcome | undefined {
  for (const [index, claim] of claims.entries()) {
    if (claim.action !== 'transfer') continue;
    const wallet = [claim.source, claim.target].map(handleOf).find((one) => bridged.has(one));
    if (wallet !== undefined)
      return refused(
        'core.bridge-unsupported-operation',
        `Wallet ${wallet} of claim ${index} has a bridge, and bridges are not called yet.`,
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
  for (const [cell, { wallet, symbol, debits }] of turnovers) {
    const available = (sheet.get(cell) ?? 0n) + (moves.get(cell)?.amount ?? 0n);
    if (debits > available)
      return refused(
        'core.insufficient-balance',
        `Wallet ${wallet} holds too little ${symbol} to give ${debits}.`,
      );
  }
  return undefined;
}

/** The move of a balance after one more intent. */
function movedBy(before: NetMove | undefined, turnover: Turnover): NetMove {
  const { wallet, symbol, debits, credits } = turnover;
  const amount = before?.amount ?? 0n;
  const needs = debits - amount;
  return {
    wallet,
    symbol,
    amount: amount + credits - debits,
    needs: before && before.needs > needs ? before.needs : needs,
  };
}

function refused(fault: Fault, detail: string): Outcome {
  return { settles: false, fault, detail };
}

/** The balances that the claims would touch, by cell. */
export function cellsOf(claims: readonly Claim[]): ReadonlyMap<string, Turnover> {
  return turnoversOf(claims.flatMap(entriesOf));
}
