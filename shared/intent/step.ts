/**
 * One step of a thread: from an event to a commit. A decision that would exceed the room of a balance becomes a
 * failure, whatever event brought it. Rulings 41, 46 and 55.
 */
import { assert } from '../ledger/assert.ts';
import { balanceKeyOf } from '../ledger/balance.ts';
import { emptyBalance } from '../ledger/balance-state.ts';
import { breachOfDeciding, unreserved } from '../ledger/bounds.ts';
import { type Capture, capturedMoves } from '../ledger/capture.ts';
import { disclosedTo, type FailureDetail } from '../ledger/disclosure.ts';
import { entriesOfResolved, reservedAtOf, resolvedIn, threadOf } from '../ledger/intent.ts';
import type { NetMove } from '../ledger/net-move.ts';
import type { Version } from '../ledger/record.ts';
import type { Thread } from '../ledger/thread.ts';
import { type ThreadEvent, transit } from '../ledger/transition.ts';
import type { Identity, Services } from '../port/action.ts';
import type { Balance, Scope } from '../port/ports.ts';
import { newToken } from '../record/commit.ts';
import { readerOf } from '../record/reader.ts';
import { claimsOf } from './context.ts';
import { type MoveContext, momentOfMoves, movesOf, netMovesOf } from './moves.ts';
import { shareEnded } from './reversal.ts';
import { type StepWrite, type ThreadFailure, type ThreadMember, writesOf } from './thread.ts';
import { wholeUntil } from './whole.ts';

/** An event, with the failure reason when it is a failure. */
export interface IntentEvent {
  readonly event: ThreadEvent;
  readonly failure?: ThreadFailure;
  /** The claims of the first intent that the decision captures in part. Ruling 87. */
  readonly captured?: readonly Capture[];
}

export const refused: ThreadEvent = { what: 'refused' };

export interface IntentEventContext {
  readonly scope: Scope;
  readonly members: readonly ThreadMember[];
  readonly moment: string;
  /** True on the first attempt, before any conflict. Balances without limits are then not read. Decision 59. */
  readonly isFirst?: boolean;
}

/** The commit that follows from an event; undefined when one of its balances is gone. */
export async function takeStep(
  services: Services,
  ledger: Identity,
  { isFirst = false, ...about }: IntentEventContext,
  event: IntentEvent,
) {
  const { scope, members } = about;
  const thread = threadOf(members.map(({ previous }) => previous as Version));
  const transition = transit(thread, event.event);
  const token = newToken();
  if (!transition) return { isNews: false, commit: { token, writes: [] } } as const;
  const moment = members
    .flatMap(({ previous }) => previous?.steps.at(-1)?.moment ?? [])
    .concat(about.moment)
    .sort()
    .at(-1) as string;
  const { failure: reason, captured = [] } = event;
  const why = { ...(reason && { failure: reason }), ...(captured.length > 0 && { captured }) };
  const turning = { ...about, moment, transition, ...why };
  if (transition.effects.length === 0)
    return { isNews: true, commit: { token, ...(await writesOf(ledger, turning)) } } as const;
  const held = netMovesOf(members);
  const net = captured.length > 0 ? capturedMoves(held, netMovesOf(members, captured)) : held;
  const isUnread = isFirst && areUnlimited(members);
  const read = isUnread ? unread : await balancesOf(services, scope, net);
  if (!read) return undefined;
  const suffice = (some: Balances) => !failureOf(turning, net, some);
  const balances = await wholeUntil(services.store, scope, read, suffice);
  const later = {
    ...turning,
    moment: momentOfMoves(moment, balances, transition.effects.includes('move') ? net : []),
  };
  const failure = failureOf(later, net, balances);
  const possible = failure ? failureInstead(thread, later, failure) : later;
  const context = moveContextOf(services, possible, balances);
  const { effects } = possible.transition;
  const moves = movesOf(effects, failure ? held : net, context);
  const { writes, unchanged } = await writesOf(ledger, possible);
  const undone = await shareEnded(services, ledger, members, possible);
  return {
    isNews: true,
    commit: { token, writes: [...writes, ...undone], unchanged, moves },
  } as const;
}

/** The first balance without room for the decision. Ruling 41. */
function failureOf(
  { transition, members }: StepWrite,
  net: readonly NetMove[],
  balances: Balances,
): ThreadFailure | undefined {
  if (!transition.effects.includes('move')) return undefined;
  for (const move of net) {
    const balance = balances.get(balanceKeyOf(move.wallet, move.symbol)) ?? emptyBalance;
    const breach = breachOfDeciding(move, unreserved(move, balance));
    if (breach) return reasonForAuthor(breach, members);
  }
  return undefined;
}

/** The failure reason, without anything that the author of the first intent may not know. */
function reasonForAuthor(why: FailureDetail, members: readonly ThreadMember[]): ThreadFailure {
  const [{ record }] = members as readonly [ThreadMember];
  return disclosedTo(why, claimsOf(record.data), entriesOfResolved(resolvedIn(record)));
}

/**
 * The failure instead of a decision. The report that led to the decision is kept, since its bridge has prepared and has
 * to undo it.
 */
function failureInstead({ status }: Thread, turning: StepWrite, failure: ThreadFailure): StepWrite {
  const transition = transit({ ...turning.transition.thread, status }, refused);
  assert(transition, 'what is not decided can fail');
  return { ...turning, transition, failure };
}

type Balances = ReadonlyMap<string, Balance | undefined>;

/** Stands for unread balances: the commit fails if one of them has a limit by now. */
const unread: Balances = new Map();

/** True when no balance of the thread had a limit at its reservation, and the thread sets none. */
function areUnlimited(members: readonly ThreadMember[]): boolean {
  return members.every((one) => !one.isLimited && !one.limitedWallets?.length);
}

/** The balances that move; undefined when one of them is gone. */
async function balancesOf(
  { store }: Services,
  scope: Scope,
  net: readonly NetMove[],
): Promise<Balances | undefined> {
  const found = await readerOf(store, scope).balances(net);
  const there = found.flatMap((one) => one ?? []);
  return there.length < net.length
    ? undefined
    : new Map(there.map((one) => [balanceKeyOf(one.wallet, one.symbol), one]));
}

function moveContextOf(
  services: Services,
  { scope, members, moment }: StepWrite,
  balances: Balances,
): MoveContext {
  const [first] = members as readonly [ThreadMember];
  const luids = new Map(
    [...balances.values()].flatMap((one) => (one ? [[one.wallet, one.walletLuid]] : [])),
  );
  // The clock of who reserved may have been ahead of that by which a limit was set later.
  const isCounted = members.some(({ isLimited }) => isLimited);
  const countedAt = isCounted ? reservedAtOf(first.record) : undefined;
  return {
    ...{ scope, balances, moment, intent: first.record.luid },
    ...(countedAt !== undefined && { countedAt }),
    // The thread holds all of these wallets.
    walletLuidOf: (wallet) => luids.get(wallet),
    newLuid: () => services.luids('lmt', services.clock()),
  };
}
