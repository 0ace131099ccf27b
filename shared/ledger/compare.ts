/**
 * Compares stored values with the operand of a condition. A stored number compares as a number, two moments as moments,
 * and everything else as text. The operand is parsed once, then compared with any number of values. Ruling 20.
 */

export type Scalar = string | number | bigint | boolean;
export type PlainObject = Readonly<Record<string, unknown>>;

/** An operand in every form that a stored value may have. */
interface Operand {
  readonly text: string;
  /** True for a JSON number, false for a text that spells one. */
  readonly isNumber: boolean;
  readonly number: number | bigint | undefined;
  /** In nanoseconds. */
  readonly moment: bigint | undefined;
}

/** Negative, 0 or positive as the value is below, equal to or above the operand; undefined without an order. */
export type Order = (value: unknown) => number | undefined;

export function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

export function isPlain(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function orderTo(operand: Scalar): Order {
  const wanted = operandOf(operand);
  return (value) => (isScalar(value) ? orderOf(value, wanted) : undefined);
}

/** Equality of JSON values. A number equals a text that spells it, and a moment every spelling of it. */
export function sameAs(operand: unknown): (value: unknown) => boolean {
  if (isScalar(operand)) {
    const order = orderTo(operand);
    return (value) => order(value) === 0;
  }
  if (Array.isArray(operand)) {
    const tests = operand.map(sameAs);
    return (value) =>
      Array.isArray(value) &&
      value.length === tests.length &&
      tests.every((isSame, index) => isSame(value[index]));
  }
  return isPlain(operand) ? sameMembersAs(operand) : (value) => value === operand;
}

function sameMembersAs(operand: PlainObject): (value: unknown) => boolean {
  const tests = Object.entries(operand).map(([name, member]) => [name, sameAs(member)] as const);
  return (value) =>
    isPlain(value) &&
    Object.keys(value).length === tests.length &&
    tests.every(([name, isSame]) => Object.hasOwn(value, name) && isSame(value[name]));
}

/** Equality with any of the operands. Scalars are looked up in sets, so that many operands cost no more. */
export function amongst(operands: readonly unknown[]): (value: unknown) => boolean {
  const isKnown = amongScalars(operands.filter(isScalar).map(operandOf));
  const tests = operands.filter((operand) => !isScalar(operand)).map(sameAs);
  return (value) => (isScalar(value) ? isKnown(value) : tests.some((isSame) => isSame(value)));
}

function amongScalars(wanted: readonly Operand[]): (value: Scalar) => boolean {
  const given = wanted.filter(({ isNumber }) => isNumber);
  const texts = new Set(wanted.map(({ text }) => text));
  const writtenTexts = new Set(wanted.flatMap(({ text, isNumber }) => (isNumber ? [] : [text])));
  const numbers = new Set(wanted.map(({ number }) => digitsOf(number)));
  const givenNumbers = new Set(given.map(({ number }) => digitsOf(number)));
  const moments = new Set(wanted.flatMap(({ moment }) => moment ?? []));
  const isMoment = (value: string) => {
    const moment = moments.size > 0 ? momentOf(value) : undefined;
    return moment !== undefined && moments.has(moment);
  };
  return (value) => {
    if (typeof value === 'boolean') return texts.has(String(value));
    if (typeof value !== 'string') return numbers.has(digitsOf(value));
    if (isLargeNumber(value))
      return writtenTexts.has(value) || givenNumbers.has(digitsOf(BigInt(value)));
    return texts.has(value) || isMoment(value);
  };
}

/** One text for all equal numbers, of either type. */
export function digitsOf(number: number | bigint | undefined): string | undefined {
  const isLarge = Number.isInteger(number) && !Number.isSafeInteger(number);
  // JavaScript prints a double beyond 2^53 with rounded digits.
  return number === undefined ? undefined : String(isLarge ? BigInt(number) : number);
}

function operandOf(operand: Scalar): Operand {
  const text = String(operand);
  const isNumber = typeof operand === 'number' || typeof operand === 'bigint';
  return { text, isNumber, number: numberOf(operand), moment: momentOf(text) };
}

function orderOf(value: Scalar, { text, isNumber, number, moment }: Operand): number | undefined {
  if (typeof value === 'boolean') return String(value) === text ? 0 : undefined;
  if (typeof value !== 'string' || (isNumber && isLargeNumber(value))) {
    const own = numberOf(value);
    return own === undefined || number === undefined ? undefined : signOf(own, number);
  }
  const own = moment === undefined ? undefined : momentOf(value);
  return own === undefined || moment === undefined ? signOf(value, text) : signOf(own, moment);
}

/** An amount beyond 2^53 is stored as a text of digits, which compares as a number with a numeric operand. */
function isLargeNumber(value: string): boolean {
  return /^-?[1-9]\d{15,37}$/.test(value) && !Number.isSafeInteger(Number(value));
}

function signOf<Value extends number | bigint | string>(left: Value, right: Value): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Parses a number; whole numbers of up to 38 digits stay exact. */
export function numberOf(scalar: Scalar): number | bigint | undefined {
  if (typeof scalar !== 'string') return typeof scalar === 'boolean' ? undefined : scalar;
  if (/^-?\d{1,38}$/.test(scalar)) return BigInt(scalar);
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(scalar) ? Number(scalar) : undefined;
}

const momentPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)$/;
const nanosecondsPerMs = 1_000_000n;

/**
 * Nanoseconds of an ISO 8601 moment with a time zone. A date without a time is treated as text, and so is a day that its
 * month does not have.
 */
export function momentOf(text: string): bigint | undefined {
  const moment = nearMomentOf(text);
  return moment === undefined || !isOfCalendar(text.slice(0, 10)) ? undefined : moment;
}

/** The same, but a day that its month does not have, up to the 31st, counts on into the next month. */
export function nearMomentOf(text: string): bigint | undefined {
  const [, minute, second = '00', fraction = '', zone] = momentPattern.exec(text) ?? [];
  const ms = Date.parse(`${minute}:${second}${zone}`);
  return Number.isNaN(ms)
    ? undefined
    : BigInt(ms) * nanosecondsPerMs + BigInt(fraction.padEnd(9, '0'));
}

/** True for a day that its month has. `Date.parse` takes `02-30` for the second of March. */
function isOfCalendar(day: string): boolean {
  const next = String(Number(day.slice(5, 7)) + 1).padStart(2, '0');
  const isLastMonth = next === '13';
  return isLastMonth || Date.parse(day) < Date.parse(`${day.slice(0, 4)}-${next}-01`);
}
