/**
 * Settles intents: decides which of them take effect, and how the balances move.
 *
 * It takes a list, in the order in which the intents take effect, so that several can share one commit. Each is all or
 * nothing; one that fails has no effect on those after it.
 */
import type { Claim } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import { balanceKeyOf, type Entry, entriesOf, type Volumes, volumesOf } from './balance.ts';
import { type BalanceStates, emptyBalance } from './balance-state.ts';
import { breachOfDeciding, breachOfReserving } from './bounds.ts';
import type { FailureDetail } from './disclosure.ts';
import type { FailureReason } from './errors.ts';
import type { Setting } from './limit.ts';
import { movedBy, type NetMove, withSettings } from './net-move.ts';

export type { NetMove } from './net-move.ts';

/** The context that settling needs. */
export interface SettlementFacts {
  /** The addresses in claims that mean an existing wallet. Ruling 42. */
  readonly wallets: ReadonlySet<string>;
  /** Handles of the symbols that exist, among those that claims name. */
  readonly symbols: ReadonlySet<string>;
  readonly balances: BalanceStates;
  /** The moment for daily limits; absent where they are turned off. Decision 58. */
  readonly countsAt?: string;
}

export type IntentOutcome =
  | { readonly settles: true; readonly entries: readonly Entry[] }
  | ({ readonly settles: false } & FailureDetail);

/** An intent to settle. A routed intent brings its `entries`, and everything that it names exists. */
export interface SettlingIntent {
  readonly claims: readonly Claim[];
  readonly entries?: readonly Entry[];
}

export interface Settlement {
  /** One for each intent, in order. */
  readonly outcomes: readonly IntentOutcome[];
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
export function settle(facts: SettlementFacts, intents: readonly SettlingIntent[]): Settlement {
  const moves = new Map<string, NetMove>();
  const outcomes = intents.map(({ claims, entries: routed }): IntentOutcome => {
    const entries = routed ?? claims.flatMap(entriesOf);
    const next = movedBy(moves, { claims, entries });
    const unknown = routed ? undefined : unknownOf(facts, claims);
    const failure = unknown ?? breachIn(facts, next);
    if (failure) return failure;
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
  facts: SettlementFacts,
  intents: readonly SettlingIntent[],
  settings: readonly Setting[] = [],
): { readonly outcome: IntentOutcome; readonly moves: readonly NetMove[] } {
  const settlement = settle(facts, intents);
  const { outcomes } = settlement;
  const failure = outcomes.find(({ settles }) => !settles);
  if (failure) return { outcome: failure, moves: [] };
  const moves = withSettings(settlement.moves, settings);
  for (const move of moves) {
    const balance = facts.balances.get(balanceKeyOf(move.wallet, move.symbol)) ?? emptyBalance;
    const breach = breachOfDeciding(move, balance);
    if (breach) return { outcome: { settles: false, ...breach }, moves: [] };
  }
  const entries = outcomes.filter((one) => one.settles).flatMap((one) => one.entries);
  return { outcome: { settles: true, entries }, moves };
}

/** The first claim that names something unknown: its symbol, then its source, then its target. */
export function unknownOf(
  { wallets, symbols }: Pick<SettlementFacts, 'wallets' | 'symbols'>,
  claims: readonly Claim[],
): (IntentOutcome & { readonly settles: false }) | undefined {
  for (const [index, claim] of claims.entries()) {
    const symbol = handleOf(claim.symbol);
    if (!symbols.has(symbol))
      return failed('core.symbol-invalid', `Symbol ${symbol} of claim ${index} does not exist.`);
    const missing = walletsOf(claim).find(({ handle }) => !wallets.has(handle));
    if (missing) {
      const { role, handle } = missing;
      const reason = role === 'Source' ? 'core.source-invalid' : 'core.target-invalid';
      return failed(reason, `${role} ${handle} of claim ${index} does not exist.`);
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
  { balances, countsAt }: SettlementFacts,
  moves: ReadonlyMap<string, NetMove>,
): (IntentOutcome & { readonly settles: false }) | undefined {
  for (const [key, move] of moves) {
    const breach = breachOfReserving(move, balances.get(key) ?? emptyBalance, countsAt);
    if (breach) return { settles: false, ...breach };
  }
  return undefined;
}

function failed(reason: FailureReason, detail: string) {
  return { settles: false, reason, detail } as const;
}

/** The balances that the claims touch, by key. */
export function volumesOfClaims(claims: readonly Claim[]): ReadonlyMap<string, Volumes> {
  return volumesOf(claims.flatMap(entriesOf));
}
