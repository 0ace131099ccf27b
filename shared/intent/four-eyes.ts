/**
 * Status policies about intents: money that a policy speaks of moves once its quorum has signed. Each policy that
 * applies must be met. Ruling 93, Decisions 106 to 108.
 */
import { policiesOn, tooCostly } from '../access/policies.ts';
import { principalsOf } from '../access/proof-principals.ts';
import { handleOf } from '../ledger/address.ts';
import { budgetOf, paidFrom, resultOr, unitsFor } from '../ledger/budget.ts';
import {
  type IntentStatus,
  isOfAuthor,
  isSeenByOthers,
  namesKeys,
  type Vote,
  votesFor,
} from '../ledger/four-eyes.ts';
import { intentSubjectOf } from '../ledger/intent-subject.ts';
import { circlesOf, parseMatcher, type SignerMatcher } from '../ledger/matcher.ts';
import { appliesTo, type StatusValue, valuesForStatus, valuesOf } from '../ledger/policy.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import { extendedOr } from '../record/extension.ts';
import { reachesTo } from '../record/lineage.ts';
import { claimsOf, type IntentContext, walletOf } from './context.ts';
import { haveRights } from './rights.ts';
import { isManual } from './role.ts';
import { drawnBy } from './routed.ts';

type PolicyContext = Pick<IntentContext, 'rulebook' | 'wallets'>;

/** The quorums of one policy for one status; one of them must be met. */
interface RequiredQuorums {
  readonly status: IntentStatus;
  readonly quorums: readonly (readonly SignerMatcher[])[];
}

/** True when the proofs of an intent have every right and every quorum that it needs. Rulings 49 and 93. */
export async function isSigned(
  call: Call,
  context: IntentContext,
  record: LedgerRecord,
): Promise<boolean> {
  return (
    (await haveRights(call, context, claimsOf(record.data), record.meta.proofs)) &&
    haveQuorums(call, context, record, statusesAhead(record))
  );
}

/** The statuses whose quorum is needed before the ledger takes the intent on; nothing else stops an automatic one. */
export function statusesAhead(record: LedgerRecord): readonly IntentStatus[] {
  return isManual(record) ? ['prepared'] : ['prepared', 'committed'];
}

/**
 * True when every policy about the intent has its quorum for these statuses; without such policies nothing is read.
 * Refuses with `record.status-policy-violation` what takes too much work to judge.
 */
export async function haveQuorums(
  call: Call,
  context: PolicyContext,
  record: LedgerRecord,
  statuses: readonly IntentStatus[],
): Promise<boolean> {
  const policies = await policiesOn(call, 'intent', context.rulebook);
  const about = await applying(call, context, record, policies);
  const required = (
    await Promise.all(about.map((policy) => quorumsOf(call, policy, statuses)))
  ).flat();
  if (required.length === 0) return true;
  const circles = circlesOf(required.flatMap(({ quorums }) => quorums.flat(2)));
  const votes = await votesOn(call, record, circles);
  const meets = meetingWith(call);
  return required.every(({ status, quorums }) => {
    return resultOr(
      () => quorums.some((quorum) => meets(quorum, votes(status))),
      () => {
        throw tooCostly({ status });
      },
    );
  });
}

/**
 * The status policies about the intent: they reach it, or a wallet that it takes from, and their filter matches. Routes
 * only add policies: a filter is looked at with and without the wallets to which they lead.
 */
async function applying(
  call: Call,
  context: PolicyContext,
  record: LedgerRecord,
  policies: readonly Version[],
): Promise<Version[]> {
  const own = policies.filter(({ record: { data } }) => data.schema === 'status');
  if (own.length === 0) return [];
  const named = walletsTakenFrom(context, record);
  const behind = (await drawnBy(call, context, record)).filter((one) => !named.includes(one));
  const taken = [...named, ...behind].map((one) => one.record.meta.domain);
  const domains = new Set([record.meta.domain, ...taken.filter((one) => one !== undefined)]);
  const near = await Promise.all(
    own.map(async ({ record: { meta } }) => {
      const reached = [...domains].map((domain) => reachesTo(call, meta.domain, domain));
      return (await Promise.all(reached)).some(Boolean);
    }),
  );
  const views = behind.length === 0 ? [[]] : [[], behind.map((one) => one.record)];
  const subjects = views.map((more) =>
    intentSubjectOf(record, (...of) => walletOf(context, ...of)?.record, more),
  );
  const { patternMaker } = call.work;
  return own.filter(
    (policy, index) =>
      near[index] &&
      resultOr(
        () => subjects.some((subject) => appliesTo(policy.record, patternMaker, subject)),
        () => {
          throw tooCostly({ status: 'committed' }, policy.record.data.handle);
        },
      ),
  );
}

/** The wallets that the claims debit or limit: an intent cannot leave the policies there behind. */
function walletsTakenFrom(context: PolicyContext, { data }: LedgerRecord): Version[] {
  return claimsOf(data).flatMap((claim) => {
    const reference =
      'wallet' in claim ? claim.wallet : 'source' in claim ? claim.source : undefined;
    return reference === undefined ? [] : (walletOf(context, handleOf(reference)) ?? []);
  });
}

/** The quorums that a policy, with all that it extends, asks for. A status that it does not name needs none. */
async function quorumsOf(
  call: Call,
  policy: Version,
  statuses: readonly IntentStatus[],
): Promise<RequiredQuorums[]> {
  const all = await extendedOr(call, [policy], () => {
    throw tooCostly({ status: 'committed' }, policy.record.data.handle);
  });
  const values = valuesOf<StatusValue>(
    all.map(({ record }) => record),
    'status',
  );
  return statuses.flatMap((status) => {
    const quorums = valuesForStatus(values, status).map(({ quorum = [] }) => quorum);
    const isOpen = quorums.length === 0 || quorums.some((quorum) => quorum.length === 0);
    return isOpen ? [] : { status, quorums };
  });
}

/** The votes for a status, of the signers as they are now. */
async function votesOn(
  call: Call,
  record: LedgerRecord,
  circles: readonly string[],
): Promise<(status: IntentStatus) => Vote[]> {
  const proofs = record.meta.proofs.filter(isOfAuthor);
  const [first, ...others] = proofs;
  if (!first) return () => [];
  const principals = await principalsOf(call, record, [first, ...others], circles);
  const byProof = new Map(proofs.map((proof, index) => [proof, principals[index]]));
  return (status) =>
    votesFor(status, record.meta, (proof) => byProof.get(proof) as Vote['principal']);
}

/** Compiles the matchers of a quorum within the work that a policy may take. */
function meetingWith(call: Call) {
  const { patternMaker } = call.work;
  return (quorum: readonly SignerMatcher[], votes: readonly Vote[]): boolean => {
    const paid = paidFrom(budgetOf(unitsFor.policy), patternMaker);
    const tests = quorum.map((matcher) => ({
      isMeant: parseMatcher(matcher, paid),
      namesKeys: namesKeys(matcher),
    }));
    return isSeenByOthers(tests, votes);
  };
}
