/**
 * Checks a move against the limits of its balance. Debits and daily limits are checked when the move is reserved,
 * credits when it is decided. Once all signatures are there both are checked together, so that most failures come early
 * and with a clear reason. Rulings 41 and 47, Decision 59.
 */
import type { LimitMetric } from '../shape/intent.ts';
import { type BalanceState, heldIn } from './balance-state.ts';
import type { FailureDetail } from './disclosure.ts';
import type { NetMove } from './net-move.ts';
import { sumOf, tallyAt } from './window.ts';

/** The limit or balance that a move would break, as a failure reason. */
export type Breach = Required<FailureDetail>;

/** Conditions of a commit on a balance, which may have changed since it was read. */
export interface Bounds {
  /** The least amount that must be available before the move. */
  readonly needs?: bigint;
  /** The most that may be available and reserved before the move. */
  readonly most?: { readonly available: bigint; readonly reserved: bigint };
}

/** Finds what a move would break when it is reserved. `countsAt` is absent where daily limits are turned off. */
export function breachOfReserving(
  move: NetMove,
  balance: BalanceState,
  countsAt: string | undefined,
): Breach | undefined {
  return (
    shortfallOf(move, balance) ??
    overflowOf(move, balance) ??
    (countsAt === undefined ? undefined : excessOf(move, balance, countsAt))
  );
}

/** Finds what a move would break when it is decided, including the limits that its own intent sets. */
export function breachOfDeciding(move: NetMove, balance: BalanceState): Breach | undefined {
  return overflowOf(move, balance) ?? violationOf(move, balance);
}

/** The balance as it was before the move was reserved. */
export function unreserved({ needs }: NetMove, balance: BalanceState): BalanceState {
  const { available, reserved = 0n } = balance;
  return { ...balance, available: available + needs, reserved: reserved - needs };
}

/** The conditions to reserve a move. A move that takes nothing, or passes on what it receives, has none. */
export function boundsOfReserving({ needs, isFree }: NetMove, { limits }: BalanceState): Bounds {
  const floor = limits?.minBalance?.amount;
  const isUnbound = needs === 0n || (floor === undefined && isFree);
  return isUnbound ? {} : { needs: needs + BigInt(floor ?? 0) };
}

/** The conditions to decide a move. `gain` is the amount that deciding adds to what is available. */
export function boundsOfDeciding(move: NetMove, balance: BalanceState, gain: bigint): Bounds {
  const { reserved = 0n } = balance;
  const floor = settingOf(move, 'minBalance');
  const room = roomFor(move, balance);
  return {
    ...(floor !== undefined && { needs: floor - gain }),
    // The available part may grow up to the ceiling; a smaller reserved part is always allowed.
    ...(room !== undefined && { most: { available: room - reserved, reserved } }),
  };
}

/** The conditions to reserve and decide a move in one commit. */
export function boundsOfBoth(move: NetMove, balance: BalanceState): Bounds {
  const start = boundsOfReserving(move, balance);
  const end = boundsOfDeciding(move, balance, move.amount);
  if (start.needs === undefined || end.needs === undefined) return { ...start, ...end };
  return { ...end, needs: start.needs > end.needs ? start.needs : end.needs };
}

/** The most that may be held before the move, by the current `maxBalance` and by the one that its intent sets. */
function roomFor(move: NetMove, { limits }: BalanceState): bigint | undefined {
  const { room, amount } = move;
  const ceiling = room > 0n ? limits?.maxBalance?.amount : undefined;
  const next = settingOf(move, 'maxBalance');
  if (ceiling === undefined) return next === undefined ? undefined : next - amount;
  const before = BigInt(ceiling) - room;
  return next === undefined || before < next - amount ? before : next - amount;
}

/** Finds a balance that is too low. A `minBalance` replaces the floor of 0; a debit at a bridge has no other floor. */
function shortfallOf(
  { wallet, symbol, needs, gives, isFree }: NetMove,
  { available, limits }: BalanceState,
): Breach | undefined {
  const floor = limits?.minBalance?.amount;
  if (floor !== undefined) {
    const left = available - needs;
    const isShort = needs > 0n && left < BigInt(floor);
    return isShort ? exceeded({ wallet, symbol }, 'minBalance', floor, left) : undefined;
  }
  if (isFree || needs === 0n || needs <= available) return undefined;
  const detail = `Wallet ${wallet} holds too little ${symbol} to give ${gives}.`;
  const disclosures = [{ detail, wallets: [wallet] }];
  return { reason: 'core.insufficient-balance', detail, disclosures };
}

/** Finds a `maxBalance` that would be exceeded. */
function overflowOf(move: NetMove, balance: BalanceState): Breach | undefined {
  const ceiling = balance.limits?.maxBalance?.amount;
  if (ceiling === undefined) return undefined;
  const most = heldIn(balance) + move.room;
  const isOver = move.room > 0n && most > BigInt(ceiling);
  return isOver ? exceeded(move, 'maxBalance', ceiling, most) : undefined;
}

/** Finds a daily limit that would be exceeded. */
function excessOf(
  move: NetMove,
  { limits = {}, counters = [] }: BalanceState,
  moment: string,
): Breach | undefined {
  if (move.transfers.count === 0) return undefined;
  const { dailyCount, dailyAmount } = limits;
  const { count, amount } = sumOf(tallyAt(counters, moment), move.transfers);
  if (dailyCount && count > dailyCount.amount)
    return exceeded(move, 'dailyCount', dailyCount.amount, count);
  return dailyAmount && amount > BigInt(dailyAmount.amount)
    ? exceeded(move, 'dailyAmount', dailyAmount.amount, amount)
    : undefined;
}

/** Finds a new limit that the balance would violate as soon as it is set. Decision 60. */
function violationOf(move: NetMove, balance: BalanceState): Breach | undefined {
  const floor = settingOf(move, 'minBalance');
  const available = balance.available + move.amount;
  if (floor !== undefined && available < floor)
    return exceeded(move, 'minBalance', floor, available, 'new ');
  const ceiling = settingOf(move, 'maxBalance');
  const held = heldIn(balance) + move.amount;
  return ceiling !== undefined && held > ceiling
    ? exceeded(move, 'maxBalance', ceiling, held, 'new ')
    : undefined;
}

/** The limit that is set. Of several the last one counts, whichever intent sets it. Decision 60. */
function settingOf({ settings }: NetMove, metric: LimitMetric): bigint | undefined {
  const setting = settings.findLast((one) => one.metric === metric);
  return setting && BigInt(setting.amount);
}

function exceeded(
  { wallet, symbol }: Pick<NetMove, 'wallet' | 'symbol'>,
  metric: LimitMetric,
  limit: number | bigint,
  value: number | bigint,
  which: 'new ' | '' = '',
): Breach {
  const subject = `The ${which}${metric} of wallet ${wallet} in ${symbol}`;
  const detail = `${subject} is ${limit}, and it would come to ${value}.`;
  // The figures of a wallet are shown only to those who spend from it, never to those who pay into it.
  const disclosures = [
    { detail, wallets: [wallet], isOwn: true },
    { detail: `${subject} does not allow it.`, wallets: [wallet] },
  ] as const;
  return { reason: 'core.limit-exceeded', detail, disclosures };
}
