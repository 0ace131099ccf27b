/** Presents a claim to the conditions of routes and bridge traits. Rulings 43 and 53. */
import type { Claim, IntentData } from '../shape/intent.ts';
import { type Matcher, type PatternMaker, parseConditions } from './match.ts';
import { type MeaningOf, shownOf } from './names.ts';

/** The members of the intent that conditions on a claim can use. */
export type ClaimConditions = Pick<IntentData, 'schema' | 'custom'>;

/** The claim with `schema` and `custom` of its intent, and with every form of the names in it. */
export function viewOf(
  claim: Claim,
  { schema, custom }: ClaimConditions,
  meaningOf?: MeaningOf,
): Readonly<Record<string, unknown>> {
  const { action: _action, custom: _custom, ...shown } = shownOf(claim, meaningOf);
  return {
    ...shown,
    ...(schema !== undefined && { schema }),
    ...(custom !== undefined && { custom }),
  };
}

/** The members of a claim that conditions on it can use. */
export const claimMembers: readonly string[] = [
  ...['amount', 'symbol', 'source', 'target'],
  ...['schema', 'custom'],
];

/** A route or a trait: anything with conditions on claims. */
export interface Filtered {
  readonly filter?: Readonly<Record<string, unknown>>;
}

/** Parses each filter once, for any number of claims. */
export function parsingOnce(patternMaker: PatternMaker): (filtered: Filtered) => Matcher {
  const parsed = new Map<Filtered, Matcher>();
  return (filtered) => {
    const matcher = parsed.get(filtered) ?? parseConditions(filtered.filter ?? {}, patternMaker);
    parsed.set(filtered, matcher);
    return matcher;
  };
}
