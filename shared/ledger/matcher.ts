/**
 * Matchers: whom a rule or a quorum means. What is known of a party comes in; whether it is meant
 * comes out. Ruling 32.
 */
import { type PatternMaker, parseFacts } from './match.ts';

/** A name, or any of some. Ruling 73. */
export type OneOf = string | { readonly $in: readonly string[] };

/** Whom a rule means; all members must hold. An empty one means everyone. */
export interface SignerMatcher {
  readonly handle?: unknown;
  readonly public?: unknown;
  readonly format?: unknown;
  readonly schema?: unknown;
  /** Values or conditions by path. */
  readonly custom?: Readonly<Record<string, unknown>>;
  /** A member of the circle, or of any of them. */
  readonly $circle?: OneOf;
  readonly $record?: 'owner';
  readonly $ledger?: 'owner';
  /** Any of these. */
  readonly $in?: readonly SignerMatcher[];
}

/** Who acts: what is known of the signer and of the key that was used. */
export interface Party {
  readonly handle?: string | undefined;
  readonly public?: string | undefined;
  readonly format?: unknown;
  readonly schema?: unknown;
  readonly custom?: unknown;
  /** The circles that it is a member of and that grant anything. Ruling 36. */
  readonly circles: ReadonlySet<string>;
  /** What its key is an owner of: the record in question, and the ledger. */
  readonly owns: ReadonlySet<'record' | 'ledger'>;
}

/** Whether a party is meant. */
export type PartyTest = (party: Party) => boolean;

/** Parses a matcher; refuses conditions that cannot be judged with `record.invalid`. */
export function parseMatcher(matcher: SignerMatcher, patternMaker: PatternMaker): PartyTest {
  const { $circle, $record, $ledger, $in, custom = {}, ...facts } = matcher;
  const conditions = [
    ...Object.entries(facts),
    ...Object.entries(custom).map(([path, wanted]) => [`custom.${path}`, wanted] as const),
  ];
  const isAsSaid = parseFacts(Object.fromEntries(conditions), patternMaker);
  const circles = $circle === undefined ? undefined : namesIn($circle);
  const forms = $in?.map((form) => parseMatcher(form, patternMaker));
  return (party) =>
    isAsSaid(party) &&
    (circles === undefined || circles.some((circle) => party.circles.has(circle))) &&
    ($record === undefined || party.owns.has('record')) &&
    ($ledger === undefined || party.owns.has('ledger')) &&
    (forms === undefined || forms.some((isMeant) => isMeant(party)));
}

/** The circles whose members must be known to judge these matchers, each once. */
export function circlesOf(matchers: readonly SignerMatcher[]): string[] {
  const named = matchers.flatMap(({ $circle, $in = [] }) => [
    ...($circle === undefined ? [] : namesIn($circle)),
    ...circlesOf($in),
  ]);
  return [...new Set(named)];
}

/** All that a name, or a choice of names, stands for. */
export function namesIn(one: OneOf): readonly string[] {
  return typeof one === 'string' ? [one] : one.$in;
}
