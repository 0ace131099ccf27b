/** Violations of a body's shape, with the keywords, params and messages of ajv, whichever check found them. */
import { assert } from './assert.ts';
import { cut } from './cut.ts';
import { LedgerError } from './errors.ts';
import { nearestOf } from './nearest.ts';

export interface ShapeViolation {
  /** JSON pointer from the body. RFC 6901. */
  readonly instancePath: string;
  /** The place of the violated rule in the shape. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
  /** The rule in words, which the detail of the refusal says beside the message. */
  readonly words?: string | undefined;
}

/** Keyword, parameters and message for a text that is no moment: its pattern says little, and is longer than an answer shows. */
export const momentRule = [
  'format',
  { format: 'date-time' },
  'must be a moment, ISO 8601 in UTC, such as 2026-01-31T12:00:00.000Z',
] as const;

/** The most violations in an answer, since a body may hold a hundred thousand unknown members. */
const violationCountMax = 100;
/** The most characters of a parameter that is no text, as JSON. */
const paramLengthMax = 4096;

/**
 * The error for a body with these violations; `written` is the value that breaks the first of them, where it is known.
 * Places and texts are cut, since a name in a body may be as long as the body.
 */
export function schemaInvalid(
  violations: readonly ShapeViolation[],
  written?: unknown,
): LedgerError {
  const errors = violations.slice(0, violationCountMax).map(shortened);
  const [first] = errors;
  assert(first, 'a body that is refused breaks a rule');
  const words = violations[0]?.words;
  const said = words === undefined ? '' : `: ${words}`;
  const detail = `${detailOf(first)}${said}${hintOf(first, written)}`;
  return new LedgerError('record.schema-invalid', detail, { errors });
}

function shortened({ instancePath, schemaPath, keyword, params, message }: ShapeViolation) {
  const kept = Object.entries(params).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[name, cut(value)]];
    return String(JSON.stringify(value)).length > paramLengthMax ? [] : [[name, value]];
  });
  return {
    ...{ instancePath: cut(instancePath), schemaPath: cut(schemaPath), keyword },
    ...{ params: Object.fromEntries(kept), message: cut(message) },
  } satisfies ShapeViolation;
}

/** The violation of an absent required member. */
export function missing(instancePath: string, name: string): ShapeViolation {
  return {
    instancePath,
    schemaPath: `#${instancePath.replaceAll('/', '/properties/')}/required`,
    keyword: 'required',
    params: { missingProperty: name },
    message: `must have required property '${name}'`,
  };
}

/** A name as one part of a JSON pointer. RFC 6901 3. */
export function escapedPart(part: PropertyKey): string {
  return String(part).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The violation as a sentence, with the names or values that the message leaves to `params`. */
function detailOf({ instancePath, params, message }: ShapeViolation): string {
  const { additionalProperty, allowedValue, allowedValues } = params;
  const named = additionalProperty ?? allowedValue ?? allowedValues;
  const what = instancePath || 'The body';
  return named === undefined
    ? `${what} ${message}`
    : `${what} ${message}: ${[named].flat().map(textOf).join(', ')}`;
}

/** Names the allowed text that is nearest to what was written; empty where none is near. */
function hintOf({ params }: ShapeViolation, written: unknown): string {
  const { allowedValues } = params;
  if (typeof written !== 'string' || !Array.isArray(allowedValues)) return '';
  const nearest = nearestOf(written, allowedValues.map(String));
  return nearest === undefined ? '' : `; the nearest is ${nearest}`;
}

/** A text as it is, any other value as JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : cut(JSON.stringify(value));
}
