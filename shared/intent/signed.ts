/**
 * The step of an intent after its last signature: the thread that results, in one commit, as far as it goes without
 * waiting. Rulings 43, 46 to 48 and 55, Decision 64.
 */
import { hashOf } from '../crypto/digest.ts';
import { timeOfLuid } from '../crypto/luid.ts';
import { assert } from '../ledger/assert.ts';
import { balanceKeyOf } from '../ledger/balance.ts';
import { isFinal, pendingOf, resolvedOf, stepsOf } from '../ledger/intent.ts';
import type { LedgerRecord, RecordData, Version } from '../ledger/record.ts';
import type { BridgedEntry, Thread } from '../ledger/thread.ts';
import { type IntentTimes, timesOf } from '../ledger/times.ts';
import { transit } from '../ledger/transition.ts';
import type { Call, Identity } from '../port/action.ts';
import { expiryMsOf } from '../record/author.ts';
import { type Decided, newToken } from '../record/commit.ts';
import { momentOf } from '../record/sign.ts';
import { excessOf } from '../record/size.ts';
import type { IntentData } from '../shape/intent.ts';
import { claimsOf, type IntentContext, limitedWalletsOf, walletLuidOf } from './context.ts';
import { momentOfMoves, movesOf } from './moves.ts';
import { shareTaken } from './reversal.ts';
import type { ThreadPart } from './routed.ts';
import type { ThreadSettlement } from './settlement.ts';
import {
  entryHandles,
  type ThreadFailure,
  type ThreadMember,
  withStatements,
  writesOf,
} from './thread.ts';

/** Texts of moments sort as times only for years of four digits. */
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

const tooLarge: ThreadFailure = {
  reason: 'core.thread-size-exceeded',
  detail:
    'The intents of the thread, with what is yet to be said of them, would be larger than can be kept.',
};

/**
 * The commit that follows the last signature; it opens missing balances first. `member` is the intent before this step.
 * A thread that could become too large to end is refused when the intent is new, and fails when it has waited.
 * Undefined when a wallet or symbol has changed since it was read. `since` is the earliest moment of the step, for one
 * that no request brings. Ruling 68.
 */
export async function commitSigned(
  call: Call,
  context: IntentContext,
  member: ThreadMember,
  settlement: ThreadSettlement,
  since = '',
): Promise<Decided<Version> | undefined> {
  const decide = (result: ThreadSettlement) =>
    decidedBy(call, context, settledMembersOf(call, context, member, result), result, since);
  const decided = await decide(settlement);
  const excess = excessOf(decided.commit);
  if (excess && !member.previous) throw excess;
  if (excess) return decide({ is: 'refused', failure: tooLarge });
  const openings = settlement.is === 'settled' ? settlement.openings : [];
  const isOpen = openings.length === 0 || (await call.services.store.open(openings));
  return isOpen ? decided : undefined;
}

/**
 * The commit that follows the last signature, before its size is checked and its balances are opened. `members` are the
 * thread as `settledMembersOf` makes it.
 */
export async function decidedBy(
  call: Call,
  context: IntentContext,
  members: readonly ThreadMember[],
  settlement: ThreadSettlement,
  since = '',
): Promise<Decided<Version>> {
  const { services, ledger } = call;
  const scope = ledger.handle;
  const [first] = members;
  assert(first, 'a thread has an intent');
  const { record } = first;
  const thread = threadBefore(members);
  const transition = transit(thread, { what: settlement.is === 'settled' ? 'signed' : 'refused' });
  assert(transition, 'an intent that was signed goes on');
  const isOver = isFinal(transition.thread.status);
  const times = isOver ? {} : timesIn(context, record);
  const all = await Promise.all(
    members.map((member, index) =>
      member.previous ? member : begun(ledger, member, index === 0 ? times : {}),
    ),
  );
  const stated = [since, momentOfLast(all)].sort().at(-1) ?? since;
  const sets = settlement.is === 'settled' && transition.effects.includes('move');
  const moment = momentOfMoves(stated, context.balances, sets ? settlement.moves : []);
  const failure = settlement.is === 'refused' ? { failure: settlement.failure } : {};
  const turning = { scope, members: all, transition, moment, ...failure };
  const { writes: own } = await writesOf(ledger, turning);
  const reversal = settlement.is === 'settled' ? settlement.reversal : undefined;
  const undone = reversal ? shareTaken(ledger, record, reversal, transition.effects, moment) : [];
  const writes = [...own, ...undone];
  const moves =
    settlement.is === 'settled'
      ? movesOf(transition.effects, settlement.moves, {
          ...{ scope, moment, balances: context.balances, intent: record.luid },
          walletLuidOf: (wallet) => walletLuidOf(context, wallet),
          newLuid: () => services.luids('lmt', services.clock()),
        })
      : [];
  const deciding = settlement.is === 'settled' ? settlement.deciding : [];
  const [written] = writes;
  assert(written, 'an intent that was signed is written');
  const unchanged = deciding.map((version) => ({ scope, version }));
  return { commit: { token: newToken(), writes, moves, unchanged }, result: written.next };
}

/** A new intent with the ledger's first proof. */
export async function begun(
  ledger: Identity,
  member: ThreadMember,
  { expiry, notBefore }: IntentTimes,
): Promise<ThreadMember> {
  const { record } = member;
  const { luid, meta } = record;
  const advances = [pendingOf(luid, meta.moment, expiry, notBefore)];
  const steps = stepsOf(advances, meta.proofs.length, meta.moment);
  const signals = [{ signal: 'intent-created', change: 1 }];
  return { ...member, record: await withStatements(ledger, record, advances), steps, signals };
}

/**
 * The times of an intent that has to wait. Its expiry is the author's, or counts from its creation or the moment from
 * which it takes effect. Rulings 50, 88 and 89, Decision 39.
 */
export function timesIn({ home }: IntentContext, { luid, data }: LedgerRecord): IntentTimes {
  const times = timesOf(data);
  const { notBefore } = times;
  const startMs = notBefore === undefined ? timeOfLuid(luid) : Date.parse(notBefore);
  const expiry = momentOf(Math.min(Math.round(startMs + expiryMsOf(home)), lastMs));
  return { expiry, ...times };
}

/** The signed intent, and those that its routes forward to, with what decides them later. */
export function settledMembersOf(
  call: Call,
  context: IntentContext,
  signedMember: ThreadMember,
  settlement: ThreadSettlement,
): ThreadMember[] {
  const first = withLimitedWallets(context, signedMember);
  return forwardedFrom(call, first, settlement)
    .map((one) => withBridges(context, one))
    .map((one) => (isLimited(context, settlement) ? { ...one, isLimited: true as const } : one));
}

function forwardedFrom(
  call: Call,
  first: ThreadMember,
  settlement: ThreadSettlement,
): ThreadMember[] {
  if (settlement.is === 'refused') return [first];
  const handleOfEntry = entryHandles(call.services);
  const [own, ...others] = settlement.parts;
  assert(own, 'a thread has an intent');
  const forwarded = others.map((part) => forwardedMember(call, first.record, part));
  const members = [first, ...forwarded].map((member, index) => {
    const { entries } = settlement.parts[index] as ThreadPart;
    return { ...member, resolved: resolvedOf(entries, handleOfEntry) };
  });
  if (forwarded.length === 0) return members;
  const together = members.map(({ record }) => record.data.handle);
  const thread = first.record.data.handle;
  return members.map((member) => {
    const { record } = member;
    return { ...member, together, record: { ...record, meta: { ...record.meta, thread } } };
  });
}

/** Adds its bridges and their owners, whose keys may report. The owners of a bridge never change. */
function withBridges({ bridges }: IntentContext, member: ThreadMember): ThreadMember {
  const named = new Set(member.resolved?.flatMap(({ bridge }) => bridge ?? []));
  if (named.size === 0) return member;
  const records = [...named].flatMap((handle) => {
    const record = bridges.get(handle)?.record;
    return record ? [[handle, record] as const] : [];
  });
  const bridgeOwners = Object.fromEntries(records.map(([name, { meta }]) => [name, meta.owners]));
  const bridgeLuids = Object.fromEntries(records.map(([name, { luid }]) => [name, luid]));
  return { ...member, bridgeOwners, bridgeLuids };
}

/** True when a moved balance has limits, or is marked by a freeze. */
function isLimited({ balances }: IntentContext, settlement: ThreadSettlement): boolean {
  if (settlement.is === 'refused') return false;
  return settlement.moves.some(
    ({ wallet, symbol }) => balances.get(balanceKeyOf(wallet, symbol))?.limitsChange !== undefined,
  );
}

/** Adds the wallets on which it sets limits. */
function withLimitedWallets(context: IntentContext, member: ThreadMember): ThreadMember {
  const limitedWallets = limitedWalletsOf(context, claimsOf(member.record.data));
  return limitedWallets.length > 0 ? { ...member, limitedWallets } : member;
}

/** A forwarded intent: signed by the ledger, readable by those who may read the first one. Ruling 43. */
function forwardedMember(
  { services }: Call,
  root: LedgerRecord,
  { claims }: ThreadPart,
): ThreadMember {
  const { schema, custom, access } = root.data;
  const { domain, moment: before } = root.meta;
  const luid = services.luids('int', services.clock());
  const moment = [before, momentOf(timeOfLuid(luid))].sort().at(-1) ?? before;
  const data: RecordData = {
    handle: services.luids('fwd', services.clock()).replace('$fwd.', 'fwd_'),
    ...({ claims } as Pick<IntentData, 'claims'>),
    ...(schema !== undefined && { schema }),
    ...(access !== undefined && { access }),
    ...(custom && { custom }),
  };
  const meta = {
    ...{ proofs: [], status: '', moment, owners: [] },
    ...(domain !== undefined && { domain }),
  };
  return { record: { luid, hash: hashOf(data), data, meta }, steps: [], signals: [] };
}

/** The thread before its first transition: entries are assigned to bridges, and there is no report. */
function threadBefore(members: readonly ThreadMember[]): Thread {
  const [first] = members as readonly [ThreadMember];
  const { config } = first.record.data as unknown as IntentData;
  const intents = members.map(({ resolved = [] }) =>
    resolved.flatMap(({ handle, schema, bridge }): BridgedEntry[] =>
      bridge === undefined ? [] : [{ handle, schema, bridge, reported: [] }],
    ),
  );
  const isLater = config?.notBefore !== undefined;
  return { status: 'pending', isManual: config?.commit === 'manual', isLater, intents };
}

/** The latest moment that the intents state. */
export function momentOfLast(members: readonly ThreadMember[]): string {
  const moments = members.map(({ record, steps }) => steps.at(-1)?.moment ?? record.meta.moment);
  return moments.sort().at(-1) ?? '';
}
