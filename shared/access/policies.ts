/**
 * Enforcement of policies on proofs that ask for a status or labels. All reads are planned first and run together;
 * without a policy about the kind there are none. Ruling 66, Decisions 28 and 29.
 */
import { sameAs } from '../ledger/compare.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import { parseConditions } from '../ledger/match.ts';
import { circlesOf, parseMatcher, type SignerMatcher } from '../ledger/matcher.ts';
import {
  type Aspect,
  admitting,
  changedLabels,
  forbiddenLabel,
  isAbout,
  type LabelsValue,
  labelsVerdict,
  naming,
  type StatusValue,
  statusVerdict,
  type Verdict,
  valuesOf,
} from '../ledger/policy.ts';
import { completes } from '../ledger/quorum.ts';
import type { LedgerRecord, RecordData, Version } from '../ledger/record.ts';
import { parseRule, type Rule } from '../ledger/rule.ts';
import { hasRule, type Rulebook } from '../ledger/rulebook.ts';
import { hopeless, judgedOr, pricedBy, purseOf, unitsFor } from '../ledger/work.ts';
import type { Call, Services } from '../port/action.ts';
import { extendedOr } from '../record/extension.ts';
import { reachesTo } from '../record/lineage.ts';
import { domainOfRecord } from '../record/place.ts';
import type { PolicyData } from '../shape/policy.ts';
import type { Proof } from '../shape/proof.ts';
import { type Parties, partiesOf } from './parties.ts';
import { assertSole } from './sole-label.ts';

/** Each circle in a policy's matchers costs a read for each signer. */
const circleCountMax = 32;

/** The status and labels that a proof asks for. */
export interface Wishes {
  readonly status?: string | null;
  readonly labels?: readonly string[];
}

/** The requested parts that take effect. */
export type Heeded = Readonly<Record<Aspect, boolean>>;

/** Refuses with `record.invalid` a policy with invalid conditions or matchers, or with too many circles. */
export function checkPolicy(data: RecordData, { patternMaker }: Services): void {
  const { filter, values } = data as unknown as PolicyData;
  const paid = pricedBy(purseOf(unitsFor.policy, hopeless('the policy')), patternMaker);
  if (filter) parseConditions(filter, paid);
  if (data.schema === 'access') for (const rule of values as readonly Rule[]) parseRule(rule, paid);
  const quorums = values as readonly { readonly quorum?: readonly SignerMatcher[] }[];
  const matchers = data.schema === 'access' ? [] : quorums.flatMap(({ quorum = [] }) => quorum);
  for (const matcher of matchers) parseMatcher(matcher, paid);
  if (circlesOf(matchers).length > circleCountMax)
    throw new LedgerError('record.invalid', `A policy names at most ${circleCountMax} circles.`);
}

/** The index values of policies about a kind that this ledger uses: the kind, its proofs, or any. Ruling 77. */
function namesOf(kind: Kind, rulebook: Rulebook | undefined): readonly string[] {
  const names = [kind, `${kind}-proof`, 'any'];
  return names.filter((one) => hasRule(rulebook, `policy ${one}`));
}

/**
 * Decides which requested changes take effect. Refuses with `record.status-policy-violation` or
 * `record.labels-policy-violation` those that no policy allows. Without a policy about an aspect it takes effect.
 */
export async function heeded(
  call: Call,
  previous: Version,
  proof: Proof,
  wishes: Wishes,
  rulebook: Rulebook | undefined,
): Promise<Heeded> {
  const isAsked = wishes.status !== undefined || wishes.labels !== undefined;
  if (!isAsked || namesOf(previous.kind, rulebook).length === 0)
    return { status: true, labels: true };
  const policies = await policiesAbout(call, previous, rulebook, wishes);
  const [status, labels] = await Promise.all([
    statusHeeded(call, previous, proof, wishes, policies.status),
    labelsHeeded(call, previous, proof, wishes, policies),
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
  wishes: Wishes,
): Promise<ApplicablePolicies> {
  const { services } = call;
  const scope = call.ledger.handle;
  const { patternMaker } = call.work;
  const names = namesOf(kind, rulebook);
  const found = await Promise.all(names.map((one) => services.store.indexed(scope, 'policy', one)));
  const domain = await domainOfRecord(call, kind, record);
  const near = await Promise.all(
    found.flat().map((policy) => reachesTo(call, policy.record.meta.domain, domain)),
  );
  const reaching = found.flat().filter((_, index) => near[index]);
  const about = reaching.filter((policy) =>
    judgedOr(
      () => isAbout(policy.record, record, patternMaker),
      () => {
        throw tooCostly(wishes, policy.record.data.handle);
      },
    ),
  );
  const of = async (aspect: Aspect) => {
    const own = about.filter((policy) => policy.record.data.schema === aspect);
    const all = await extendedOr(call, own, () => {
      throw tooCostly(wishes, own[0]?.record.data.handle);
    });
    return all.map((version) => version.record);
  };
  const [status, labels] = await Promise.all([of('status'), of('labels')]);
  return { about, status, labels };
}

async function statusHeeded(
  call: Call,
  previous: Version,
  proof: Proof,
  { status }: Wishes,
  policies: readonly LedgerRecord[],
): Promise<boolean> {
  if (status === undefined || policies.length === 0) return true;
  const values = valuesOf<StatusValue>(policies, 'status');
  const quorums = admitting(values, status).flatMap(({ quorum = [] }) => [quorum]);
  const parties = await partiesFor(call, previous, proof, 'status', quorums);
  const verdict = judgedOr<Verdict>(
    () => statusVerdict(values, status, isMetBy(call, parties)),
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

async function labelsHeeded(
  call: Call,
  previous: Version,
  proof: Proof,
  { labels }: Wishes,
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
  const named = naming(values, changedLabels(before, labels));
  const quorums = named.flatMap(({ quorum = [] }) => [quorum]);
  const parties = await partiesFor(call, previous, proof, 'labels', quorums);
  const isGranted = judgedOr(
    () => isEffective(labelsVerdict(values, before, labels, isMetBy(call, parties))),
    () => {
      throw tooCostly({ labels });
    },
  );
  if (isGranted) await assertSole(call, previous, labels, about);
  return isGranted;
}

/** The principals of the quorums: the new signer and, for a quorum of several, those with the same request. */
async function partiesFor(
  call: Call,
  previous: Version,
  proof: Proof,
  aspect: Aspect,
  quorums: readonly (readonly SignerMatcher[])[],
): Promise<Parties> {
  const isPlural = quorums.some(({ length }) => length > 1);
  const others = isPlural ? quorumVotesFor(previous, proof, aspect) : [];
  return partiesOf(call, previous.record, [proof, ...others], circlesOf(quorums.flat()));
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
  [newest, ...others]: Parties,
): (quorum: readonly SignerMatcher[]) => boolean {
  const { patternMaker } = call.work;
  return (quorum) => {
    const paid = pricedBy(purseOf(unitsFor.policy), patternMaker);
    return completes(
      quorum.map((matcher) => parseMatcher(matcher, paid)),
      newest,
      others,
    );
  };
}

/** The error when a policy costs too much work to judge. Decision 83. */
function tooCostly({ status, labels }: Wishes, policy?: string): LedgerError {
  const reason =
    status === undefined ? 'record.labels-policy-violation' : 'record.status-policy-violation';
  const which = policy === undefined ? 'A quorum' : `Policy ${policy}`;
  const asked = status === undefined ? { labels } : { status };
  return new LedgerError(reason, `${which} takes too much work to judge.`, asked);
}

function isEffective(verdict: Verdict): boolean {
  return verdict === 'effective';
}
