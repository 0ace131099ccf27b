/**
 * Rules: who may do what, with which records. A rule is parsed before it is stored and before it is judged,
 * by the same function, so that what was stored can be judged. Rulings 32 to 34.
 */
import { type Matcher, type PatternMaker, parseConditions, parseFacts } from './match.ts';
import {
  type OneOf,
  type Party,
  type PartyTest,
  parseMatcher,
  type SignerMatcher,
} from './matcher.ts';

export type Conditions = Readonly<Record<string, unknown>>;

/** What the token of a caller must say; all members must hold. An empty one means every token. */
export interface BearerMatcher {
  readonly iss?: unknown;
  readonly sub?: unknown;
  readonly aud?: unknown;
  /** Whether the token must be bound to this very request; false asks nothing. Ruling 27. */
  readonly hsh?: boolean;
  readonly $signer?: SignerMatcher;
  /** Any of these. */
  readonly $in?: readonly BearerMatcher[];
}

/** One rule: it grants its action, as far as all that it asks holds. */
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
  /** The policy, or policies, whose rules are meant, and nothing else then. */
  readonly policy?: OneOf;
  /** Of a rule of a policy: what the policy is about, no part of the rule itself. Decision 29. */
  readonly about?: readonly Conditions[];
}

/** A token that is verified, with what it says. */
export interface Bearer {
  readonly iss: string;
  readonly sub?: string | undefined;
  readonly aud: string;
  /** Whether `sub` is known to be true: said by the provider, or by a signer of themself. Decision 45. */
  readonly isSubject: boolean;
  /** Whether it is bound to this request. */
  readonly hsh: boolean;
  /** Who has made it, or asked the provider for it. */
  readonly party: Party;
}

/** What a rule asks; undefined what it does not ask. */
export interface ParsedRule {
  readonly signer: PartyTest | undefined;
  readonly bearer: BearerTest | undefined;
  readonly filter: Matcher | undefined;
  readonly change: Matcher | undefined;
}

/** Whether a token is meant. */
type BearerTest = (bearer: Bearer) => boolean;

/** Parses what a rule asks; refuses conditions that cannot be judged with `record.invalid`. */
export function parseRule(rule: Rule, patternMaker: PatternMaker): ParsedRule {
  const { signer, bearer, filter, change } = rule;
  // Only what is absent is not asked: a null that got here must not open a rule to everyone.
  return {
    signer: signer === undefined ? undefined : parseMatcher(signer, patternMaker),
    bearer: bearer === undefined ? undefined : parseBearerMatcher(bearer, patternMaker),
    filter: filter === undefined ? undefined : parseConditions(filter, patternMaker),
    change: change === undefined ? undefined : parseConditions(change, patternMaker),
  };
}

/** What a token says of whom it speaks for is taken from those alone whose word a rule takes, by `$signer`. */
function parseBearerMatcher(
  matcher: BearerMatcher,
  patternMaker: PatternMaker,
  isWithin = false,
): BearerTest {
  const { hsh = false, $signer, $in, ...claims } = matcher;
  const isTaken = isWithin || $signer !== undefined;
  const isAsSaid = parseFacts(claims, patternMaker);
  const isSigner = $signer === undefined ? undefined : parseMatcher($signer, patternMaker);
  const forms = $in?.map((form) => parseBearerMatcher(form, patternMaker, isTaken));
  return (bearer) =>
    isAsSaid(isTaken || bearer.isSubject ? bearer : { ...bearer, sub: undefined }) &&
    (!hsh || bearer.hsh) &&
    (isSigner === undefined || isSigner(bearer.party)) &&
    (forms === undefined || forms.some((isMeant) => isMeant(bearer)));
}
