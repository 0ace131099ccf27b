/**
 * Settling: from intents and what the ledger knows to what becomes of each, and how the balances move.
 *
 * It takes a list of intents, in the order in which they take effect, so that several may share one
 * commit. Each is all or nothing; one that is refused leaves no trace on those after it.
 */
import type { Claim } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import { cellOf, type Entry, entriesOf, type Turnover, turnoversOf } from './balance.ts';
import { breachOfDeciding, breachOfReserving } from './bounds.ts';
import type { Fault } from './errors.ts';
import type { Setting } from './limit.ts';
import { movedBy, type NetMove, withSettings } from './net-move.ts';
import { emptyCell, type Sheet } from './sheet.ts';
import type { Why } from './telling.ts';

export type { NetMove } from './net-move.ts';

/** What settling needs to know. */
export interface Facts {
  /** What the claims call wallets, as far as it leads to one. Ruling 42. */
  readonly wallets: ReadonlySet<string>;
  /** Handles of the symbols that exist, among those that are named. */
  readonly symbols: ReadonlySet<string>;
  readonly sheet: Sheet;
  /** The moment at which daily limits are asked; absent where they are turned off. Decision 58. */
  readonly countsAt?: string;
}

/** What becomes of an intent. */
export type Outcome =
  | { readonly settles: true; readonly entries: readonly Entry[] }
  | ({ readonly settles: false } & Why);

/** An intent to settle; its entries are those of its claims unless it was routed, when all that it names is there. */
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
  const wallets = claims.flatMap(partiesOf).map(({ handle }) => handle);
  return { wallets: new Set(wallets), symbols: new Set(claims.map((one) => handleOf(one.symbol))) };
}

/** Settles the intents one after the other. */
export function settle(facts: Facts, intents: readonly Settled[]): Settlement {
  const moves = new Map<string, NetMove>();
  const outcomes = intents.map(({ claims, entries: routed }): Outcome => {
    const entries = routed ?? claims.flatMap(entriesOf);
    const next = movedBy(moves, { claims, entries });
    const unknown = routed ? undefined : unknownOf(facts, claims);
    const refusal = unknown ?? breachIn(facts, next);
    if (refusal) return refusal;
    for (const [cell, move] of next) moves.set(cell, move);
    return { settles: true, entries };
  });
  return { outcomes, moves: [...moves.values()] };
}

/**
 * Settles intents that take effect together or not at all: what comes to a balance through one of them pays for
 * what a later one takes from it. The limits that they set are not theirs yet, but what they leave behind has to be
 * within them. Ruling 43, Decision 60.
 */
export function settleAsOne(
  facts: Facts,
  intents: readonly Settled[],
  settings: readonly Setting[] = [],
): { readonly outcome: Outcome; readonly moves: readonly NetMove[] } {
  const settlement = settle(facts, intents);
  const { outcomes } = settlement;
  const refusal = outcomes.find(({ settles }) => !settles);
  if (refusal) return { outcome: refusal, moves: [] };
  const moves = withSettings(settlement.moves, settings);
  for (const move of moves) {
    const cell = facts.sheet.get(cellOf(move.wallet, move.symbol)) ?? emptyCell;
    const breach = breachOfDeciding(move, cell);
    if (breach) return { outcome: { settles: false, ...breach }, moves: [] };
  }
  const entries = outcomes.filter((one) => one.settles).flatMap((one) => one.entries);
  return { outcome: { settles: true, entries }, moves };
}

/** The first claim that names what does not exist: its symbol, then its source, then its target. */
export function unknownOf(
  { wallets, symbols }: Pick<Facts, 'wallets' | 'symbols'>,
  claims: readonly Claim[],
): (Outcome & { readonly settles: false }) | undefined {
  for (const [index, claim] of claims.entries()) {
    const symbol = handleOf(claim.symbol);
    if (!symbols.has(symbol))
      return refused('core.symbol-invalid', `Symbol ${symbol} of claim ${index} does not exist.`);
    const missing = partiesOf(claim).find(({ handle }) => !wallets.has(handle));
    if (missing) {
      const { role, handle } = missing;
      const fault = role === 'Source' ? 'core.source-invalid' : 'core.target-invalid';
      return refused(fault, `${role} ${handle} of claim ${index} does not exist.`);
    }
  }
  return undefined;
}

/** The wallets that a claim names, with what they are to it. Who is limited is told as a target is. Decision 60. */
function partiesOf(claim: Claim): { readonly role: string; readonly handle: string }[] {
  const wallet = 'wallet' in claim ? [{ role: 'Wallet', handle: handleOf(claim.wallet) }] : [];
  const source = 'source' in claim ? [{ role: 'Source', handle: handleOf(claim.source) }] : [];
  const target = 'target' in claim ? [{ role: 'Target', handle: handleOf(claim.target) }] : [];
  return [...wallet, ...source, ...target];
}

/** The first move that its balance does not allow. Ruling 41. */
function breachIn(
  { sheet, countsAt }: Facts,
  moves: ReadonlyMap<string, NetMove>,
): (Outcome & { readonly settles: false }) | undefined {
  for (const [cell, move] of moves) {
    const breach = breachOfReserving(move, sheet.get(cell) ?? emptyCell, countsAt);
    if (breach) return { settles: false, ...breach };
  }
  return undefined;
}

function refused(fault: Fault, detail: string) {
  return { settles: false, fault, detail } as const;
}

/** The balances that the claims would touch, by cell. */
export function cellsOf(claims: readonly Claim[]): ReadonlyMap<string, Turnover> {
  return turnoversOf(claims.flatMap(entriesOf));
}
