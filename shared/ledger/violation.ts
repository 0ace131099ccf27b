/**
 * What is wrong with a body, violation by violation, in the contract's form: keywords, params and
 * messages are those of ajv, whatever found it. Rulings, section 2.
 */
import { assert } from './assert.ts';
import { LedgerError } from './errors.ts';

export interface Violation {
  /** JSON pointer from the body. RFC 6901. */
  readonly instancePath: string;
  /** Where the broken rule stands in the shape. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/**
 * How many violations are told. A body may hold a hundred thousand unknown members, and an answer that
 * names them all could not be sent.
 */
const violationCountMax = 100;

/** The refusal of a body with these violations. */
export function schemaInvalid(violations: readonly Violation[]): LedgerError {
  const errors = violations.slice(0, violationCountMax);
  const [first] = errors;
  assert(first, 'a body that is refused breaks a rule');
  return new LedgerError('record.schema-invalid', detailOf(first), { errors });
}

/** The violation of a member that must be there. */
export function missing(instancePath: string, name: string): Violation {
  return {
    instancePath,
    schemaPath: `#${instancePath.replaceAll('/', '/properties/')}/required`,
    keyword: 'required',
    params: { missingProperty: name },
    message: `must have required property '${name}'`,
  };
}

/** One part of a JSON pointer. RFC 6901 3. */
export function escapedPart(part: PropertyKey): string {
  return String(part).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The violation as a sentence, with the name or the values that its message leaves to `params`. */
function detailOf({ instancePath, params, message }: Violation): string {
  const { additionalProperty, allowedValue, allowedValues } = params;
  const named = additionalProperty ?? allowedValue ?? allowedValues;
  const what = instancePath || 'The body';
  return named === undefined
    ? `${what} ${message}`
    : `${what} ${message}: ${[named].flat().map(textOf).join(', ')}`;
}

/** A text as it is; a literal of a schema may be anything. */
function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 256);
}
