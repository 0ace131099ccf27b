/**
 * Access rules and their parser. The same function parses a rule before it is stored and before it is judged, so every
 * stored rule can be judged. Rulings 32 to 34.
 */
import {
  assertPaths,
  type Matcher,
  type PatternMaker,
  parseConditions,
  parseFacts,
} from './match.ts';
import {
  type OneOf,
  type Principal,
  type PrincipalTest,
  parseMatcher,
  type SignerMatcher,
} from './matcher.ts';

export type Conditions = Readonly<Record<string, unknown>>;

/** Conditions on the token of the caller, all of which must hold. An empty matcher applies to every token. */
export interface BearerMatcher {
  readonly iss?: unknown;
  readonly sub?: unknown;
  readonly aud?: unknown;
  /** True to require a token that is bound to this very request; false requires nothing. Ruling 27. */
  readonly hsh?: boolean;
  readonly $signer?: SignerMatcher;
  /** Any of these. */
  readonly $in?: readonly BearerMatcher[];
}

/** One rule. It grants its action when everything that it requires holds. */
export interface Rule {
  readonly action?: OneOf;
  readonly record?: OneOf;
  readonly signer?: SignerMatcher;
  readonly bearer?: BearerMatcher;
  /** A named check, `<kind>.<name>`. */
  readonly invoke?: string;
  /** Conditions on the data of the record. */
  readonly filter?: Conditions;
  /** Conditions on the members that the request alters. */
  readonly change?: Conditions;
  /** A rule with this member stands for the rules of the named policies and has no other members. */
  readonly policy?: OneOf;
  /** Of a rule in a policy: the filters of the policy. They are added when the policy is read. Decision 29. */
  readonly about?: readonly Conditions[];
}

/** The claims of a verified token. */
export interface VerifiedBearer {
  readonly iss: string;
  readonly sub?: string | undefined;
  readonly aud: string;
  /** True when `sub` is verified: the provider set it, or a signer named themself. Decision 45. */
  readonly isSubject: boolean;
  /** True when the token is bound to this request. */
  readonly hsh: boolean;
  /** The principal that made the token, or that requested it from the provider. */
  readonly principal: Principal;
}

/** The requirements of a rule; undefined where it has none. */
export interface ParsedRule {
  readonly signer: PrincipalTest | undefined;
  readonly bearer: BearerTest | undefined;
  readonly filter: Matcher | undefined;
  readonly change: Matcher | undefined;
}

type BearerTest = (bearer: VerifiedBearer) => boolean;

/** Parses the requirements of a rule. Throws `record.invalid` for conditions that cannot be judged. */
export function parseRule(rule: Rule, patternMaker: PatternMaker): ParsedRule {
  const { signer, bearer, filter, change } = rule;
  // Only an absent member requires nothing: a stored null must not open a rule to everyone.
  return {
    signer: signer === undefined ? undefined : parseMatcher(signer, patternMaker),
    bearer: bearer === undefined ? undefined : parseBearerMatcher(bearer, patternMaker),
    filter: filter === undefined ? undefined : parseConditions(filter, patternMaker),
    change: change === undefined ? undefined : parseConditions(change, patternMaker),
  };
}

/** Checks a rule that is to be stored. Throws `record.invalid` as `parseRule` and `checkConditions` do. */
export function checkRule(rule: Rule, patternMaker: PatternMaker): void {
  assertPaths(rule.filter);
  assertPaths(rule.change);
  parseRule(rule, patternMaker);
}

/** An unverified `sub` counts only for a rule with `$signer`, which names the signers whose word it trusts. */
function parseBearerMatcher(
  matcher: BearerMatcher,
  patternMaker: PatternMaker,
  isWithin = false,
): BearerTest {
  const { hsh = false, $signer, $in, ...claims } = matcher;
  const isTrusted = isWithin || $signer !== undefined;
  const meetsFacts = parseFacts(claims, patternMaker);
  const isSigner = $signer === undefined ? undefined : parseMatcher($signer, patternMaker);
  const forms = $in?.map((form) => parseBearerMatcher(form, patternMaker, isTrusted));
  return (bearer) =>
    meetsFacts(isTrusted || bearer.isSubject ? bearer : { ...bearer, sub: undefined }) &&
    (!hsh || bearer.hsh) &&
    (isSigner === undefined || isSigner(bearer.principal)) &&
    (forms === undefined || forms.some((isMeant) => isMeant(bearer)));
}
