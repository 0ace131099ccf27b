/**
 * Access: what is asked, by whom, and which rules grant it. Rules only grant; one match is enough. Facts
 * come in and grants come out: what has to be known is read by whoever asks. Whether a ledger has rules at
 * all, and so is governed by them, is decided there as well. Rulings 30 to 34, Decision 42.
 */
import { type Matcher, type PatternMaker, parseConditions } from './match.ts';
import { namesIn, type OneOf, type Party } from './matcher.ts';
import { type Bearer, type Conditions, type ParsedRule, parseRule, type Rule } from './rule.ts';
import { lineageAmong, sharesOf } from './shares.ts';
import { any, coverageOf, domainOfStanding, isInReach, places, type Standing } from './standing.ts';
import { judgedOr, type Purse, pricedBy, purseOf, unitsFor } from './work.ts';

export { parseRule, type Rule } from './rule.ts';

/** A record as it is asked about: as it stands, or as it is to be made. */
export interface Subject {
  readonly data: Conditions;
  /** The whole record, as policies see it. */
  readonly whole?: unknown;
  /** What the request alters; absent where it alters nothing. */
  readonly change?: Conditions;
}

/** Who asks. */
export interface Caller {
  /** Whose proofs the body has, each of them verified; undefined for a request without a body. */
  readonly authors?: readonly Party[] | undefined;
  readonly bearer?: Bearer | undefined;
}

/** What is asked. */
export interface Question {
  readonly action: string;
  /** A kind, or `<kind>-proof`. */
  readonly record: string;
  /**
   * Undefined when the question is whether there could be a record of which it is granted, as for a list
   * whose rows are asked about one by one. Whoever is about to do something to a record has one.
   */
  readonly subject: Subject | undefined;
  /**
   * The domains that the record lies in, nearest first; undefined where it could lie in any, as for a list. Ruling 70.
   */
  readonly lies?: readonly string[] | undefined;
  /** Where `lies` is undefined: the domain in which each one lies, of those that lie in one. */
  readonly above?: ReadonlyMap<string, string>;
  /** That a record which is not known is nobody's yet; else it could be the caller's own. */
  readonly isNobodys?: true;
  /** That owning the record, and what stands on it, grants nothing: others have to. Ruling 69. */
  readonly isForOthers?: true;
  /** That it is asked of every record there could be: then no condition holds, and the caller owns none. */
  readonly isOfAll?: true;
  readonly caller: Caller;
  /** Whether a named check passes for the subject. */
  readonly passes: (invoke: string) => boolean;
}

/** A rule that grants what was asked, and where it stands. */
export interface Grant {
  readonly rule: Rule;
  readonly standing: Standing;
}

/** What a rule may ask that does not hold, in the order in which it is looked at. */
export type Missing =
  | 'action'
  | 'record'
  | 'domain'
  | 'place'
  | 'circle'
  | 'signer'
  | 'bearer'
  | 'filter'
  | 'change'
  | 'invoke'
  /** The work that it takes to judge it. Decision 83. */
  | 'work';

/** A rule that was weighed: undefined is missing of one that grants. */
export interface Weighed extends Grant {
  readonly missing: Missing | undefined;
}

/** The rules that grant what is asked, in the order in which they are asked. Ruling 30. */
export function grantsOf(...all: Parameters<typeof weigh>): Grant[] {
  return weigh(...all).flatMap(({ missing, ...grant }) => (missing ? [] : [grant]));
}

/** Every rule, in the order in which they are asked, and for each the first thing that is missing. Ruling 30. */
export function weigh(...all: Parameters<typeof weighing>): Weighed[] {
  return [...weighing(...all)];
}

/** The same until one grants: what stands behind it costs nothing, whoever has laid it down. Decision 83. */
export function weighUntilGranted(...all: Parameters<typeof weighing>): Weighed[] {
  const weighed: Weighed[] = [];
  for (const one of weighing(...all)) {
    weighed.push(one);
    if (one.missing === undefined) break;
  }
  return weighed;
}

function* weighing(
  question: Question,
  standings: readonly Standing[],
  patternMaker: PatternMaker,
): Generator<Weighed, void, undefined> {
  const asked = { ...question, caller: callerIn(question) };
  const pursesOf = pursesOfDomains(asked, standings);
  const ordered = places.flatMap((place) => standings.filter((one) => one.place === place));
  for (const standing of ordered)
    yield* weighedAt(asked, standing, pursesOf(standing), patternMaker);
}

/**
 * What the rules of domains, and of circles and policies that were made in them, are paid from beside their own: whoever
 * may make some there may make many. A domain has a purse for its own rules and one for what was made in it, and wears
 * out none of others. Decision 83.
 */
function pursesOfDomains(
  question: Question,
  standings: readonly Standing[],
): (standing: Standing) => readonly Purse[] {
  const speaking = standings.filter(
    (one) =>
      isInReach(one, question.lies) && one.rules.some((rule) => !unspokenIn(rule, one, question)),
  );
  const domains = new Set(speaking.flatMap((one) => domainOfStanding(one) ?? []));
  const shares = sharesOf(
    [...domains].map((domain) => lineageIn(question, domain)),
    { all: unitsFor.domains, most: 2 * unitsFor.rules },
  );
  const known = new Map<string, Purse>();
  return (standing) => {
    const domain = domainOfStanding(standing);
    if (domain === undefined) return [];
    const isOfDomain = (standing.namedAt ?? standing).place === 'domain';
    const name = isOfDomain ? domain : `made in ${domain}`;
    const purse = known.get(name) ?? purseOf((shares.get(domain) ?? 0) / 2);
    known.set(name, purse);
    return [purse];
  };
}

/** A domain and those that it lies in, nearest first. */
function lineageIn({ lies, above = new Map() }: Question, domain: string): readonly string[] {
  return lies?.includes(domain) ? lies.slice(lies.indexOf(domain)) : lineageAmong(above, domain);
}

/**
 * The rules of one standing. They share a purse, so that whoever wrote them can wear out no others. One that cannot be
 * judged grants nothing. Decision 83.
 */
function* weighedAt(
  question: Question,
  standing: Standing,
  shared: readonly Purse[],
  patternMaker: PatternMaker,
): Generator<Weighed, void, undefined> {
  const own = [purseOf(unitsOfRules(standing.place)), ...shared];
  const pay = (units: number) => {
    for (const purse of own) purse.pay(units);
  };
  const paid = pricedBy({ pay }, (pattern) => {
    // Where nothing is left, nothing is made either: the request would pay for it.
    pay(0);
    return patternMaker(pattern);
  });
  for (const rule of standing.rules) {
    const missing = judgedOr<Missing | undefined>(
      () => missingIn(question, { rule, standing }, paid),
      () => 'work',
    );
    yield { rule, standing, missing };
  }
}

/** How much work the rules of a standing may take. */
export function unitsOfRules(place: Standing['place']): number {
  return place === 'record' ? unitsFor.ownRules : unitsFor.rules;
}

/** What of the action and the kind of record a rule does not speak of. */
function unspokenIn(
  rule: Rule,
  standing: Standing,
  { action, record }: Pick<Question, 'action' | 'record'>,
): Missing | undefined {
  if (!speaksOf(rule.action, action)) return 'action';
  return speaksOf(coverageOf(rule, standing), record) ? undefined : 'record';
}

/** Whether a name is one of those that are said, or any is. */
function speaksOf(said: OneOf | undefined, name: string): boolean {
  return said !== undefined && namesIn(said).some((one) => one === name || one === any);
}

function missingIn(
  question: Question,
  { rule, standing }: Grant,
  patternMaker: PatternMaker,
): Missing | undefined {
  const unspoken = unspokenIn(rule, standing, question);
  if (unspoken) return unspoken;
  if (!isInReach(standing, question.lies)) return 'domain';
  if (isForOthers(question) && isOwn(standing)) return 'place';
  const { subject, caller } = question;
  const parsed = parseRule(triedIn(rule, subject), patternMaker);
  const unmet = unmetBy(caller, parsed, standing);
  if (unmet) return unmet;
  if (question.isOfAll) return conditionIn(rule);
  const isMet = isAbout(rule, subject, patternMaker) && holds(parsed.filter, subject?.data);
  if (!isMet) return 'filter';
  if (!holds(parsed.change, subject && (subject.change ?? {}))) return 'change';
  return isPassed(rule.invoke, question) ? undefined : 'invoke';
}

/** What of a rule is tried: of a record that is not known no condition is, so none is made and paid for. */
function triedIn(rule: Rule, subject: Subject | undefined): Rule {
  const { filter: _filter, change: _change, ...whom } = rule;
  return subject ? rule : whom;
}

/** The condition of a rule that some record would not meet. */
function conditionIn({ filter, about = [], change, invoke }: Rule): Missing | undefined {
  if (filter || about.length > 0) return 'filter';
  if (change) return 'change';
  return invoke === undefined ? undefined : 'invoke';
}

/** Whether the owner of a record may not grant this: whoever makes a bridge does not vouch for it. Ruling 69. */
function isForOthers({ action, record, isForOthers: isSaid }: Question): boolean {
  return isSaid === true || (action === 'activate' && record === 'bridge');
}

/** Whether rules stand where the owner of a record has them: on the record, and on the server for all owners. */
function isOwn(standing: Standing): boolean {
  const { place } = standing.namedAt ?? standing;
  return place === 'server' || place === 'record';
}

/** What the caller lacks to be meant: by signature, by token, by both, or as a member of a circle. Ruling 32. */
function unmetBy(
  { authors, bearer }: Caller,
  rule: Pick<ParsedRule, 'signer' | 'bearer'>,
  standing: Standing,
): Missing | undefined {
  // A token stands in for proofs only where there is no body that could have some.
  const signers = authors ?? (bearer ? [bearer.party] : []);
  if (!rule.signer && !rule.bearer) return isOpenTo(signers, standing) ? undefined : 'circle';
  if (rule.signer && !signers.some(rule.signer)) return 'signer';
  const isBorne = !rule.bearer || (bearer !== undefined && rule.bearer(bearer));
  return isBorne ? undefined : 'bearer';
}

/** Whether a rule that does not say whom it means is about them: on a circle it means the members. */
function isOpenTo(signers: readonly Party[], standing: Standing): boolean {
  const { place, name } = standing.namedAt ?? standing;
  if (place !== 'circle') return true;
  return name !== undefined && signers.some(({ circles }) => circles.has(name));
}

/** Whether the policy of a rule is about the record. */
function isAbout(
  { about = [] }: Rule,
  subject: Subject | undefined,
  patternMaker: PatternMaker,
): boolean {
  if (!subject) return true;
  const { data, whole = { ...data, data } } = subject;
  return about.every((conditions) => parseConditions(conditions, patternMaker)(whole));
}

/** Whether conditions hold; those on a record that is not known could. */
function holds(isMet: Matcher | undefined, subject: Conditions | undefined): boolean {
  return isMet === undefined || subject === undefined || isMet(subject);
}

/** Whether the named check of a rule passes; on other kinds than its own, none does. Ruling 33. */
function isPassed(invoke: string | undefined, { record, subject, passes }: Question): boolean {
  if (invoke === undefined) return true;
  const [kind] = invoke.split('.');
  if (record !== kind && record !== `${kind}-proof`) return false;
  return subject === undefined || passes(invoke);
}

/** The caller as a question hears it: whoever asks about a record that is not known could own it. */
function callerIn({ caller, subject, isNobodys, isOfAll }: Question): Caller {
  const { authors, bearer } = caller;
  if (subject || isNobodys || isOfAll) return caller;
  return {
    authors: authors?.map(mayOwn),
    bearer: bearer && { ...bearer, party: mayOwn(bearer.party) },
  };
}

/** A party that could own a record that is not known. */
function mayOwn(party: Party): Party {
  return { ...party, owns: new Set([...party.owns, 'record'] as const) };
}
