/**
 * Walks a JSON Schema that a caller wrote: finds its subschemas, reports what is not supported, and adds the cost of
 * applying each. Parts of the schema that the walk does not reach are never applied. Decision 27.
 */
import { isPlain } from '../ledger/compare.ts';
import { escapedPart, type ShapeViolation } from '../ledger/violation.ts';
import { misjudgedNextTo } from './evaluated.ts';
import {
  draft7,
  isAnnotation,
  type JsonSchema,
  keywordsOf,
  nearestKeyword,
  type SchemaDialect,
} from './keyword.ts';
import { programSizeOf } from './pattern.ts';

const subschemaCountMax = 500;
/** The most subschemas that `$ref` names. Each is compiled within the one that refers to it, so they use the stack. */
const referredCountMax = 64;
const patternLengthMax = 256;
/** The most instructions of all patterns together: compiling them is work that no budget covers. */
const programSizeMax = 10_000;

/** The keyword with the cost of a subschema. The walk refuses it in schemas of callers. */
export const costKeyword = 'price';

/** Keywords whose members, elements or value are subschemas. */
const mapKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
const ownKeywords: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
  'items',
  'additionalItems',
  'contains',
  'contentSchema',
  'not',
  'if',
  'then',
  'else',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** Other names for places, and references that are resolved while judging. A JSON pointer can replace all of them. */
const refusedKeywords: ReadonlySet<string> = new Set([
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$recursiveAnchor',
  '$recursiveRef',
]);

/** Draft 7 ignores the keywords beside `$ref`, except those that hold subschemas for others. Ruling 79. */
const siblingKeywords: ReadonlySet<string> = new Set(['$ref', '$defs', 'definitions']);

/** The state and the results of a walk. */
interface SchemaWalk {
  readonly draft: SchemaDialect;
  readonly violations: ShapeViolation[];
  /** All subschemas by their pointers from the root, as `/properties/a`. */
  readonly places: Map<string, unknown>;
  readonly references: { readonly at: string; readonly to: unknown }[];
  /** The instructions of all patterns so far. */
  programSize: number;
}

/** The schema with costs, and the violations of what is not supported. Paths begin at the schema. */
export function walk(
  schema: JsonSchema,
  draft: SchemaDialect,
): { costed: JsonSchema; violations: readonly ShapeViolation[] } {
  const walked: SchemaWalk = {
    draft,
    violations: [],
    places: new Map(),
    references: [],
    programSize: 0,
  };
  // The root may have an `$id`, which no reference can use.
  const { $id: _name, ...unnamed } = schema;
  const costed = withCosts(unnamed, '', walked) as JsonSchema;
  for (const { at, to } of walked.references)
    if (typeof to !== 'string' || !walked.places.has(pointerIn(to)))
      walked.violations.push(
        violationAt(`${at}/$ref`, 'format', 'must point to a subschema of this schema: #/…'),
      );
  walked.violations.push(...misjudged(walked), ...excesses(walked));
  return { costed, violations: walked.violations };
}

/** Uses of `unevaluated…` keywords that ajv would judge wrongly. */
function misjudged({ places }: SchemaWalk): ShapeViolation[] {
  const find = (to: unknown) => (typeof to === 'string' ? places.get(pointerIn(to)) : undefined);
  return [...places].flatMap(([at, schema]) =>
    ['unevaluatedItems', 'unevaluatedProperties'].flatMap((keyword) => {
      if (!isPlain(schema) || schema[keyword] === undefined) return [];
      const sibling = misjudgedNextTo(keyword, schema, find);
      const message = `must NOT be used where ${sibling} is applied to the same value`;
      return sibling === undefined ? [] : [violationAt(`${at}/${keyword}`, 'not', message)];
    }),
  );
}

/** Violations of the limits on subschemas, references and patterns. */
function excesses({ places, references, programSize }: SchemaWalk): ShapeViolation[] {
  const referred = new Set(references.map(({ to }) => to));
  const costed = [...places.values()].filter(isPlain);
  const bounds = [
    [costed.length, subschemaCountMax, 'subschemas'],
    [referred.size, referredCountMax, 'subschemas that are referred to'],
    [programSize, programSizeMax, 'instructions in all patterns together'],
  ] as const;
  return bounds
    .filter(([count, limit]) => count > limit)
    .map(([, limit, what]) =>
      violationAt('', 'maxProperties', `must NOT have more than ${limit} ${what}`, { limit }),
    );
}

function withCosts(schema: unknown, at: string, walked: SchemaWalk): unknown {
  if (isPlain(schema) || typeof schema === 'boolean') walked.places.set(at, schema);
  if (!isPlain(schema)) return schema;
  const applied = appliedOf(schema, walked.draft);
  const members = Object.entries(applied).map(([keyword, value]) => {
    const path = `${at}/${escapedPart(keyword)}`;
    checkKeyword(keyword, value, at, walked);
    return [keyword, memberWithCosts(keyword, value, path, walked)] as const;
  });
  return { ...Object.fromEntries(members), [costKeyword]: costOf(applied) };
}

/** The keywords of a subschema that have an effect. */
function appliedOf(schema: JsonSchema, draft: SchemaDialect): JsonSchema {
  const isReference = draft === draft7 && schema['$ref'] !== undefined;
  const applied = Object.entries(schema).filter(
    ([keyword]) => !isAnnotation(keyword) && (!isReference || siblingKeywords.has(keyword)),
  );
  return Object.fromEntries(applied);
}

function memberWithCosts(
  keyword: string,
  value: unknown,
  path: string,
  walked: SchemaWalk,
): unknown {
  if (mapKeywords.has(keyword) && isPlain(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (keyword === 'patternProperties')
          checkPattern(name, `${path}/${escapedPart(name)}`, walked);
        return [name, withCosts(member, `${path}/${escapedPart(name)}`, walked)];
      }),
    );
  if (!ownKeywords.has(keyword)) return value;
  return Array.isArray(value)
    ? value.map((element, index) => withCosts(element, `${path}/${index}`, walked))
    : withCosts(value, path, walked);
}

function checkKeyword(keyword: string, value: unknown, at: string, walked: SchemaWalk): void {
  const path = `${at}/${escapedPart(keyword)}`;
  if (keyword === '$ref') walked.references.push({ at, to: value });
  if (keyword === 'pattern' && typeof value === 'string') checkPattern(value, path, walked);
  if (keyword === '$id' || refusedKeywords.has(keyword))
    walked.violations.push(violationAt(path, 'not', `must NOT be used`));
  else if (!keywordsOf[walked.draft].has(keyword))
    walked.violations.push(unknownAt(path, keyword, walked.draft));
}

/** Reports an unknown keyword, which JSON Schema ignores, so that its author learns of a typo. Decision 8. */
function unknownAt(path: string, keyword: string, draft: SchemaDialect): ShapeViolation {
  const nearest = nearestKeyword(keyword, draft);
  const message = 'must NOT be used: there is no such keyword';
  return nearest === undefined
    ? violationAt(path, 'not', message)
    : violationAt(path, 'not', `${message}; the nearest one is ${nearest}`, { nearest });
}

function checkPattern(pattern: string, path: string, walked: SchemaWalk): void {
  const { violations } = walked;
  if (pattern.length > patternLengthMax) {
    const message = `must NOT be a pattern of more than ${patternLengthMax} characters`;
    violations.push(violationAt(path, 'maxLength', message, { limit: patternLengthMax }));
    return;
  }
  if (walked.programSize > programSizeMax) return;
  const size = programSizeOf(pattern);
  if (size === undefined)
    violations.push(violationAt(path, 'format', 'must be a pattern of RE2', { format: 'regex' }));
  walked.programSize += size ?? 0;
}

/** The cost of applying a subschema once, without its own subschemas and the data. */
function costOf(schema: JsonSchema): number {
  const own = Object.entries(schema).map(([keyword, value]) =>
    mapKeywords.has(keyword) && isPlain(value)
      ? 1 + Object.keys(value).length
      : ownKeywords.has(keyword)
        ? 1
        : sizeOf(value),
  );
  return own.reduce((sum, size) => sum + size, 1);
}

/** The number of values in a value. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + sizeOf(member), 1);
}

/** A reference as a JSON pointer in the spelling of `escapedPart`; any other reference matches no place. */
function pointerIn(reference: string): string {
  if (!reference.startsWith('#')) return reference;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return reference;
  }
}

function violationAt(
  instancePath: string,
  keyword: string,
  message: string,
  params: ShapeViolation['params'] = {},
): ShapeViolation {
  return { instancePath, schemaPath: `#/${keyword}`, keyword, params, message };
}
