/**
 * Whether a move stays within what bounds its balance. What it takes and what is counted is judged when it is reserved,
 * what it brings when it is decided; both are judged at once when everybody has signed, so that most is refused
 * early and clearly. Rulings 41 and 47, Decision 59.
 */
import type { Metric } from '../shape/intent.ts';
import type { NetMove } from './net-move.ts';
import { type Cell, heldIn } from './sheet.ts';
import type { Why } from './telling.ts';
import { sumOf, tallyAt } from './window.ts';

/** Why a move may not be. */
export type Breach = Required<Why>;

/** What a balance must be for a move to stand, whatever else has happened to it since it was read. */
export interface Bounds {
  /** The least that is available before the move. */
  readonly needs?: bigint;
  /** The most that is available and reserved before the move. */
  readonly most?: { readonly available: bigint; readonly reserved: bigint };
}

/** What of limits a move would break when it is reserved; `countsAt` is absent where daily ones are turned off. */
export function breachOfReserving(
  move: NetMove,
  cell: Cell,
  countsAt: string | undefined,
): Breach | undefined {
  return (
    shortfallOf(move, cell) ??
    overflowOf(move, cell) ??
    (countsAt === undefined ? undefined : excessOf(move, cell, countsAt))
  );
}

/** What of limits a move would break when it is decided, those that it sets among them. */
export function breachOfDeciding(move: NetMove, cell: Cell): Breach | undefined {
  return overflowOf(move, cell) ?? violationOf(move, cell);
}

/** A cell as it was before a move was reserved. */
export function unreserved({ needs }: NetMove, cell: Cell): Cell {
  const { available, reserved = 0n } = cell;
  return { ...cell, available: available + needs, reserved: reserved - needs };
}

/** What must hold to reserve a move. What only gets, or passes on what it gets with it, is never too low for that. */
export function boundsOfReserving({ needs, isFree }: NetMove, { limits }: Cell): Bounds {
  const floor = limits?.minBalance?.amount;
  const isUnbound = needs === 0n || (floor === undefined && isFree);
  return isUnbound ? {} : { needs: needs + BigInt(floor ?? 0) };
}

/** What must hold to decide a move that adds so much to what is available: `gain`. */
export function boundsOfDeciding(move: NetMove, cell: Cell, gain: bigint): Bounds {
  const { reserved = 0n } = cell;
  const floor = settingOf(move, 'minBalance');
  const room = roomFor(move, cell);
  return {
    ...(floor !== undefined && { needs: floor - gain }),
    // What is available may still grow up to here, and what is reserved may shrink.
    ...(room !== undefined && { most: { available: room - reserved, reserved } }),
  };
}

/** What must hold to reserve and decide a move at once. */
export function boundsOfBoth(move: NetMove, cell: Cell): Bounds {
  const start = boundsOfReserving(move, cell);
  const end = boundsOfDeciding(move, cell, move.amount);
  if (start.needs === undefined || end.needs === undefined) return { ...start, ...end };
  return { ...end, needs: start.needs > end.needs ? start.needs : end.needs };
}

/** How much may be held before the move, by the limit that there is and by the one that is set. */
function roomFor(move: NetMove, { limits }: Cell): bigint | undefined {
  const { room, amount } = move;
  const ceiling = room > 0n ? limits?.maxBalance?.amount : undefined;
  const next = settingOf(move, 'maxBalance');
  if (ceiling === undefined) return next === undefined ? undefined : next - amount;
  const before = BigInt(ceiling) - room;
  return next === undefined || before < next - amount ? before : next - amount;
}

/** Too little to take: a set limit is in place of the floor 0, and bridges have no floor but a set one. */
function shortfallOf(
  { wallet, symbol, needs, gives, isFree }: NetMove,
  { available, limits }: Cell,
): Breach | undefined {
  const floor = limits?.minBalance?.amount;
  if (floor !== undefined) {
    const left = available - needs;
    const isShort = needs > 0n && left < BigInt(floor);
    return isShort ? exceeded({ wallet, symbol }, 'minBalance', floor, left) : undefined;
  }
  if (isFree || needs === 0n || needs <= available) return undefined;
  const detail = `Wallet ${wallet} holds too little ${symbol} to give ${gives}.`;
  const tellings = [{ detail, wallets: [wallet] }];
  return { fault: 'core.insufficient-balance', detail, tellings };
}

/** More than there is room for. */
function overflowOf(move: NetMove, cell: Cell): Breach | undefined {
  const ceiling = cell.limits?.maxBalance?.amount;
  if (ceiling === undefined) return undefined;
  const most = heldIn(cell) + move.room;
  const isOver = move.room > 0n && most > BigInt(ceiling);
  return isOver ? exceeded(move, 'maxBalance', ceiling, most) : undefined;
}

/** More than may be transferred in a day. */
function excessOf(
  move: NetMove,
  { limits = {}, counters = [] }: Cell,
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

/** A limit that is set, and that the balance would violate from the first. Decision 60. */
function violationOf(move: NetMove, cell: Cell): Breach | undefined {
  const floor = settingOf(move, 'minBalance');
  const available = cell.available + move.amount;
  if (floor !== undefined && available < floor)
    return exceeded(move, 'minBalance', floor, available, 'new ');
  const ceiling = settingOf(move, 'maxBalance');
  const held = heldIn(cell) + move.amount;
  return ceiling !== undefined && held > ceiling
    ? exceeded(move, 'maxBalance', ceiling, held, 'new ')
    : undefined;
}

function settingOf({ settings }: NetMove, metric: Metric): bigint | undefined {
  const setting = settings.find((one) => one.metric === metric);
  return setting && BigInt(setting.amount);
}

function exceeded(
  { wallet, symbol }: Pick<NetMove, 'wallet' | 'symbol'>,
  metric: Metric,
  limit: number | bigint,
  value: number | bigint,
  which: 'new ' | '' = '',
): Breach {
  const subject = `The ${which}${metric} of wallet ${wallet} in ${symbol}`;
  const detail = `${subject} is ${limit}, and it would come to ${value}.`;
  // What somebody else has, and may have, is not told to whoever pays them.
  const tellings = [
    { detail, wallets: [wallet], isOwn: true },
    { detail: `${subject} does not allow it.`, wallets: [wallet] },
  ] as const;
  return { fault: 'core.limit-exceeded', detail, tellings };
}
