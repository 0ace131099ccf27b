/**
 * Conditions on a record or an event: dotted paths, operators and operands. Effects, lists and rules share this one
 * meaning. Ruling 20.
 */

import { BudgetExceeded, type PatternMaker, type PatternTest } from './budget.ts';
import { amongst, isPlain, isScalar, orderTo, sameAs } from './compare.ts';
import { LedgerError } from './errors.ts';

export type { PatternMaker } from './budget.ts';

/** One condition, on the values found at its path. */
type ValuesTest = (values: readonly unknown[]) => boolean;

/** Parsed conditions, all of which must hold. */
export type Matcher = (subject: unknown) => boolean;

const patternLengthMax = 256;
/** Longer texts never match a pattern. Decision 83. */
const patternTextLengthMax = 4_096;
/** About 500 instructions. A dearer pattern could be judged on short texts only. Decision 83. */
const unitsPerCharacterMax = 32;
const pathLengthMax = 256;
/** The most conditions of a filter; each operator at a path counts. */
export const conditionCountMax = 50;
const operandCountMax = 100;

/** One operator at a path, with its operand. */
interface Condition {
  readonly path: string;
  readonly operator: string;
  readonly operand: unknown;
  readonly patternMaker: PatternMaker;
}

/** Turns a condition into a test, by its operator. */
const operators: Readonly<Record<string, (condition: Condition) => ValuesTest>> = {
  $eq: ({ operand }) => equals(operand),
  $ne: ({ operand }) => not(equals(operand)),
  $gt: (condition) => compares(condition, (order) => order > 0),
  $gte: (condition) => compares(condition, (order) => order >= 0),
  $lt: (condition) => compares(condition, (order) => order < 0),
  $lte: (condition) => compares(condition, (order) => order <= 0),
  $in: isIn,
  $nin: (condition) => not(isIn(condition)),
  $regex: patternTest,
  $exists: existence,
};

/**
 * Parses conditions: `{path: operand}` or `{path: {$operator: operand, …}}`, with dotted paths. Throws
 * `record.invalid`, naming the path and the mistake.
 */
export function parseConditions(
  conditions: Readonly<Record<string, unknown>>,
  patternMaker: PatternMaker,
): Matcher {
  return parse(conditions, patternMaker, (test) => test);
}

/**
 * Parses conditions that are to be stored, by the author who can still mend them. Throws `record.invalid` as
 * `parseConditions` does, and for an operator in the place of a path: no subject has such a member, so the conditions
 * would hold never or always. What was stored before is judged as it was.
 */
export function checkConditions(
  conditions: Readonly<Record<string, unknown>>,
  patternMaker: PatternMaker,
): void {
  assertPaths(conditions);
  parseConditions(conditions, patternMaker);
}

/** Refuses with `record.invalid` an operator in the place of a path. */
export function assertPaths(conditions: Readonly<Record<string, unknown>> = {}): void {
  const odd = Object.keys(conditions).find((path) => path.startsWith('$'));
  if (odd === undefined) return;
  const why = 'is an operator in the place of a path; all conditions of a filter must hold';
  throw invalid(odd.slice(0, pathLengthMax), why);
}

/**
 * Parses conditions on a principal, of whom some facts may be unknown. An unknown fact fails every condition except
 * `$exists: false`, including `$ne`. Decision 46.
 */
export function parseFacts(
  conditions: Readonly<Record<string, unknown>>,
  patternMaker: PatternMaker,
): Matcher {
  return parse(conditions, patternMaker, (test, operator) =>
    operator === '$exists' ? test : (values) => values.length > 0 && test(values),
  );
}

/** Adjusts a test by its operator. */
type Adjustment = (test: ValuesTest, operator: string) => ValuesTest;

function parse(
  conditions: Readonly<Record<string, unknown>>,
  patternMaker: PatternMaker,
  adjust: Adjustment,
): Matcher {
  const entries = Object.entries(conditions);
  if (conditionCountOf(conditions) > conditionCountMax)
    throw new LedgerError(
      'record.invalid',
      `A filter has at most ${conditionCountMax} conditions.`,
    );
  const tests = entries.map(([path, wanted]) => {
    const segments = segmentsOf(path);
    const test = testOf(path, wanted, { patternMaker, adjust });
    return (subject: unknown) => test(valuesAt(subject, segments));
  });
  return (subject) => tests.every((test) => test(subject));
}

/** Counts conditions; each operator at a path counts. */
export function conditionCountOf(conditions: Readonly<Record<string, unknown>>): number {
  const counts = Object.entries(conditions).map(([path, wanted]) => operatorCountOf(path, wanted));
  return counts.reduce((sum, count) => sum + count, 0);
}

function segmentsOf(path: string): readonly string[] {
  const segments = path.split('.');
  if (path.length > pathLengthMax || segments.includes(''))
    throw invalid(path.slice(0, pathLengthMax), 'is not a path of names between dots');
  // Such a path would never match, and its author would get no error.
  if (Object.hasOwn(operators, path.slice(path.lastIndexOf('.') + 1)))
    throw invalid(path, 'ends in an operator, which belongs into an object of its own');
  return segments;
}

function testOf(
  path: string,
  wanted: unknown,
  { patternMaker, adjust }: { readonly patternMaker: PatternMaker; readonly adjust: Adjustment },
): ValuesTest {
  if (!isOperators(path, wanted)) return equals(wanted);
  const tests = Object.entries(wanted).map(([operator, operand]) => {
    const testOfOperator = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
    if (!testOfOperator) throw invalid(path, `knows no operator ${operator.slice(0, 32)}`);
    return adjust(testOfOperator({ path, operator, operand, patternMaker }), operator);
  });
  return (values) => tests.every((test) => test(values));
}

function operatorCountOf(path: string, wanted: unknown): number {
  return isOperators(path, wanted) ? Object.keys(wanted).length : 1;
}

/** True for an object of operators; any other object is a literal to compare with. */
function isOperators(path: string, wanted: unknown): wanted is Readonly<Record<string, unknown>> {
  const names = isPlain(wanted) ? Object.keys(wanted) : [];
  const named = names.filter((name) => name.startsWith('$'));
  if (named.length > 0 && named.length < names.length)
    throw invalid(path, 'has names beside its operators; a literal of such names goes into $eq');
  return named.length > 0;
}

/** All values at the path; an array counts as itself and as each of its elements. An index selects one element. */
function valuesAt(subject: unknown, segments: readonly string[]): readonly unknown[] {
  let values: readonly unknown[] = [subject];
  for (const segment of segments) values = values.flatMap((value) => membersOf(value, segment));
  return values.flatMap((value) => (Array.isArray(value) ? [value, ...value] : [value]));
}

function membersOf(value: unknown, segment: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value)) {
    const member = Object.hasOwn(value, segment) ? Reflect.get(value, segment) : undefined;
    // JSON has no undefined, so an undefined member counts as absent.
    return member === undefined ? [] : [member];
  }
  if (/^(0|[1-9]\d{0,8})$/.test(segment)) return value.slice(Number(segment), Number(segment) + 1);
  return value.flatMap((element) => membersOf(element, segment));
}

function equals(operand: unknown): ValuesTest {
  const isSame = sameAs(operand);
  return (values) => values.some(isSame);
}

function compares(
  { path, operator, operand }: Condition,
  isWanted: (order: number) => boolean,
): ValuesTest {
  if (!isScalar(operand) || typeof operand === 'boolean')
    throw invalid(path, `${operator} takes a text or a number`);
  const orderBy = orderTo(operand);
  return (values) =>
    values.some((value) => {
      const order = orderBy(value);
      return order !== undefined && isWanted(order);
    });
}

function isIn({ path, operator, operand }: Condition): ValuesTest {
  if (!Array.isArray(operand) || operand.length > operandCountMax)
    throw invalid(path, `${operator} takes an array of at most ${operandCountMax} values`);
  const isAny = amongst(operand);
  return (values) => values.some(isAny);
}

function patternTest({ path, operand, patternMaker }: Condition): ValuesTest {
  if (typeof operand !== 'string' || operand.length > patternLengthMax)
    throw invalid(path, `$regex takes a pattern of at most ${patternLengthMax} characters`);
  const test = compiledBy(path, operand, patternMaker);
  if ((test.cost?.perCharacter ?? 0) > unitsPerCharacterMax)
    throw invalid(path, `$regex takes too much work for each character: ${operand.slice(0, 64)}`);
  return (values) => {
    // A text that is there several times is paid for once.
    const texts = new Set(values.filter(isScalar).map(String));
    return [...texts].some((text) => text.length <= patternTextLengthMax && test(text));
  };
}

function compiledBy(path: string, pattern: string, patternMaker: PatternMaker): PatternTest {
  try {
    return patternMaker(pattern);
  } catch (error) {
    // A pattern that is too expensive is not reported as invalid.
    if (error instanceof BudgetExceeded || error instanceof LedgerError) throw error;
    throw invalid(path, `$regex is not a valid pattern: ${pattern.slice(0, 64)}`);
  }
}

function existence({ path, operand }: Condition): ValuesTest {
  if (typeof operand !== 'boolean') throw invalid(path, '$exists takes true or false');
  return (values) => values.length > 0 === operand;
}

function not(test: ValuesTest): ValuesTest {
  return (values) => !test(values);
}

function invalid(path: string, why: string): LedgerError {
  return new LedgerError('record.invalid', `Filter '${path}' ${why}.`, { filter: path });
}
