/**
 * An intent continues: with a missing signature, a report of a bridge, a decision, an extension, or its expiry. Each write depends on
 * the versions that were read, so of two requests one commits first. The other decides anew, and its proof is kept as
 * audit data. Rulings 48 to 51, 55 and 56.
 */

import { hasPolicies } from '../access/policies.ts';
import { assertNoCapture } from '../ledger/capture.ts';
import type { IntentStatus } from '../ledger/four-eyes.ts';
import { isPending } from '../ledger/intent.ts';
import { attachmentOf, type LedgerRecord, type Version } from '../ledger/record.ts';
import { decisionBytesMax, reportBytesMaxOf } from '../ledger/reserve.ts';
import type { Rulebook } from '../ledger/rulebook.ts';
import { assertNoExpiry } from '../ledger/times.ts';
import type { Call, Identity, Services } from '../port/action.ts';
import type { Scope, Signal } from '../port/ports.ts';
import { type Decided, newToken } from '../record/commit.ts';
import { readerFor } from '../record/reader.ts';
import { assertProofBytes, bytesOf, excessOf } from '../record/size.ts';
import { instructionOf, readIntentContext } from './context.ts';
import { extendedBy } from './extend.ts';
import { haveQuorums, isSigned } from './four-eyes.ts';
import { accepting, membersOf, othersOf, unchanged } from './members.ts';
import { expiryReason, isEarly, isExpired } from './overdue.ts';
import type { ProofRole } from './role.ts';
import { settlementOf } from './settlement.ts';
import { commitSigned } from './signed.ts';
import { type IntentEvent, refused, takeStep } from './step.ts';
import type { ThreadFailure, ThreadMember } from './thread.ts';

/** An intent with the proof that a request adds. */
interface Revision {
  readonly scope: Scope;
  readonly previous: Version;
  readonly next: Version;
  readonly signals: readonly Signal[];
  /** True on the first attempt, before any conflict. */
  readonly isFirst: boolean;
  readonly rulebook: Rulebook | undefined;
}

/** In characters. */
const detailLengthMax = 500;

/**
 * Takes the intent as far as the new proof allows. Undefined when it must be decided anew, since not all of the thread
 * could be read. Refuses with `api.body-malformed` a proof beyond its size limit, and with `record.invalid` one that
 * states a capture or an expiry for nothing.
 */
export async function advanceIntent(
  call: Call,
  revision: Revision,
  role: ProofRole | undefined,
): Promise<Decided<Version> | undefined> {
  const { services, ledger } = call;
  const { previous, next } = revision;
  const moment = momentOfRevision(revision);
  assertShare(revision, role);
  const others = await othersOf(services, revision.scope, previous);
  if (!others) return undefined;
  const members = membersOf(previous, memberOf(revision), others);
  if (isExpired(members, moment))
    return commitOfEvent(services, ledger, revision, members, {
      event: refused,
      failure: await expiryReason(services, revision.scope, previous),
    });
  if (role?.is === 'report') {
    const member = accepting(memberOf(revision), next.record.meta.proofs.length - 1);
    const { entry, report } = role;
    const failure = failureOf(next.record, entry);
    const event = { what: 'reported', entry, report } as const;
    const noted = membersOf(previous, member, others);
    return commitOfEvent(services, ledger, revision, noted, { event, failure });
  }
  assertMeant(next, role);
  if (role?.is === 'extension') return extendedBy(ledger, revision, role.expiry);
  if (role?.is === 'decision' && !(await mayBeDecided(call, revision, role.status)))
    return keptCommit(revision);
  if (role?.is === 'decision')
    return commitOfEvent(services, ledger, revision, members, {
      event: { what: 'decided', status: role.status },
      captured: role.captured,
    });
  return signedBy(call, revision, moment);
}

/** The commit of a signature: of the whole intent once it may take effect and no right is missing. */
async function signedBy(
  call: Call,
  revision: Revision,
  moment: string,
): Promise<Decided<Version> | undefined> {
  const { previous, next } = revision;
  const waits = keptCommit(revision);
  if (!isPending(previous.record) || isEarly(previous.record, moment)) return waits;
  const context = await readIntentContext(readerFor(call), instructionOf(next.record.data));
  if (!(await isSigned(call, context, next.record))) return waits;
  assertSigned(next, waits);
  const settlement = await settlementOf(call, context, instructionOf(next.record.data), moment);
  return commitSigned(call, context, memberOf(revision), settlement);
}

/** True when the decision has the quorum of every policy about it; what its claims name is read only then. Ruling 93. */
async function mayBeDecided(
  call: Call,
  { next, rulebook }: Revision,
  status: IntentStatus,
): Promise<boolean> {
  if (!hasPolicies('intent', rulebook)) return true;
  const context = await readIntentContext(readerFor(call), instructionOf(next.record.data));
  return haveQuorums(call, context, next.record, [status]);
}

/** Refuses a report or decision larger than its reserve, even when there is room now. Ruling 68. */
function assertShare({ previous, next }: Revision, role: ProofRole | undefined): void {
  const proof = next.record.meta.proofs.at(-1);
  if (!role || !proof || role.is === 'extension') return;
  if (role.is === 'decision') assertProofBytes('The decision', proof, decisionBytesMax);
  else assertProofBytes('The report', proof, reportBytesMaxOf(previous));
}

/** Refuses with `record.invalid` members of a statement that have a meaning, and none in this proof. */
function assertMeant({ record }: Version, role: ProofRole | undefined): void {
  const custom = record.meta.proofs.at(-1)?.custom;
  if (role?.is !== 'extension') assertNoExpiry(custom);
  if (role?.is !== 'decision') assertNoCapture(custom);
}

/** The commit of an event. A proof that changes nothing is kept as audit data. Ruling 56. */
async function commitOfEvent(
  services: Services,
  ledger: Identity,
  revision: Revision,
  members: readonly ThreadMember[],
  event: IntentEvent,
): Promise<Decided<Version> | undefined> {
  const { scope, previous, isFirst } = revision;
  const moment = momentOfRevision(revision);
  const done = await takeStep(services, ledger, { scope, members, moment, isFirst }, event);
  if (!done) return undefined;
  if (!done.isNews) return keptCommit(revision);
  const own = done.commit.writes.find(({ next }) => next.record.luid === previous.record.luid);
  return { commit: done.commit, result: own?.next ?? revision.next };
}

function memberOf({ previous, next, signals }: Revision): ThreadMember {
  const { record, steps } = next;
  return { ...unchanged(previous), record, steps, signals };
}

/** Stores the proof and changes nothing else. */
function keptCommit({ scope, previous, next, signals }: Revision): Decided<Version> {
  const whole = { ...next, ...attachmentOf(previous) };
  const write = { scope, previous, next: whole, signals };
  return { commit: { token: newToken(), writes: [write] }, result: whole };
}

/** The failure reason of an intent whose entry a bridge refused. */
function failureOf({ meta }: LedgerRecord, entry: string): ThreadFailure {
  const { reason, detail } = meta.proofs.at(-1)?.custom ?? {};
  const texts = [reason, detail].filter((text) => typeof text === 'string' && text !== '');
  const said = texts.join(', ').slice(0, detailLengthMax).replace(/\.$/, '');
  const why = said === '' ? '' : `: ${said}`;
  return {
    reason: 'core.bridge-prepare-failed',
    detail: `A bridge refused the entry ${entry}${why}.`,
  };
}

/** Refuses a last signature that is too large; otherwise its size would make the intent fail. */
function assertSigned({ record }: Version, waits: Decided<Version>): void {
  const proof = record.meta.proofs.at(-1);
  const excess = bytesOf(proof) > decisionBytesMax ? excessOf(waits.commit) : undefined;
  if (excess) throw excess;
}

function momentOfRevision({ next }: Revision): string {
  return next.steps.at(-1)?.moment ?? next.record.meta.moment;
}
