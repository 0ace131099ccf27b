/**
 * Intents that settle and commit together: each is a record with a thread of its own, all in one transaction. What a
 * balance receives from one, a later one may spend. Ruling 90, Decision 103.
 */
import { balanceKeyOf, volumesOf } from '../ledger/balance.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Setting } from '../ledger/limit.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { type NetMove, settleAsOne } from '../ledger/settle.ts';
import type { Call } from '../port/action.ts';
import type { Commit } from '../port/ports.ts';
import { type Decided, newToken } from '../record/commit.ts';
import { excessOf } from '../record/size.ts';
import { faultOf, refuseFaults } from './batch-fault.ts';
import {
  claimsOf,
  factsOf,
  type IntentContext,
  instructionOf,
  openingsOf,
  readWhole,
  settingsIn,
  walletLuidOf,
} from './context.ts';
import { momentOfMoves, movesOf } from './moves.ts';
import { decidingIn } from './routed.ts';
import { type RoutedInstruction, refusedFor, routedInstruction } from './settlement.ts';
import { decidedBy, momentOfLast, settledMembersOf } from './signed.ts';
import { atomicBatchFitsTransaction, type ThreadMember } from './thread.ts';
import { areEnough } from './whole.ts';

/** An intent of the batch, before any proof of the ledger. */
export interface BatchMember {
  readonly call: Call;
  readonly root: LedgerRecord;
}

type RoutedBatchMember = RoutedInstruction & { readonly is: 'routed' };

/**
 * The commit of all intents; it opens missing balances first. Refuses with `record.invalid` when one of them would fail
 * or wait, and with `api.body-malformed` when there are more than fit. Undefined when a wallet or symbol has changed
 * since it was read. `count` is the length of the batch, of which `members` may be the first part.
 */
export async function commitTogether(
  call: Call,
  context: IntentContext,
  members: readonly BatchMember[],
  count: number,
): Promise<Decided<readonly Version[]> | undefined> {
  const routed = await routedAll(context, members);
  const fitting = fittingOf(context, members, routed);
  if (fitting < count) throw tooMany(count, fitting);
  await readWhole(call, context, () =>
    areEnough(context.balances, settledUpTo(context, members, routed)),
  );
  const moves = settled(context, members, routed);
  const threads = members.map((member, index) =>
    threadOf(context, member, routed[index] as RoutedBatchMember),
  );
  // All state one moment: that of the moves, when each intent is there, also those that routes forward.
  const stated = momentOfLast(threads.flatMap((one) => one.members));
  const moment = momentOfMoves(stated, context.balances, moves);
  const decided = await Promise.all(
    threads.map((one) => decidedBy(one.call, context, one.members, one.settlement, moment)),
  );
  refuseFaults(decided.flatMap(({ result }, index) => waitingFault(index, result)));
  const writes = decided.flatMap(({ commit }) => commit.writes);
  const unchanged = distinctUnchanged(decided.flatMap(({ commit }) => commit.unchanged ?? []));
  const commit = {
    ...{ token: newToken(), writes, unchanged, isBatch: true as const },
    moves: movesOf(['reserve', 'move'], moves, {
      ...{ scope: call.ledger.handle, balances: context.balances, moment, intent: '' },
      walletLuidOf: (wallet) => walletLuidOf(context, wallet),
      newLuid: () => call.services.luids('lmt', call.services.clock()),
    }),
  };
  const excess = excessOf(commit);
  if (excess) throw excess;
  const openings = openingsOf(call, context, moves);
  const isOpen = openings.length === 0 || (await call.services.store.open(openings));
  return isOpen ? { commit, result: decided.map(({ result }) => result) } : undefined;
}

/** Routes each intent; refuses those that name something unknown or lead nowhere. */
async function routedAll(
  context: IntentContext,
  members: readonly BatchMember[],
): Promise<RoutedBatchMember[]> {
  const all: RoutedInstruction[] = [];
  // One after the other, since each adds what it reads to the context.
  for (const { call, root } of members)
    all.push(await routedInstruction(call, context, instructionOf(root.data), root.meta.moment));
  refuseFaults(
    all.flatMap((one, index) => (one.is === 'refused' ? faultOf(index, one.failure) : [])),
  );
  return all.filter((one) => one.is === 'routed');
}

/** The moves of all intents; refuses the first one that its balances do not allow. */
function settled(
  context: IntentContext,
  members: readonly BatchMember[],
  routed: readonly RoutedBatchMember[],
): readonly NetMove[] {
  const upTo = (end: number) => settledUpTo(context, members.slice(0, end), routed.slice(0, end));
  const { outcome, moves } = upTo(members.length);
  if (outcome.settles) return moves;
  // The intent after the most that would settle: a limit may hold only by what comes after it.
  const index = members.findLastIndex((_, place) => upTo(place).outcome.settles);
  const { root } = members[index] as BatchMember;
  const { parts } = routed[index] as RoutedBatchMember;
  const { outcome: own } = upTo(index + 1);
  const { failure } = refusedFor(own.settles ? outcome : own, claimsOf(root.data), parts);
  refuseFaults([faultOf(index, failure)]);
  return moves;
}

function settledUpTo(
  context: IntentContext,
  members: readonly BatchMember[],
  routed: readonly RoutedBatchMember[],
) {
  const claims = members.flatMap(({ root }) => [...claimsOf(root.data)]);
  const settings = members.flatMap(({ root }) =>
    settingsIn(context, claimsOf(root.data)).map(
      (setting): Setting => ({ ...setting, intent: root.luid }),
    ),
  );
  const parts = routed.flatMap((one) => one.parts);
  return settleAsOne(
    factsOf(context, claims, momentOfLast(members.map(signedMemberOf))),
    parts,
    settings,
  );
}

/** The number of intents, from the first, that fit into one transaction. */
function fittingOf(
  context: IntentContext,
  members: readonly BatchMember[],
  routed: readonly RoutedBatchMember[],
): number {
  const items = new Set<string>();
  let rewritten = 0;
  const overflow = members.findIndex(({ root }, index) => {
    const { parts, reversal } = routed[index] as RoutedBatchMember;
    rewritten += parts.length - 1 + (reversal ? 1 : 0);
    for (const item of itemsBeside(context, root, parts)) items.add(item);
    const roots = members.slice(0, index + 1).map((member) => member.root);
    return !atomicBatchFitsTransaction(roots, { rewritten, balances: items.size });
  });
  return overflow < 0 ? members.length : overflow;
}

/** Names of the items beside the intents: balances that move or get a limit, and versions that the commit depends on. */
function itemsBeside(
  context: IntentContext,
  { data }: LedgerRecord,
  parts: RoutedBatchMember['parts'],
) {
  const moved = parts.flatMap(({ entries }) => [...volumesOf(entries).values()]);
  const limited = settingsIn(context, claimsOf(data));
  return [
    ...[...moved, ...limited].map(({ wallet, symbol }) => balanceKeyOf(wallet, symbol)),
    ...decidingIn(context, parts).map(({ record }) => record.luid),
  ];
}

function tooMany(count: number, fitting: number): LedgerError {
  const detail = `The ${count} intents of the batch do not fit into one transaction: the first ${fitting} would.`;
  return new LedgerError('api.body-malformed', detail, { fault: 'too-large', fitting });
}

/** One intent with those that its routes forward to, and how they settle without their moves. */
function threadOf(
  context: IntentContext,
  member: BatchMember,
  { parts, reversal }: RoutedBatchMember,
) {
  const { call } = member;
  const deciding = decidingIn(context, parts);
  const settlement = { is: 'settled', parts, reversal, moves: [], deciding, openings: [] } as const;
  const members = settledMembersOf(call, context, signedMemberOf(member), settlement);
  return { call, settlement, members };
}

function waitingFault(index: number, { record }: Version) {
  const { status } = record.meta;
  if (status === 'completed') return [];
  const detail = `The intent would wait in the status ${status}.`;
  return [faultOf(index, new LedgerError('record.invalid', detail))];
}

/** Each version once: a transaction has one action for each item. */
function distinctUnchanged(unchanged: NonNullable<Commit['unchanged']>) {
  return [...new Map(unchanged.map((one) => [one.version.record.luid, one])).values()];
}

/** The intent as a thread begins with it. */
function signedMemberOf({ root }: BatchMember): ThreadMember {
  return { record: root, steps: [], signals: [] };
}
