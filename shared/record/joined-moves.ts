/**
 * Moves of one balance, one after the other, as a single move: it holds when each of them would, in their order. All of
 * them were decided on what those before leave behind. Decision 128.
 */
import type { Balance, Move } from '../port/ports.ts';

/** False for moves that only a transaction of their own can make: of limits, and holds beside moves without. */
export function mayJoin(first: Move | undefined, second: Move): boolean {
  if (second.limits) return false;
  // A move that only holds leaves a balance hidden that has never moved.
  return first === undefined || (first.hold === undefined) === (second.hold === undefined);
}

/** Both moves as one. */
export function joinedMove(first: Move, second: Move): Move {
  const { amount, reserve = 0n } = first;
  const needs = greatest(first.needs, lessBy(second.needs, amount));
  const most = tighter(first.most, second.most && mostBefore(second.most, amount, reserve));
  const reserved = reserve + (second.reserve ?? 0n);
  const hold = (first.hold ?? 0) + (second.hold ?? 0);
  const counters = second.counters ?? first.counters;
  return {
    ...first,
    amount: amount + second.amount,
    statedMs: Math.min(first.statedMs, second.statedMs),
    ...(needs !== undefined && { needs }),
    ...(most && { most }),
    ...(reserved !== 0n && { reserve: reserved }),
    ...(hold !== 0 && { hold }),
    ...(counters && { counters }),
  };
}

/** The balance as it is after a move that sets no limit. */
export function balanceAfter(balance: Balance, move: Move): Balance {
  const { amount, reserve = 0n, hold = 0, counters } = move;
  return {
    ...balance,
    available: balance.available + amount,
    isActive: balance.isActive || amount !== 0n || reserve !== 0n || hold === 0,
    ...(reserve !== 0n && { reserved: (balance.reserved ?? 0n) + reserve }),
    ...(hold !== 0 && { holds: (balance.holds ?? 0) + hold }),
    ...(counters && { counters, limitsChange: (balance.limitsChange ?? 0) + 1 }),
  };
}

type Most = NonNullable<Move['most']>;

/** Bounds of what is there after a change, as bounds of what is there before it. */
function mostBefore({ available, reserved }: Most, amount: bigint, reserve: bigint): Most {
  return { available: available - amount, reserved: reserved - reserve };
}

function tighter(one: Most | undefined, other: Most | undefined): Most | undefined {
  if (!one || !other) return one ?? other;
  return {
    available: least(one.available, other.available),
    reserved: least(one.reserved, other.reserved),
  };
}

function lessBy(bound: bigint | undefined, amount: bigint): bigint | undefined {
  return bound === undefined ? undefined : bound - amount;
}

function greatest(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
