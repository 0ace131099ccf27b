/** How balances move when several intents take effect together: what each needs before, and what is left after. */
import type { Claim } from '../shape/intent.ts';
import { cellOf, type Entry, type Turnover, turnoversOf } from './balance.ts';
import type { Setting } from './limit.ts';
import { noTransfers, sumOf, type Tally, talliesOf } from './window.ts';

/** How a balance moves, and how much it must hold before for all of it to stand. */
export interface NetMove {
  readonly wallet: string;
  readonly symbol: string;
  readonly amount: bigint;
  /** What is reserved of it until it is decided; never below zero. */
  readonly needs: bigint;
  /** What the last of the intents takes. */
  readonly gives: bigint;
  /** What it must have room for: the most that it gains on the way; never below zero. Ruling 41. */
  readonly room: bigint;
  /** Whether it need not hold what it needs: all that is taken is asked of a bridge. Decision 61. */
  readonly isFree: boolean;
  /** What counts for daily limits. */
  readonly transfers: Tally;
  /** The limits that are set with it. */
  readonly settings: readonly Setting[];
}

/** The claims of an intent, and what comes of them. */
export interface Moving {
  readonly claims: readonly Claim[];
  readonly entries: readonly Entry[];
}

/** The moves of the balances that one more intent touches, on top of those before, by cell. */
export function movedBy(
  moves: ReadonlyMap<string, NetMove>,
  { claims, entries }: Moving,
): ReadonlyMap<string, NetMove> {
  const tallies = talliesOf(claims, entries);
  const next = [...turnoversOf(entries)].map(([cell, turnover]) => {
    const before = moves.get(cell) ?? stillOf(turnover);
    return [cell, movedOnce(before, turnover, tallies.get(cell) ?? noTransfers)] as const;
  });
  return new Map(next);
}

/** The moves of intents that take effect together, and the limits that they set. */
export function movesOfIntents(
  intents: readonly Moving[],
  settings: readonly Setting[] = [],
): NetMove[] {
  const moves = new Map<string, NetMove>();
  for (const intent of intents)
    for (const [cell, move] of movedBy(moves, intent)) moves.set(cell, move);
  return withSettings([...moves.values()], settings);
}

/** The moves with the limits that are set: a balance that only gets a limit has a move without an amount. */
export function withSettings(moves: readonly NetMove[], settings: readonly Setting[]): NetMove[] {
  const all = new Map(moves.map((move) => [cellOf(move.wallet, move.symbol), move] as const));
  for (const setting of settings) {
    const cell = cellOf(setting.wallet, setting.symbol);
    const move = all.get(cell) ?? stillOf(setting);
    all.set(cell, { ...move, settings: [...move.settings, setting] });
  }
  return [...all.values()];
}

function stillOf({ wallet, symbol }: Pick<NetMove, 'wallet' | 'symbol'>): NetMove {
  const nothing = { amount: 0n, needs: 0n, gives: 0n, room: 0n };
  return { wallet, symbol, ...nothing, isFree: true, transfers: noTransfers, settings: [] };
}

/** The move of a balance after one more intent. Credits of an intent do not pay for its debits, nor make debits room. */
function movedOnce(before: NetMove, turnover: Turnover, transfers: Tally): NetMove {
  const { debits, credits, guarded } = turnover;
  const { amount } = before;
  return {
    ...before,
    amount: amount + credits - debits,
    needs: larger(before.needs, debits - amount),
    gives: debits,
    room: larger(before.room, amount + credits),
    isFree: before.isFree && guarded === 0n,
    transfers: sumOf(before.transfers, transfers),
  };
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
