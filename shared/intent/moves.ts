/**
 * Balance moves of a thread as conditions and updates of a commit. Each reserves, releases or moves an amount. It fails
 * when the balance would leave its limits, or when the limits have changed since they were read. Decisions 59 and 61.
 */
import { balanceKeyOf } from '../ledger/balance.ts';
import { type BalanceState, emptyBalance } from '../ledger/balance-state.ts';
import { boundsOfBoth, boundsOfDeciding, boundsOfReserving } from '../ledger/bounds.ts';
import { type Capture, capturedEntries } from '../ledger/capture.ts';
import { entriesOfResolved, resolvedIn } from '../ledger/intent.ts';
import { limitsAfter, settingsOfIntent } from '../ledger/limit.ts';
import { movesOfIntents, type NetMove } from '../ledger/net-move.ts';
import type { Version } from '../ledger/record.ts';
import type { BalanceEffect } from '../ledger/transition.ts';
import { counted, givenBack, type TransferTally } from '../ledger/window.ts';
import type { Balance, Move, Scope } from '../port/ports.ts';
import { momentOf } from '../record/sign.ts';
import { claimsOf } from './context.ts';

export interface MoveContext {
  readonly scope: Scope;
  /** The balances that were read, by `balanceKeyOf`; those opened since are missing. */
  readonly balances: ReadonlyMap<string, Balance | undefined>;
  /** Undefined for a wallet that the thread holds, which cannot have changed. */
  readonly walletLuidOf: (wallet: string) => string | undefined;
  /** The moment of this step. ISO 8601 UTC. */
  readonly moment: string;
  /** The moment of the reservation that it releases or completes; absent where no limit counted its transfers. */
  readonly countedAt?: string;
  /** Luid of the intent that sets limits. */
  readonly intent: string;
  readonly newLuid: () => string;
}

/** The moves of a transition, one for each balance; to reserve and move at once is a single move. */
export function movesOf(
  effects: readonly BalanceEffect[],
  moves: readonly NetMove[],
  context: MoveContext,
): Move[] {
  const [first, second] = effects;
  if (first === undefined) return [];
  const fieldsOf = first === 'reserve' && second === 'move' ? movedAtOnce : fieldsByEffect[first];
  return moves.map((move) => {
    const { scope, balances, walletLuidOf } = context;
    const { wallet, symbol } = move;
    const balance = balances.get(balanceKeyOf(wallet, symbol));
    const limitsChange = balance?.limitsChange;
    const walletLuid = walletLuidOf(wallet);
    return {
      ...{ scope, wallet, symbol, statedMs: Date.parse(context.moment) },
      ...(walletLuid !== undefined && { walletLuid }),
      // The limits that the move was judged by must still hold.
      ...(limitsChange !== undefined && { limitsChange }),
      ...(balance?.shards && { shards: balance.shards }),
      ...fieldsOf(move, balance ?? emptyBalance, context),
    };
  });
}

/**
 * The moment, or the millisecond after the last fence of these balances, and after the limits that the moves replace,
 * where that is later: so moments tell which limit was set last. Decisions 87 and 92.
 */
export function momentOfMoves(
  moment: string,
  balances: ReadonlyMap<string, Balance | undefined>,
  moves: readonly NetMove[],
): string {
  const fences = [...balances.values()].flatMap((one) => one?.fencedMs ?? []);
  const limits = moves.flatMap(({ wallet, symbol, settings }) => {
    const set = balances.get(balanceKeyOf(wallet, symbol))?.limits ?? {};
    return settings.flatMap(({ metric }) => Date.parse(set[metric]?.moment ?? '') || []);
  });
  return momentOf(Math.max(Date.parse(moment), ...[...fences, ...limits].map((ms) => ms + 1)));
}

/**
 * The net moves of a thread, from its resolved entries and the limits that it sets; of the first intent, only what is
 * captured.
 */
export function netMovesOf(
  members: readonly Pick<Version, 'record' | 'limitedWallets'>[],
  captured: readonly Capture[] = [],
): NetMove[] {
  const intents = members.map(({ record }, index) => ({
    claims: claimsOf(record.data),
    entries: entriesOfResolved(
      index === 0 ? capturedEntries(resolvedIn(record), captured) : resolvedIn(record),
    ),
  }));
  return movesOfIntents(intents, members.flatMap(settingsOfIntent));
}

/** The update of a balance, and its conditions. */
type MoveFields = Omit<
  Move,
  'scope' | 'wallet' | 'walletLuid' | 'symbol' | 'limitsChange' | 'statedMs' | 'shards'
>;
type FieldsOf = (move: NetMove, balance: BalanceState, context: MoveContext) => MoveFields;

const reserved: FieldsOf = (move, balance, context) => {
  const { needs } = move;
  const bounds = boundsOfReserving(move, balance);
  return {
    amount: -needs,
    reserve: needs,
    hold: 1,
    ...bounds,
    ...countersAfter(move, balance, context),
  };
};

const moved: FieldsOf = (move, balance, context) => {
  const { needs } = move;
  const amount = move.amount + needs;
  const bounds = boundsOfDeciding(move, balance, amount);
  const rest = move.uncaptured ? countersWithout(move.uncaptured, balance, context) : {};
  const limits = newLimits(move, balance, context);
  return { amount, reserve: -needs, hold: -1, ...booked(move), ...bounds, ...limits, ...rest };
};

const movedAtOnce: FieldsOf = (move, balance, context) => ({
  amount: move.amount,
  ...booked(move),
  ...boundsOfBoth(move, balance),
  ...countersAfter(move, balance, context),
  ...newLimits(move, balance, context),
});

const released: FieldsOf = ({ needs, transfers }, balance, context) => {
  const back = { amount: needs, reserve: -needs, hold: -1 } as const;
  return { ...back, ...countersWithout(transfers, balance, context) };
};

const fieldsByEffect: Readonly<Record<BalanceEffect, FieldsOf>> = {
  reserve: reserved,
  move: moved,
  release: released,
};

/** Of entries the first one needs something or takes room. A balance with entries is shown, whatever they add up to. */
function booked({ amount, needs, room }: NetMove): Pick<MoveFields, 'isBooked'> {
  return amount === 0n && needs + room > 0n ? { isBooked: true } : {};
}

/** Transfers count from their reservation on. */
function countersAfter(
  { transfers }: NetMove,
  { counters = [], limits = {} }: BalanceState,
  { moment }: MoveContext,
): Pick<MoveFields, 'counters'> {
  const after = counted(counters, limits, transfers, moment);
  return after === counters ? {} : { counters: after };
}

/** Transfers that are released, or not captured, no longer count. */
function countersWithout(
  transfers: TransferTally,
  { counters = [], limits = {} }: BalanceState,
  { moment, countedAt }: MoveContext,
): Pick<MoveFields, 'counters'> {
  if (countedAt === undefined) return {};
  const after = givenBack(counters, limits, transfers, { reservedAt: countedAt, moment });
  return after === counters ? {} : { counters: after };
}

function newLimits(
  { settings }: NetMove,
  { limits = {} }: BalanceState,
  context: MoveContext,
): Pick<MoveFields, 'limits'> {
  if (settings.length === 0) return {};
  return { limits: limitsAfter(limits, settings, context, context.newLuid) };
}
