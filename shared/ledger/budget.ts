/**
 * Budgets for judging conditions that callers wrote, patterns above all. A caller chooses both the condition and the
 * data, so every step costs units of a fixed budget. What exceeds the budget is not judged. The cost does not depend on
 * time or load, so the same question always has the same answer. Decision 83.
 */
import { LedgerError } from './errors.ts';

/** The units for each thing that is judged. One unit is at most a microsecond. */
export const unitsFor = {
  /** The rules on a single record, which any creator of a record can choose. */
  ownRules: 2_500,
  /** The rules of one ledger, circle, domain or policy, which apply to other records. */
  rules: 25_000,
  /** The rules of all domains, and of circles and policies in them; each domain has a share. */
  domains: 250_000,
  /** All routes of a thread, and then the conditions of all bridges. */
  routes: 50_000,
  /** One effect and one event, or one bridge and the status that it may receive. */
  effect: 5_000,
  /** One policy and a record, or one quorum and its signers. */
  policy: 25_000,
  /** All the work of one request: rows, bytes and patterns. */
  request: 1_000_000,
} as const;

/** The cost of a pattern, in units. */
export interface Cost {
  /** To compile it, once. */
  readonly making: number;
  /** For each character that it is applied to. */
  readonly perCharacter: number;
}

/** Compiles a pattern to a test; it must not backtrack. Throws when the pattern is invalid. */
export type PatternMaker = (pattern: string) => PatternTest;

/** Tests whether a pattern is found in a text. */
export interface PatternTest {
  (text: string): boolean;
  /** The cost of a test; by default a unit for each character. */
  readonly cost?: Cost;
}

interface CostedTest extends PatternTest {
  readonly cost: Cost;
}

/** A budget, in units. */
export interface Budget {
  /** Pays for a step; throws once the budget is exceeded. */
  readonly pay: (units: number) => void;
}

/** Thrown when a budget is exceeded. The caller decides what follows from it. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';
}

/** A budget of so many units; `error` makes the error that ends it. */
export function budgetOf(units: number, error: () => Error = () => new BudgetExceeded()): Budget {
  let left = units;
  return {
    pay: (step) => {
      left -= step;
      if (left < 0) throw error();
    },
  };
}

/** The cost for each character of a pattern that compiles to so many instructions. */
export function unitsPerCharacter(programSize: number): number {
  return 1 + programSize / 16;
}

/** Makes patterns pay from a budget. */
export function paidFrom(
  budget: Budget,
  patternMaker: PatternMaker,
): (pattern: string) => CostedTest {
  return (pattern) => {
    const test = patternMaker(pattern);
    const { cost = { making: 0, perCharacter: 1 } } = test;
    budget.pay(cost.making);
    const paid = (text: string): boolean => {
      budget.pay(1 + text.length * cost.perCharacter);
      return test(text);
    };
    return Object.assign(paid, { cost });
  };
}

/** The most texts that a pattern remembers, and the longest of them. */
const knownCountMax = 64;
const knownLengthMax = 256;

/** As `paidFrom`, for a request that tests the same texts repeatedly: a known result costs nothing. */
export function paidOnceFrom(budget: Budget, patternMaker: PatternMaker): PatternMaker {
  const paying = paidFrom(budget, patternMaker);
  const made = new Map<string, CostedTest>();
  return (pattern) => {
    const test = made.get(pattern) ?? remembered(paying(pattern));
    made.set(pattern, test);
    return test;
  };
}

function remembered(test: CostedTest): CostedTest {
  const known = new Map<string, boolean>();
  const recalled = (text: string): boolean => {
    const is = known.get(text) ?? test(text);
    if (text.length <= knownLengthMax && known.size < knownCountMax) known.set(text, is);
    return is;
  };
  return Object.assign(recalled, { cost: test.cost });
}

/** The result, or `otherwise` when it exceeds its budget, as does a pattern stored before the limits existed. */
export function resultOr<Result>(judge: () => Result, otherwise: () => Result): Result {
  try {
    return judge();
  } catch (error) {
    const isInvalid = error instanceof LedgerError && error.reason === 'record.invalid';
    if (!isInvalid && !(error instanceof BudgetExceeded)) throw error;
    return otherwise();
  }
}

/** The error for conditions that no budget allows, thrown when they are written. */
export function tooExpensive(title: string): () => LedgerError {
  return () =>
    new LedgerError('record.invalid', `The patterns of ${title} take too much work to judge.`);
}

/** The cost of a row: a fixed part, and a unit for so many characters. */
const unitsPerRow = 20;
const lengthPerUnit = 128;

/** Pays for a row that was read. */
export function payForRow(budget: Budget, row: unknown): void {
  budget.pay(unitsPerRow + lengthOf(row) / lengthPerUnit);
}

/** The length of a value as JSON, without printing it; never more than the real one. */
export function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + (Array.isArray(value) ? 0 : name.length) + lengthOf(member),
    1,
  );
}
