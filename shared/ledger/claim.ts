/** Presents a claim to the conditions of routes and bridge traits. Rulings 43 and 53. */
import type { Claim, ClaimReference, IntentData } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import { type Matcher, type PatternMaker, parseConditions } from './match.ts';

/** The members of the intent that conditions on a claim can use. */
export type ClaimConditions = Pick<IntentData, 'schema' | 'custom'>;

/** The claim with `schema` and `custom` of its intent. Wallets and symbols match by handle or by member. */
export function viewOf(
  claim: Claim,
  { schema, custom }: ClaimConditions,
): Readonly<Record<string, unknown>> {
  return {
    amount: claim.amount,
    symbol: bothForms(claim.symbol),
    ...('source' in claim && { source: bothForms(claim.source) }),
    ...('target' in claim && { target: bothForms(claim.target) }),
    ...(schema !== undefined && { schema }),
    ...(custom !== undefined && { custom }),
  };
}

/** A wallet or symbol as an object, whether the claim names it by text or by object. Ruling 45. */
export function wholeOf(reference: ClaimReference): ClaimReference & object {
  return typeof reference === 'string' ? { handle: reference } : reference;
}

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

/** Both forms of a name: `source` and `source.handle` match alike, as in the filters of lists. Ruling 21. */
export function bothForms(reference: ClaimReference): readonly unknown[] {
  // Conditions test each element of an array.
  return [handleOf(reference), wholeOf(reference)];
}
