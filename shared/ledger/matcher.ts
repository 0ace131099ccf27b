/** Matchers select the principals to which a rule or a quorum applies, by what is known of them. Ruling 32. */
import { type PatternMaker, parseFacts } from './match.ts';

/** One name, or any of several. Ruling 73. */
export type OneOf = string | { readonly $in: readonly string[] };

/** Conditions on a principal, all of which must hold. An empty matcher applies to everyone. */
export interface SignerMatcher {
  readonly handle?: unknown;
  readonly public?: unknown;
  readonly format?: unknown;
  readonly schema?: unknown;
  /** Values or conditions by path. */
  readonly custom?: Readonly<Record<string, unknown>>;
  /** A member of the circle, or of any of several. */
  readonly $circle?: OneOf;
  readonly $record?: 'owner';
  readonly $ledger?: 'owner';
  /** Any of these. */
  readonly $in?: readonly SignerMatcher[];
}

/** A principal: the facts about a signer and the key that it used. */
export interface Principal {
  readonly handle?: string | undefined;
  readonly public?: string | undefined;
  readonly format?: unknown;
  readonly schema?: unknown;
  readonly custom?: unknown;
  /** The circles that it is a member of and that have rules. Ruling 36. */
  readonly circles: ReadonlySet<string>;
  /** The owners that its key belongs to: those of the record in question, and those of the ledger. */
  readonly owns: ReadonlySet<'record' | 'ledger'>;
}

export type PrincipalTest = (principal: Principal) => boolean;

/** Parses a matcher. Throws `record.invalid` for conditions that cannot be judged. */
export function parseMatcher(matcher: SignerMatcher, patternMaker: PatternMaker): PrincipalTest {
  const { $circle, $record, $ledger, $in, custom = {}, ...facts } = matcher;
  const conditions = [
    ...Object.entries(facts),
    ...Object.entries(custom).map(([path, wanted]) => [`custom.${path}`, wanted] as const),
  ];
  const meetsFacts = parseFacts(Object.fromEntries(conditions), patternMaker);
  const circles = $circle === undefined ? undefined : namesIn($circle);
  const forms = $in?.map((form) => parseMatcher(form, patternMaker));
  return (principal) =>
    meetsFacts(principal) &&
    (circles === undefined || circles.some((circle) => principal.circles.has(circle))) &&
    ($record === undefined || principal.owns.has('record')) &&
    ($ledger === undefined || principal.owns.has('ledger')) &&
    (forms === undefined || forms.some((isMeant) => isMeant(principal)));
}

/** The circles whose members must be read to judge these matchers, each once. */
export function circlesOf(matchers: readonly SignerMatcher[]): string[] {
  const named = matchers.flatMap(({ $circle, $in = [] }) => [
    ...($circle === undefined ? [] : namesIn($circle)),
    ...circlesOf($in),
  ]);
  return [...new Set(named)];
}

export function namesIn(one: OneOf): readonly string[] {
  return typeof one === 'string' ? [one] : one.$in;
}
