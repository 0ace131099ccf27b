/**
 * Decides access: takes a question, the rules that may apply and the facts, and returns the rules that grant it. Rules
 * only grant, so one match is enough. The caller reads the facts, and also decides whether the ledger is governed by
 * rules at all. Rulings 30 to 34, Decision 42.
 */

import { type Budget, budgetOf, paidFrom, resultOr, unitsFor } from './budget.ts';
import { type Matcher, type PatternMaker, parseConditions } from './match.ts';
import { namesIn, type OneOf, type Principal } from './matcher.ts';
import {
  type Conditions,
  type ParsedRule,
  parseRule,
  type Rule,
  type VerifiedBearer,
} from './rule.ts';
import {
  any,
  coverageOf,
  domainOfSource,
  isInReach,
  places,
  type RuleSource,
} from './rule-source.ts';
import { lineageAmong, sharesOf } from './shares.ts';

export type { Rule } from './rule.ts';

/** The record that a question is about: as it is stored, or as the request would create it. */
export interface AccessSubject {
  readonly data: unknown;
  /** The whole record, for the filters of policies. */
  readonly whole?: unknown;
  /** The members that the request alters; absent where it alters nothing. */
  readonly change?: unknown;
}

export interface Caller {
  /** The signers of the verified proofs of the body; undefined for a request without a body. */
  readonly authors?: readonly Principal[] | undefined;
  readonly bearer?: VerifiedBearer | undefined;
}

export interface Question {
  readonly action: string;
  readonly record: string;
  /**
   * Undefined for "is there any record for which this is granted", as for a list whose rows are checked one by one. A
   * question about an action on a record always has a subject.
   */
  readonly subject: AccessSubject | undefined;
  /** The domains that contain the record, innermost first; undefined where it could be in any. Ruling 70. */
  readonly lies?: readonly string[] | undefined;
  /** From each domain to the one that contains it, where `lies` is undefined. */
  readonly above?: ReadonlyMap<string, string>;
  /** True when an unknown record has no owner yet. Otherwise the caller might own it. */
  readonly isNobodys?: true;
  /** True when ownership, and the rules on the record itself, grant nothing: others must grant it. Ruling 69. */
  readonly isForOthers?: true;
  /** True when the question is about every possible record: then no condition holds, and the caller owns none. */
  readonly isOfAll?: true;
  readonly caller: Caller;
  /** Runs a named check (`invoke` of a rule) on the subject. */
  readonly passes: (invoke: string) => boolean;
}

/** A rule that grants the question, with its source. */
export interface Grant {
  readonly rule: Rule;
  readonly source: RuleSource;
}

/**
 * The requirements of a rule about the action and the kind, in the order of evaluation. `work`: the rule costs more work
 * to judge than its budget allows. Decision 83.
 */
export const requirements = [
  'domain',
  'place',
  'circle',
  'signer',
  'bearer',
  'filter',
  'change',
  'invoke',
  'work',
] as const;

/** The first requirement of a rule that does not hold, in the order of evaluation. */
export type Missing = 'action' | 'record' | (typeof requirements)[number];

/** A rule after evaluation; `missing` is undefined when it grants. */
export interface EvaluatedRule extends Grant {
  readonly missing: Missing | undefined;
}

/** The rules that grant the question, in the order of evaluation. Ruling 30. */
export function grantsOf(...all: Parameters<typeof evaluate>): Grant[] {
  return evaluate(...all).flatMap(({ missing, ...grant }) => (missing ? [] : [grant]));
}

/** Evaluates every rule in order, and names for each the first requirement that does not hold. Ruling 30. */
export function evaluate(...all: Parameters<typeof weighing>): EvaluatedRule[] {
  return [...weighing(...all)];
}

/** As `evaluate`, but stops at the first rule that grants, so that later rules cost no work. Decision 83. */
export function evaluateUntilGranted(...all: Parameters<typeof weighing>): EvaluatedRule[] {
  const weighed: EvaluatedRule[] = [];
  for (const one of weighing(...all)) {
    weighed.push(one);
    if (one.missing === undefined) break;
  }
  return weighed;
}

function* weighing(
  question: Question,
  sources: readonly RuleSource[],
  patternMaker: PatternMaker,
): Generator<EvaluatedRule, void, undefined> {
  const judged = { ...question, caller: possibleOwner(question) };
  const budgetsOf = domainBudgets(judged, sources);
  const ordered = places.flatMap((place) => sources.filter((one) => one.place === place));
  for (const source of ordered) yield* weighedAt(judged, source, budgetsOf(source), patternMaker);
}

/**
 * Budgets that rules share beside their own. A caller who may create one circle or policy in a domain may create many,
 * so these draw on one budget. The rules of the domain itself draw on another. Decision 83.
 */
function domainBudgets(
  question: Question,
  sources: readonly RuleSource[],
): (source: RuleSource) => readonly Budget[] {
  const applicable = sources.filter(
    (one) =>
      isInReach(one, question.lies) && one.rules.some((rule) => !mismatchIn(rule, one, question)),
  );
  const domains = new Set(applicable.flatMap((one) => domainOfSource(one) ?? []));
  const shares = sharesOf(
    [...domains].map((domain) => lineageIn(question, domain)),
    { all: unitsFor.domains, most: 2 * unitsFor.rules },
  );
  const known = new Map<string, Budget>();
  return (source) => {
    const domain = domainOfSource(source);
    if (domain === undefined) return [];
    const isOfDomain = (source.namedAt ?? source).place === 'domain';
    const name = isOfDomain ? domain : `made in ${domain}`;
    const budget = known.get(name) ?? budgetOf((shares.get(domain) ?? 0) / 2);
    known.set(name, budget);
    return [budget];
  };
}

/** A domain and those that contain it, innermost first. */
function lineageIn({ lies, above = new Map() }: Question, domain: string): readonly string[] {
  return lies?.includes(domain) ? lies.slice(lies.indexOf(domain)) : lineageAmong(above, domain);
}

/**
 * Evaluates the rules of one source. They share a budget, so that their author cannot exhaust that of other sources. A
 * rule that exceeds it grants nothing. Decision 83.
 */
function* weighedAt(
  question: Question,
  source: RuleSource,
  shared: readonly Budget[],
  patternMaker: PatternMaker,
): Generator<EvaluatedRule, void, undefined> {
  const own = [budgetOf(unitsOfRules(source.place)), ...shared];
  const pay = (units: number) => {
    for (const budget of own) budget.pay(units);
  };
  const paid = paidFrom({ pay }, (pattern) => {
    // Compiling a pattern costs the request real work, so an exhausted budget must stop it first.
    pay(0);
    return patternMaker(pattern);
  });
  for (const rule of source.rules) {
    const missing = resultOr<Missing | undefined>(
      () => missingIn(question, { rule, source }, paid),
      () => 'work',
    );
    yield { rule, source, missing };
  }
}

export function unitsOfRules(place: RuleSource['place']): number {
  return place === 'record' ? unitsFor.ownRules : unitsFor.rules;
}

/** Compares a rule with the action and the kind of the question, before anything that costs work. */
function mismatchIn(
  rule: Rule,
  source: RuleSource,
  { action, record }: Pick<Question, 'action' | 'record'>,
): Missing | undefined {
  if (!includesName(rule.action, action)) return 'action';
  return includesName(coverageOf(rule, source), record) ? undefined : 'record';
}

/** The conditions on the record that decide whether the rules grant an action on this kind. */
export function conditionsFor(
  question: Pick<Question, 'action' | 'record'>,
  sources: readonly RuleSource[],
): Conditions[] {
  return sources.flatMap((source) =>
    source.rules
      .filter((rule) => !mismatchIn(rule, source, question))
      .flatMap(({ filter = {}, change = {}, about = [] }) => [filter, change, ...about]),
  );
}

function includesName(names: OneOf | undefined, name: string): boolean {
  return names !== undefined && namesIn(names).some((one) => one === name || one === any);
}

function missingIn(
  question: Question,
  { rule, source }: Grant,
  patternMaker: PatternMaker,
): Missing | undefined {
  const mismatch = mismatchIn(rule, source, question);
  if (mismatch) return mismatch;
  if (!isInReach(source, question.lies)) return 'domain';
  if (isForOthers(question) && isOfOwner(source)) return 'place';
  const { subject, caller } = question;
  const parsed = parseRule(judgedPartOf(rule, subject), patternMaker);
  const unmet = unmetByCaller(caller, parsed, source);
  if (unmet) return unmet;
  if (question.isOfAll) return conditionIn(rule);
  const isMet = appliesTo(rule, subject, patternMaker) && holds(parsed.filter, subject?.data);
  if (!isMet) return 'filter';
  if (!holds(parsed.change, subject && (subject.change ?? {}))) return 'change';
  return isPassed(rule.invoke, question) ? undefined : 'invoke';
}

/** Leaves out the conditions of a rule where the record is unknown, so that no pattern is compiled for them. */
function judgedPartOf(rule: Rule, subject: AccessSubject | undefined): Rule {
  const { filter: _filter, change: _change, ...whom } = rule;
  return subject ? rule : whom;
}

/** The condition of a rule that some record could fail. */
function conditionIn({ filter, about = [], change, invoke }: Rule): Missing | undefined {
  if (filter || about.length > 0) return 'filter';
  if (change) return 'change';
  return invoke === undefined ? undefined : 'invoke';
}

/** True when the owner of a record may not grant this: the maker of a bridge cannot vouch for it. Ruling 69. */
function isForOthers({ action, record, isForOthers: isStated }: Question): boolean {
  return isStated === true || (action === 'activate' && record === 'bridge');
}

/** True for rules on the record itself, and for the server's rules for all owners. */
function isOfOwner(source: RuleSource): boolean {
  const { place } = source.namedAt ?? source;
  return place === 'server' || place === 'record';
}

/** The first requirement on the caller that does not hold: signature, token, or membership of the circle. Ruling 32. */
function unmetByCaller(
  { authors, bearer }: Caller,
  rule: Pick<ParsedRule, 'signer' | 'bearer'>,
  source: RuleSource,
): Missing | undefined {
  // A token replaces proofs only for a request without a body, which cannot have proofs.
  const signers = authors ?? (bearer ? [bearer.principal] : []);
  if (!rule.signer && !rule.bearer) return includesAny(signers, source) ? undefined : 'circle';
  if (rule.signer && !signers.some(rule.signer)) return 'signer';
  const isBorne = !rule.bearer || (bearer !== undefined && rule.bearer(bearer));
  return isBorne ? undefined : 'bearer';
}

/** Decides a rule without matchers: on a circle it applies to the members, elsewhere to everyone. */
function includesAny(signers: readonly Principal[], source: RuleSource): boolean {
  const { place, name } = source.namedAt ?? source;
  if (place !== 'circle') return true;
  return name !== undefined && signers.some(({ circles }) => circles.has(name));
}

/** True when the policy that holds the rule applies to the record. */
function appliesTo(
  { about = [] }: Rule,
  subject: AccessSubject | undefined,
  patternMaker: PatternMaker,
): boolean {
  if (!subject) return true;
  const { data, whole = { ...(data as object), data } } = subject;
  return about.every((conditions) => parseConditions(conditions, patternMaker)(whole));
}

/** Conditions on an unknown record count as met, since some record could meet them. */
function holds(isMet: Matcher | undefined, subject: unknown): boolean {
  return isMet === undefined || subject === undefined || isMet(subject);
}

/** Runs the named check of a rule. A check of another kind than the question's never passes. Ruling 33. */
function isPassed(invoke: string | undefined, { record, subject, passes }: Question): boolean {
  if (invoke === undefined) return true;
  const [kind] = invoke.split('.');
  if (record !== kind && record !== `${kind}-proof`) return false;
  return subject === undefined || passes(invoke);
}

/** Treats the caller as an owner of a record that is not known, since they might own it. */
function possibleOwner({ caller, subject, isNobodys, isOfAll }: Question): Caller {
  const { authors, bearer } = caller;
  if (subject || isNobodys || isOfAll) return caller;
  return {
    authors: authors?.map(withOwnership),
    bearer: bearer && { ...bearer, principal: withOwnership(bearer.principal) },
  };
}

function withOwnership(principal: Principal): Principal {
  return { ...principal, owns: new Set([...principal.owns, 'record'] as const) };
}
