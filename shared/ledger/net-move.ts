/** Adds up how several intents together move balances: what each balance needs before, and its change. */
import type { Claim } from '../shape/intent.ts';
import { balanceKeyOf, type Entry, type Volumes, volumesOf } from './balance.ts';
import type { Setting } from './limit.ts';
import { noTransfers, sumOf, type TransferTally, talliesOf } from './window.ts';

/** The change of one balance, with what it must hold before all of the intents can take effect. */
export interface NetMove {
  readonly wallet: string;
  readonly symbol: string;
  readonly amount: bigint;
  /** The amount to reserve until the decision; never negative. */
  readonly needs: bigint;
  /** The debits of the last of the intents, for the error message. */
  readonly gives: bigint;
  /** The most that the balance gains on the way, for which `maxBalance` must leave room; never negative. Ruling 41. */
  readonly room: bigint;
  /** True when the balance may be too low, since a bridge covers all debits. Decision 61. */
  readonly isFree: boolean;
  /** The transfers that count for daily limits. */
  readonly transfers: TransferTally;
  /** The part of the transfers that a decision does not capture, which no longer counts; absent for none. */
  readonly uncaptured?: TransferTally;
  /** The limits that are set together with it. */
  readonly settings: readonly Setting[];
}

/** The claims of an intent, and the entries that result from them. */
export interface Moving {
  readonly claims: readonly Claim[];
  readonly entries: readonly Entry[];
}

/** The moves after one more intent, for the balances that it touches, by key. */
export function movedBy(
  moves: ReadonlyMap<string, NetMove>,
  { claims, entries }: Moving,
): ReadonlyMap<string, NetMove> {
  const tallies = talliesOf(claims, entries);
  const next = [...volumesOf(entries)].map(([key, volumes]) => {
    const before = moves.get(key) ?? emptyMove(volumes);
    return [key, moveAfter(before, volumes, tallies.get(key) ?? noTransfers)] as const;
  });
  return new Map(next);
}

/** The moves of intents that take effect together, with the limits that they set. */
export function movesOfIntents(
  intents: readonly Moving[],
  settings: readonly Setting[] = [],
): NetMove[] {
  const moves = new Map<string, NetMove>();
  for (const intent of intents)
    for (const [key, move] of movedBy(moves, intent)) moves.set(key, move);
  return withSettings([...moves.values()], settings);
}

/** Adds limits to moves. A balance that only gets a limit has a move of amount 0. */
export function withSettings(moves: readonly NetMove[], settings: readonly Setting[]): NetMove[] {
  const all = new Map(moves.map((move) => [balanceKeyOf(move.wallet, move.symbol), move] as const));
  for (const setting of settings) {
    const key = balanceKeyOf(setting.wallet, setting.symbol);
    const move = all.get(key) ?? emptyMove(setting);
    all.set(key, { ...move, settings: [...move.settings, setting] });
  }
  return [...all.values()];
}

function emptyMove({ wallet, symbol }: Pick<NetMove, 'wallet' | 'symbol'>): NetMove {
  const nothing = { amount: 0n, needs: 0n, gives: 0n, room: 0n };
  return { wallet, symbol, ...nothing, isFree: true, transfers: noTransfers, settings: [] };
}

/** The move after one more intent, whose credits do not cover its debits and whose debits make no room. */
function moveAfter(before: NetMove, volumes: Volumes, transfers: TransferTally): NetMove {
  const { debits, credits, guarded } = volumes;
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
