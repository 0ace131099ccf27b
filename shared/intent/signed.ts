/**
 * The step of an intent after its last signature: the thread that results, in one commit, as far as it goes without
 * waiting. Rulings 43, 46 to 48 and 55, Decision 64.
 */
import { hashOf } from '../crypto/digest.ts';
import { timeOfLuid } from '../crypto/luid.ts';
import { assert } from '../ledger/assert.ts';
import { cellOf } from '../ledger/balance.ts';
import { finalStatuses, pendingOf, resolvedOf, stepsOf } from '../ledger/intent.ts';
import type { LedgerRecord, RecordData, Version } from '../ledger/record.ts';
import type { BridgedEntry, Thread } from '../ledger/thread.ts';
import { transit } from '../ledger/transition.ts';
import type { Call, Identity } from '../port/action.ts';
import { expiryMsOf } from '../record/author.ts';
import { type Decided, newToken } from '../record/commit.ts';
import { momentOf } from '../record/sign.ts';
import { excessOf } from '../record/size.ts';
import type { IntentData } from '../shape/intent.ts';
import { movesOf } from './moves.ts';
import type { Part } from './routed.ts';
import { claimsOf, limitedWalletsOf, type Scene, walletLuidOf } from './scene.ts';
import type { Settlement } from './settlement.ts';
import { entryHandles, type Member, type Refusal, spokenOf, writesOf } from './thread.ts';

/** Texts of moments sort as times only for years of four digits. */
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

const tooLarge: Refusal = {
  fault: 'core.thread-size-exceeded',
  detail:
    'The intents of the thread, with what is yet to be said of them, would be larger than can be kept.',
};

/**
 * The commit that follows the last signature; it opens missing balances first. `member` is the intent before this step.
 * A thread that could become too large to end is refused when the intent is new, and fails when it has waited.
 * Undefined when a wallet or symbol has changed since it was read. Ruling 68.
 */
export async function signed(
  call: Call,
  scene: Scene,
  member: Member,
  settlement: Settlement,
): Promise<Decided<Version> | undefined> {
  const decided = decidedBy(call, scene, member, settlement);
  const excess = excessOf(decided.commit);
  if (excess && !member.previous) throw excess;
  if (excess) return decidedBy(call, scene, member, { is: 'refused', refusal: tooLarge });
  const openings = settlement.is === 'settled' ? settlement.openings : [];
  const isOpen = openings.length === 0 || (await call.services.store.open(openings));
  return isOpen ? decided : undefined;
}

function decidedBy(
  call: Call,
  scene: Scene,
  signedMember: Member,
  settlement: Settlement,
): Decided<Version> {
  const { services, ledger } = call;
  const scope = ledger.handle;
  const first = withLimitedWallets(scene, signedMember);
  const members = membersOf(call, first, settlement)
    .map((one) => withBridgeOwners(scene, one))
    .map((one) => (isLimited(scene, settlement) ? { ...one, isLimited: true as const } : one));
  const thread = threadBefore(members);
  const transition = transit(thread, { what: settlement.is === 'settled' ? 'signed' : 'refused' });
  assert(transition, 'an intent that was signed goes on');
  const isOver = finalStatuses.some((status) => status === transition.thread.status);
  const expiry = isOver ? undefined : expiryIn(scene, signedMember.record);
  const all = members.map((member, index) =>
    member.previous ? member : begun(ledger, member, index === 0 ? expiry : undefined),
  );
  const moment = momentOfLast(all);
  const refusal = settlement.is === 'refused' ? { refusal: settlement.refusal } : {};
  const { writes } = writesOf(ledger, { scope, members: all, transition, moment, ...refusal });
  const moves =
    settlement.is === 'settled'
      ? movesOf(transition.handlings, settlement.moves, {
          ...{ scope, moment, balances: scene.balances, intent: signedMember.record.luid },
          walletLuidOf: (wallet) => walletLuidOf(scene, wallet),
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
export function begun(ledger: Identity, member: Member, expiry: string | undefined): Member {
  const { record } = member;
  const { luid, meta } = record;
  const advances = [pendingOf(luid, meta.moment, expiry)];
  const steps = stepsOf(advances, meta.proofs.length, meta.moment);
  const signals = [{ signal: 'intent-created', change: 1 }];
  return { ...member, record: spokenOf(ledger, record, advances), steps, signals };
}

/** The expiry of an intent that has to wait. Ruling 50, Decision 39. */
export function expiryIn({ home }: Scene, { luid }: LedgerRecord): string {
  return momentOf(Math.min(Math.round(timeOfLuid(luid) + expiryMsOf(home)), lastMs));
}

/** The signed intent, and those that its routes forward to. */
function membersOf(call: Call, first: Member, settlement: Settlement): Member[] {
  if (settlement.is === 'refused') return [first];
  const handleOfEntry = entryHandles(call.services);
  const [own, ...others] = settlement.parts;
  assert(own, 'a thread has an intent');
  const forwarded = others.map((part) => forwardedMember(call, first.record, part));
  const members = [first, ...forwarded].map((member, index) => {
    const { entries } = settlement.parts[index] as Part;
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

/** Adds the owners of its bridges, whose keys may report. The owners of a bridge never change. */
function withBridgeOwners({ bridges }: Scene, member: Member): Member {
  const named = new Set(member.resolved?.flatMap(({ bridge }) => bridge ?? []));
  if (named.size === 0) return member;
  const voices = [...named].map((handle) => [
    handle,
    bridges.get(handle)?.record.meta.owners ?? [],
  ]);
  return { ...member, voices: Object.fromEntries(voices) };
}

/** True when a limit is set on a moved balance. */
function isLimited({ balances }: Scene, settlement: Settlement): boolean {
  if (settlement.is === 'refused') return false;
  return settlement.moves.some(
    ({ wallet, symbol }) => balances.get(cellOf(wallet, symbol))?.limitsChange !== undefined,
  );
}

/** Adds the wallets on which it sets limits. */
function withLimitedWallets(scene: Scene, member: Member): Member {
  const limitedWallets = limitedWalletsOf(scene, claimsOf(member.record.data));
  return limitedWallets.length > 0 ? { ...member, limitedWallets } : member;
}

/** A forwarded intent: signed by the ledger, readable by those who may read the first one. Ruling 43. */
function forwardedMember({ services }: Call, root: LedgerRecord, { claims }: Part): Member {
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
function threadBefore(members: readonly Member[]): Thread {
  const [first] = members as readonly [Member];
  const { config } = first.record.data as unknown as IntentData;
  const intents = members.map(({ resolved = [] }) =>
    resolved.flatMap(({ handle, schema, bridge }): BridgedEntry[] =>
      bridge === undefined ? [] : [{ handle, schema, bridge, reported: [] }],
    ),
  );
  return { status: 'pending', isManual: config?.commit === 'manual', intents };
}

/** The moment of the latest change in the step. */
function momentOfLast(members: readonly Member[]): string {
  const moments = members.map(({ record, steps }) => steps.at(-1)?.moment ?? record.meta.moment);
  return moments.sort().at(-1) ?? '';
}
