/**
 * Patterns of schemas, in the syntax of RE2: an engine that reads a text once, whatever the pattern. Rulings 20 and 65.
 * https://github.com/google/re2/wiki/Syntax
 */
import { RE2JS } from 're2js';
import { cached } from '../crypto/cache.ts';
import { unitsPerCharacter } from '../ledger/budget.ts';
import { pay } from './budget.ts';

const compiledCountMax = 512;

const compiled = cached(compiledCountMax, (pattern: string) => RE2JS.compile(pattern));

/** The number of instructions of a compiled pattern; undefined for an invalid one. */
export function programSizeOf(pattern: string): number | undefined {
  try {
    return compiled(pattern).programSize();
  } catch {
    return undefined;
  }
}

interface CostedPattern {
  test(text: string): boolean;
  /** The pattern itself. Ajv caches patterns by this text and would confuse them otherwise. */
  toString(): string;
}

/** A pattern that pays for each character, in proportion to its instructions. */
export function costedPattern(pattern: string): CostedPattern {
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
// Ajv asks for the source of this function, for standalone code that is never generated.
costedPattern.code = 'pricedPattern';
