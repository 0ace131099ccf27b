/**
 * What it may cost to judge by what callers wrote: patterns above all. Callers choose both sides, so each step is paid
 * for in units, of which every judgement has so many. What cannot be paid for is not judged, whatever the day is like:
 * the same question has the same answer. Decision 83.
 */
import { LedgerError } from './errors.ts';

/** How many units there are for each thing that is judged. One is at most a microsecond. */
export const unitsFor = {
  /** The rules that one record lays down for itself: whoever may create it chooses them. */
  ownRules: 2_500,
  /** The rules that one ledger, circle, domain or policy lays down for others. */
  rules: 25_000,
  /** The rules of all domains, and of circles and policies in them, of which each domain has a share. */
  domains: 250_000,
  /** All routes that a thread meets, and then the conditions of all bridges. */
  routes: 50_000,
  /** One effect and one event, or one bridge that is told. */
  effect: 5_000,
  /** Whether one policy speaks of a record, or one quorum of those who signed. */
  policy: 25_000,
  /** All that one request makes us do: rows, bytes and patterns. */
  request: 1_000_000,
} as const;

/** What a pattern costs. */
export interface Price {
  /** To make it, once. */
  readonly making: number;
  /** For each character that it is tried on. */
  readonly perCharacter: number;
}

/** Makes a test for texts from a pattern; it must not backtrack. Throws when the pattern is invalid. */
export type PatternMaker = (pattern: string) => PatternTest;

/** Whether a pattern is found in a text. */
export interface PatternTest {
  (text: string): boolean;
  /** What it costs to ask; a unit for each character where nobody says. */
  readonly price?: Price;
}

/** One that says what it costs. */
interface PricedTest extends PatternTest {
  readonly price: Price;
}

/** What something is paid from. */
export interface Purse {
  /** Pays for a step; refuses once there is not enough left. */
  readonly pay: (units: number) => void;
}

/** That something takes more work than there is for it. What comes of it, says whoever judges. */
export class Overspent extends Error {
  override readonly name = 'Overspent';
}

/** A purse of so many units. */
export function purseOf(units: number, refusal: () => Error = () => new Overspent()): Purse {
  let left = units;
  return {
    pay: (step) => {
      left -= step;
      if (left < 0) throw refusal();
    },
  };
}

/** What a character costs a pattern that has become so many instructions. */
export function unitsPerCharacter(programSize: number): number {
  return 1 + programSize / 16;
}

/** Patterns that are paid from a purse. */
export function pricedBy(
  purse: Purse,
  patternMaker: PatternMaker,
): (pattern: string) => PricedTest {
  return (pattern) => {
    const test = patternMaker(pattern);
    const { price = { making: 0, perCharacter: 1 } } = test;
    purse.pay(price.making);
    const paid = (text: string): boolean => {
      purse.pay(1 + text.length * price.perCharacter);
      return test(text);
    };
    return Object.assign(paid, { price });
  };
}

/** How many texts a pattern remembers, and how long they are at most. */
const knownCountMax = 64;
const knownLengthMax = 256;

/** The same for one request that asks again and again: what is known already is not paid for twice. */
export function pricedOnce(purse: Purse, patternMaker: PatternMaker): PatternMaker {
  const paying = pricedBy(purse, patternMaker);
  const made = new Map<string, PricedTest>();
  return (pattern) => {
    const test = made.get(pattern) ?? knowing(paying(pattern));
    made.set(pattern, test);
    return test;
  };
}

function knowing(test: PricedTest): PricedTest {
  const known = new Map<string, boolean>();
  const asked = (text: string): boolean => {
    const is = known.get(text) ?? test(text);
    if (text.length <= knownLengthMax && known.size < knownCountMax) known.set(text, is);
    return is;
  };
  return Object.assign(asked, { price: test.price });
}

/**
 * What a judgement says, or something else where it takes too much work, also because a pattern was taken on before
 * there were prices.
 */
export function judgedOr<Result>(judge: () => Result, otherwise: () => Result): Result {
  try {
    return judge();
  } catch (error) {
    const isInvalid = error instanceof LedgerError && error.reason === 'record.invalid';
    if (!isInvalid && !(error instanceof Overspent)) throw error;
    return otherwise();
  }
}

/** The refusal of conditions that nobody could afford to judge, as they are written. */
export function hopeless(title: string): () => LedgerError {
  return () =>
    new LedgerError('record.invalid', `The patterns of ${title} take too much work to judge.`);
}

/** What a row costs beside its length, and how much of it a unit is good for. */
const unitsPerRow = 20;
const lengthPerUnit = 128;

/** Pays for having looked at a row. */
export function payRow(purse: Purse, row: unknown): void {
  purse.pay(unitsPerRow + lengthOf(row) / lengthPerUnit);
}

/** How long a value is as JSON, without printing it: never more than it is. */
export function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + (Array.isArray(value) ? 0 : name.length) + lengthOf(member),
    1,
  );
}
