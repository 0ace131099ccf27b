/**
 * The patterns of schemas, in the syntax of RE2: an engine that reads a text once, whatever the pattern.
 * Rulings 20 and 65. https://github.com/google/re2/wiki/Syntax
 */
import { RE2JS } from 're2js';
import { remembering } from '../crypto/cache.ts';
import { unitsPerCharacter } from '../ledger/work.ts';
import { pay } from './budget.ts';

const compiledCountMax = 512;

const compiled = remembering(compiledCountMax, (pattern: string) => RE2JS.compile(pattern));

/** How many instructions a pattern becomes; undefined for one that is none. */
export function programSizeOf(pattern: string): number | undefined {
  try {
    return compiled(pattern).programSize();
  } catch {
    return undefined;
  }
}

interface PricedPattern {
  test(text: string): boolean;
  /** The pattern itself: ajv keeps one of each text, and would take them all for the first one. */
  toString(): string;
}

/** A pattern that is paid for by the character: the more instructions it has, the dearer. */
export function pricedPattern(pattern: string): PricedPattern {
  const expression = compiled(pattern);
  const units = unitsPerCharacter(expression.programSize());
  return {
    test: (text) => {
      pay(1 + text.length * units);
      return expression.test(text);
    },
    toString: () => pattern,
  };
}
// Ajv asks for the source of what makes patterns, for schemas that are printed as code. None is.
pricedPattern.code = 'pricedPattern';
