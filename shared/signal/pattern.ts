/**
 * Patterns that callers write in filters: regular expressions in the syntax of RE2, whose engine reads a text once,
 * whatever the pattern. There is no lookaround and no backreference.
 * Ruling 20. https://github.com/google/re2/wiki/Syntax
 */
import { RE2JS } from 're2js';
import { cached } from '../crypto/cache.ts';
import { unitsPerCharacter } from '../ledger/budget.ts';
import type { PatternMaker } from '../ledger/match.ts';

/** The cost of compiling a Unicode class from its tables, as a number of instructions. */
const unitsPerClass = 100;
const compiledCountMax = 256;

const compiled = cached(compiledCountMax, (pattern: string) => RE2JS.compile(pattern));

/** Searches anywhere in a text, unless the pattern is anchored. Throws when the pattern is invalid. */
export const patternMaker: PatternMaker = (pattern) => {
  const expression = compiled(pattern);
  const programSize = expression.programSize();
  const classCount = pattern.match(/\\p/gi)?.length ?? 0;
  const cost = {
    making: 2 * programSize + unitsPerClass * classCount,
    perCharacter: unitsPerCharacter(programSize),
  };
  return Object.assign((text: string) => expression.test(text), { cost });
};
