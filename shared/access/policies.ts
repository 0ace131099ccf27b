/**
 * Enforcement of policies on proofs that ask for a status or labels. All reads are planned first and run together;
 * without a policy about the kind there are none. Ruling 66, Decisions 28 and 29.
 */

import { budgetOf, paidFrom, resultOr, tooExpensive, unitsFor } from '../ledger/budget.ts';
import { sameAs } from '../ledger/compare.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import { checkConditions } from '../ledger/match.ts';
import { circlesOf, parseMatcher, type SignerMatcher } from '../ledger/matcher.ts';
import {
  type Aspect,
  appliesTo,
  changedLabels,
  forbiddenLabel,
  type LabelsValue,
  labelsVerdict,
  type PolicyVerdict,
  type StatusValue,
  statusVerdict,
  valuesForLabels,
  valuesForStatus,
  valuesOf,
} from '../ledger/policy.ts';
import { completesQuorum } from '../ledger/quorum.ts';
import type { LedgerRecord, RecordData, Version } from '../ledger/record.ts';
import { checkRule, type Rule } from '../ledger/rule.ts';
import { hasCounter, type Rulebook } from '../ledger/rulebook.ts';
import type { Call, Services } from '../port/action.ts';
import { extendedOr } from '../record/extension.ts';
import { reachesTo } from '../record/lineage.ts';
import { domainOfRecord } from '../record/place.ts';
import type { PolicyData } from '../shape/policy.ts';
import type { Proof } from '../shape/proof.ts';
import { assertEnforceable } from './enforceable.ts';
import { type Principals, principalsOf } from './proof-principals.ts';
import { wholeFor } from './seen.ts';
import { assertUnique } from './unique-label.ts';

/** Each circle in a policy's matchers costs a read for each signer. */
const circleCountMax = 32;

/** The status and labels that a proof asks for. */
export interface RequestedChange {
  readonly status?: string | null;
  readonly labels?: readonly string[];
}

/** The requested parts that take effect. */
export type EffectiveAspects = Readonly<Record<Aspect, boolean>>;

/** Refuses with `record.invalid` a policy with invalid conditions or matchers, or with too many circles. */
export function checkPolicy(data: RecordData, { patternMaker }: Services): void {
  const { filter, values } = data as unknown as PolicyData;
  const paid = paidFrom(budgetOf(unitsFor.policy, tooExpensive('the policy')), patternMaker);
  if (filter) checkConditions(filter, paid);
  if (data.schema === 'access') for (const rule of values as readonly Rule[]) checkRule(rule, paid);
  const quorums = values as readonly { readonly quorum?: readonly SignerMatcher[] }[];
  const matchers = data.schema === 'access' ? [] : quorums.flatMap(({ quorum = [] }) => quorum);
  for (const matcher of matchers) parseMatcher(matcher, paid);
  // Behind the parsers, which say of what cannot be read that it cannot, and name a long path by its beginning.
  assertEnforceable(data as unknown as PolicyData);
  if (circlesOf(matchers).length > circleCountMax)
    throw new LedgerError('record.invalid', `A policy names at most ${circleCountMax} circles.`);
}

/** The policies about a kind, its proofs, or any kind; none are read where the rulebook counts none. Ruling 77. */
export async function policiesOn(
  { services, ledger }: Call,
  kind: Kind,
  rulebook: Rulebook | undefined,
): Promise<Version[]> {
  const names = namesOf(kind, rulebook);
  const { store } = services;
  const found = names.map((one) => store.indexed(ledger.handle, 'policy', one, 'recent'));
  return (await Promise.all(found)).flat();
}

/** True when a policy could be about records of this kind. */
export function hasPolicies(kind: Kind, rulebook: Rulebook | undefined): boolean {
  return namesOf(kind, rulebook).length > 0;
}

/** The index values of policies about a kind that this ledger uses: the kind, its proofs, or any. Ruling 77. */
function namesOf(kind: Kind, rulebook: Rulebook | undefined): readonly string[] {
  const names = [kind, `${kind}-proof`, 'any'];
  return names.filter((one) => hasCounter(rulebook, `policy ${one}`));
}

/**
 * Decides which requested changes take effect. Refuses with `record.status-policy-violation` or
 * `record.labels-policy-violation` those that no policy allows. Without a policy about an aspect it takes effect.
 */
export async function effectiveAspects(
  call: Call,
  previous: Version,
  proof: Proof,
  requested: RequestedChange,
  rulebook: Rulebook | undefined,
): Promise<EffectiveAspects> {
  const isRequested = requested.status !== undefined || requested.labels !== undefined;
  if (!isRequested || !hasPolicies(previous.kind, rulebook)) return { status: true, labels: true };
  const policies = await policiesAbout(call, previous, rulebook, requested);
  const [status, labels] = await Promise.all([
    statusInEffect(call, previous, proof, requested, policies.status),
    labelsInEffect(call, previous, proof, requested, policies),
  ]);
  return { status, labels };
}

/** The policies that apply to a record, by aspect, with all that they extend. */
interface ApplicablePolicies extends Readonly<Record<Aspect, readonly LedgerRecord[]>> {
  /** The policies themselves, without those that they extend. */
  readonly about: readonly Version[];
}

async function policiesAbout(
  call: Call,
  { kind, record }: Version,
  rulebook: Rulebook | undefined,
  requested: RequestedChange,
): Promise<ApplicablePolicies> {
  const { patternMaker } = call.work;
  const found = await policiesOn(call, kind, rulebook);
  const domain = await domainOfRecord(call, kind, record);
  const near = await Promise.all(
    found.map((policy) => reachesTo(call, policy.record.meta.domain, domain)),
  );
  const reaching = found.filter((_, index) => near[index]);
  const policies = reaching.map((policy) => policy.record);
  const whole = await wholeFor(call, kind, record, policies);
  const about = reaching.filter((policy) =>
    resultOr(
      () => appliesTo(policy.record, patternMaker, whole),
      () => {
        throw tooCostly(requested, policy.record.data.handle);
      },
    ),
  );
  const of = async (aspect: Aspect) => {
    const own = about.filter((policy) => policy.record.data.schema === aspect);
    const all = await extendedOr(call, own, () => {
      throw tooCostly(requested, own[0]?.record.data.handle);
    });
    return all.map((version) => version.record);
  };
  const [status, labels] = await Promise.all([of('status'), of('labels')]);
  return { about, status, labels };
}

async function statusInEffect(
  call: Call,
  previous: Version,
  proof: Proof,
  { status }: RequestedChange,
  policies: readonly LedgerRecord[],
): Promise<boolean> {
  if (status === undefined || policies.length === 0) return true;
  const values = valuesOf<StatusValue>(policies, 'status');
  const quorums = valuesForStatus(values, status).flatMap(({ quorum = [] }) => [quorum]);
  const principals = await principalsFor(call, previous, proof, 'status', quorums);
  const verdict = resultOr<PolicyVerdict>(
    () => statusVerdict(values, status, isMetBy(call, principals)),
    () => {
      throw tooCostly({ status });
    },
  );
  if (verdict === 'forbidden')
    throw new LedgerError(
      'record.status-policy-violation',
      `No policy allows the status ${status === null ? 'null' : `'${status}'`}.`,
      { status },
    );
  return isEffective(verdict);
}

async function labelsInEffect(
  call: Call,
  previous: Version,
  proof: Proof,
  { labels }: RequestedChange,
  { about, labels: policies }: ApplicablePolicies,
): Promise<boolean> {
  if (labels === undefined || policies.length === 0) return true;
  const before = previous.record.meta.labels ?? [];
  const values = valuesOf<LabelsValue>(policies, 'labels');
  const label = forbiddenLabel(values, before, labels);
  if (label !== undefined)
    throw new LedgerError(
      'record.labels-policy-violation',
      `No policy allows the label '${label}'.`,
      { label },
    );
  const named = valuesForLabels(values, changedLabels(before, labels));
  const quorums = named.flatMap(({ quorum = [] }) => [quorum]);
  const principals = await principalsFor(call, previous, proof, 'labels', quorums);
  const isGranted = resultOr(
    () => isEffective(labelsVerdict(values, before, labels, isMetBy(call, principals))),
    () => {
      throw tooCostly({ labels });
    },
  );
  if (isGranted) await assertUnique(call, previous, labels, about);
  return isGranted;
}

/** The principals of the quorums: the new signer and, for a quorum of several, those with the same request. */
async function principalsFor(
  call: Call,
  previous: Version,
  proof: Proof,
  aspect: Aspect,
  quorums: readonly (readonly SignerMatcher[])[],
): Promise<Principals> {
  const isPlural = quorums.some(({ length }) => length > 1);
  const others = isPlural ? quorumVotesFor(previous, proof, aspect) : [];
  return principalsOf(call, previous.record, [proof, ...others], circlesOf(quorums.flat()));
}

/**
 * Quorum votes: proofs by authors over the current data that ask for the same, since the status or the labels last
 * changed. Decision 28.
 */
function quorumVotesFor(previous: Version, proof: Proof, aspect: Aspect): Proof[] {
  const used = previous.counted?.[aspect] ?? 0;
  const isSame = sameAs(proof.custom?.[aspect]);
  return previous.record.meta.proofs
    .slice(used)
    .filter(({ origin, custom }) => origin !== undefined && isSame(custom?.[aspect]));
}

function isMetBy(
  call: Call,
  [newest, ...others]: Principals,
): (quorum: readonly SignerMatcher[]) => boolean {
  const { patternMaker } = call.work;
  return (quorum) => {
    const paid = paidFrom(budgetOf(unitsFor.policy), patternMaker);
    return completesQuorum(
      quorum.map((matcher) => parseMatcher(matcher, paid)),
      newest,
      others,
    );
  };
}

/** The error when a policy costs too much work to judge. Decision 83. */
export function tooCostly({ status, labels }: RequestedChange, policy?: string): LedgerError {
  const reason =
    status === undefined ? 'record.labels-policy-violation' : 'record.status-policy-violation';
  const which = policy === undefined ? 'A quorum' : `Policy ${policy}`;
  const query = status === undefined ? { labels } : { status };
  return new LedgerError(reason, `${which} takes too much work to judge.`, query);
}

function isEffective(verdict: PolicyVerdict): boolean {
  return verdict === 'effective';
}
