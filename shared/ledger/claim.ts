/** A claim as conditions of wallets and bridges see it. Rulings 43 and 53. */
import type { Claim, IntentData, Party } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import { type Matcher, type PatternMaker, parseConditions } from './match.ts';

/** What conditions may ask of the intent that a claim stands in. */
export type About = Pick<IntentData, 'schema' | 'custom'>;

/** The claim, and what the intent says beside it. A party is asked for by its handle or by its members. */
export function viewOf(claim: Claim, { schema, custom }: About): Readonly<Record<string, unknown>> {
  return {
    amount: claim.amount,
    symbol: asked(claim.symbol),
    ...('source' in claim && { source: asked(claim.source) }),
    ...('target' in claim && { target: asked(claim.target) }),
    ...(schema !== undefined && { schema }),
    ...(custom !== undefined && { custom }),
  };
}

/** A party as an object, however it was written. Ruling 45. */
export function wholeOf(party: Party): Party & object {
  return typeof party === 'string' ? { handle: party } : party;
}

/** What has conditions on claims: a route or a trait. */
export interface Filtered {
  readonly filter?: Readonly<Record<string, unknown>>;
}

/** Parses conditions, each filter once, however many claims it is asked about. */
export function parsingOnce(patternMaker: PatternMaker): (filtered: Filtered) => Matcher {
  const parsed = new Map<Filtered, Matcher>();
  return (filtered) => {
    const matcher = parsed.get(filtered) ?? parseConditions(filtered.filter ?? {}, patternMaker);
    parsed.set(filtered, matcher);
    return matcher;
  };
}

/** Both forms of a party: `source` and `source.handle` mean the same, as in filters of lists. Ruling 21. */
function asked(party: Party): readonly unknown[] {
  // Conditions look at each element of an array.
  return [handleOf(party), wholeOf(party)];
}
