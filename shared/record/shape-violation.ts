/** Conversion of zod issues to violations in the form of JSON Schema errors. SPEC, Requests and answers. */
import type * as z from 'zod/mini';
import { cut } from '../ledger/cut.ts';
import {
  escapedPart,
  momentRule,
  type ShapeViolation,
  schemaInvalid,
} from '../ledger/violation.ts';
import { patternWords } from '../shape/patterns.ts';

/** Returns a body of the right shape; refuses with `record.schema-invalid` and all violations. */
export function assertShape(shape: Pick<z.ZodMiniType, 'safeParse'>, body: unknown): unknown {
  const result = shape.safeParse(body);
  if (result.success) return body;
  const violations = result.error.issues.flatMap((issue) => violationsOf(issue, body));
  throw schemaInvalid(violations, valueAt(body, violations[0]?.instancePath ?? ''));
}

/** The value at a JSON pointer; undefined where there is none. */
function valueAt(body: unknown, pointer: string): unknown {
  const parts = pointer.split('/').slice(1);
  return parts.reduce<unknown>(
    (value, part) =>
      (value as Readonly<Record<string, unknown>> | null | undefined)?.[
        part.replaceAll('~1', '/').replaceAll('~0', '~')
      ],
    body,
  );
}

function violationsOf(issue: z.core.$ZodIssue, body: unknown): ShapeViolation[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const params = { additionalProperty: key };
      return violation(path, 'additionalProperties', params, 'must NOT have additional properties');
    });
  if (isMissing(issue, body)) {
    const name = String(path.at(-1));
    const message = `must have required property '${name}'`;
    return [violation(path.slice(0, -1), 'required', { missingProperty: name }, message)];
  }
  if (issue.code === 'invalid_union' && issue.discriminator === undefined)
    return unionViolationsOf(issue, body);
  const [keyword, params, message] = ruleOf(issue);
  const words = patternWords.get(String(params['pattern']));
  return [{ ...violation(path, keyword, params, message), ...(words && { words }) }];
}

/** The violations of the union member with the right type; without one, the types that are allowed. */
function unionViolationsOf(issue: z.core.$ZodIssueInvalidUnion, body: unknown): ShapeViolation[] {
  const isOtherType = (nested: z.core.$ZodIssue) =>
    nested.code === 'invalid_type' && nested.path.length === 0;
  const meant = issue.errors.filter((form) => !form.some(isOtherType)).flat();
  if (meant.length > 0)
    return meant.flatMap((nested) =>
      violationsOf({ ...nested, path: [...issue.path, ...nested.path] }, body),
    );
  const types = issue.errors
    .flat()
    .flatMap((nested) => ('expected' in nested ? [typeOf(nested.expected)] : []));
  const [type, ...others] = [...new Set(types)];
  const all = others.length > 0 ? [type, ...others] : type;
  return [violation(issue.path, 'type', { type: all }, `must be ${[type, ...others].join(',')}`)];
}

function violation(
  path: readonly PropertyKey[],
  keyword: string,
  params: ShapeViolation['params'],
  message: string,
): ShapeViolation {
  const parts = path.map((part) => escapedPart(cut(String(part))));
  const instancePath = parts.map((part) => `/${part}`).join('');
  const rule = parts.map((part, at) =>
    typeof path[at] === 'number' ? '/items' : `/properties/${part}`,
  );
  return { instancePath, schemaPath: `#${rule.join('')}/${keyword}`, keyword, params, message };
}

/** True when the member is absent; false when it is there and wrong. */
function isMissing(issue: z.core.$ZodIssue, body: unknown): boolean {
  let value = body;
  for (const part of issue.path) value = (value as Record<PropertyKey, unknown>)[part];
  return issue.path.length > 0 && value === undefined;
}

type SchemaRule = readonly [keyword: string, params: ShapeViolation['params'], message: string];

function ruleOf(issue: z.core.$ZodIssue): SchemaRule {
  switch (issue.code) {
    case 'invalid_type': {
      const type = typeOf(issue.expected);
      return ['type', { type }, `must be ${type}`];
    }
    case 'too_small':
      return boundOf('min', issue, Number(issue.minimum));
    case 'too_big':
      return boundOf('max', issue, Number(issue.maximum));
    case 'invalid_format': {
      if (issue.format === 'datetime') return momentRule;
      // Zod prints a regular expression as a literal, JSON Schema its source.
      const pattern = (issue.pattern ?? issue.format).replace(/^\/(.*)\/[a-z]*$/, '$1');
      return ['pattern', { pattern }, `must match pattern "${pattern}"`];
    }
    case 'invalid_value':
      return allowing(issue.values);
    case 'invalid_union':
      return allowing('options' in issue ? (issue.options ?? []) : []);
    default:
      return ['format', ('params' in issue && issue.params) || {}, issue.message];
  }
}

function allowing(values: readonly unknown[]): SchemaRule {
  return values.length === 1
    ? ['const', { allowedValue: values[0] }, 'must be equal to constant']
    : ['enum', { allowedValues: values }, 'must be equal to one of the allowed values'];
}

/** JSON Schema has other names for two types. */
function typeOf(expected: string): string {
  if (expected === 'int') return 'integer';
  return expected === 'record' ? 'object' : expected;
}

/** JSON Schema names a bound after the bounded type. */
function boundOf(
  side: 'min' | 'max',
  { origin, inclusive }: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  limit: number,
): SchemaRule {
  const words = side === 'min' ? 'fewer than' : 'more than';
  if (origin === 'string')
    return [`${side}Length`, { limit }, `must NOT have ${words} ${limit} characters`];
  if (origin === 'array')
    return [`${side}Items`, { limit }, `must NOT have ${words} ${limit} items`];
  const comparison = `${side === 'min' ? '>' : '<'}${inclusive ? '=' : ''}`;
  const keyword = inclusive
    ? `${side}imum`
    : side === 'min'
      ? 'exclusiveMinimum'
      : 'exclusiveMaximum';
  return [keyword, { comparison, limit }, `must be ${comparison} ${limit}`];
}
