/**
 * Settles intents: decides which of them take effect, and how the balances move.
 *
 * It takes a list, in the order in which the intents take effect, so that several can share one commit. Each is all or
 * nothing; one that fails has no effect on those after it.
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

/** The context that settling needs. */
export interface Facts {
  /** The addresses in claims that mean an existing wallet. Ruling 42. */
  readonly wallets: ReadonlySet<string>;
  /** Handles of the symbols that exist, among those that claims name. */
  readonly symbols: ReadonlySet<string>;
  readonly sheet: Sheet;
  /** The moment for daily limits; absent where they are turned off. Decision 58. */
  readonly countsAt?: string;
}

export type Outcome =
  | { readonly settles: true; readonly entries: readonly Entry[] }
  | ({ readonly settles: false } & Why);

/** An intent to settle. A routed intent brings its `entries`, and everything that it names exists. */
export interface Settled {
  readonly claims: readonly Claim[];
  readonly entries?: readonly Entry[];
}

export interface Settlement {
  /** One for each intent, in order. */
  readonly outcomes: readonly Outcome[];
  /** One for each balance that an intent moves. */
  readonly moves: readonly NetMove[];
}

/** The handles that the claims name. */
export function namesOf(claims: readonly Claim[]): {
  readonly wallets: ReadonlySet<string>;
  readonly symbols: ReadonlySet<string>;
} {
  const wallets = claims.flatMap(walletsOf).map(({ handle }) => handle);
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
    for (const [key, move] of next) moves.set(key, move);
    return { settles: true, entries };
  });
  return { outcomes, moves: [...moves.values()] };
}

/**
 * Settles intents that take effect together or not at all. What a balance receives from one, a later one may spend. New
 * limits do not restrict these intents, but the resulting balances must satisfy them. Ruling 43, Decision 60.
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
    const balance = facts.sheet.get(cellOf(move.wallet, move.symbol)) ?? emptyCell;
    const breach = breachOfDeciding(move, balance);
    if (breach) return { outcome: { settles: false, ...breach }, moves: [] };
  }
  const entries = outcomes.filter((one) => one.settles).flatMap((one) => one.entries);
  return { outcome: { settles: true, entries }, moves };
}

/** The first claim that names something unknown: its symbol, then its source, then its target. */
export function unknownOf(
  { wallets, symbols }: Pick<Facts, 'wallets' | 'symbols'>,
  claims: readonly Claim[],
): (Outcome & { readonly settles: false }) | undefined {
  for (const [index, claim] of claims.entries()) {
    const symbol = handleOf(claim.symbol);
    if (!symbols.has(symbol))
      return refused('core.symbol-invalid', `Symbol ${symbol} of claim ${index} does not exist.`);
    const missing = walletsOf(claim).find(({ handle }) => !wallets.has(handle));
    if (missing) {
      const { role, handle } = missing;
      const fault = role === 'Source' ? 'core.source-invalid' : 'core.target-invalid';
      return refused(fault, `${role} ${handle} of claim ${index} does not exist.`);
    }
  }
  return undefined;
}

/** The wallets that a claim names, with their roles. The wallet of a limit is reported as a target. Decision 60. */
function walletsOf(claim: Claim): { readonly role: string; readonly handle: string }[] {
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
  for (const [key, move] of moves) {
    const breach = breachOfReserving(move, sheet.get(key) ?? emptyCell, countsAt);
    if (breach) return { settles: false, ...breach };
  }
  return undefined;
}

function refused(fault: Fault, detail: string) {
  return { settles: false, fault, detail } as const;
}

/** The balances that the claims touch, by key. */
export function cellsOf(claims: readonly Claim[]): ReadonlyMap<string, Turnover> {
  return turnoversOf(claims.flatMap(entriesOf));
}
