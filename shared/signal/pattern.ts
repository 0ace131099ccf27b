/**
 * Patterns that whoever may write an effect chooses: regular expressions in the syntax of RE2, run by
 * an engine that reads a text once, whatever the pattern. There is no lookaround and no reference back.
 * Ruling 20. https://github.com/google/re2/wiki/Syntax
 */
import { RE2JS } from 're2js';
import { remembering } from '../crypto/cache.ts';
import type { PatternMaker } from '../ledger/match.ts';

/** Each character may cost some 40 µs under the worst of patterns; no pattern is found in longer texts. */
const textLengthMax = 16_384;
const compiledCountMax = 256;

const compiled = remembering(compiledCountMax, (pattern: string) => RE2JS.compile(pattern));

/** Searches anywhere in a text, unless the pattern is anchored. Throws when the pattern is invalid. */
export const patternMaker: PatternMaker = (pattern) => {
  const expression = compiled(pattern);
  return (text) => text.length <= textLengthMax && expression.test(text);
};
