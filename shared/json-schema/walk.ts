/**
 * Walks a JSON Schema that somebody else has written: finds each of its subschemas, says what cannot be
 * taken on, and gives each a price for being applied. What lies elsewhere is no schema, and nothing in
 * it is ever applied. Decision 27.
 */
import { isPlain } from '../ledger/compare.ts';
import { escapedPart, type Violation } from '../ledger/violation.ts';
import { misjudgedBeside } from './evaluated.ts';
import { type Draft, draft7, isRemark, keywordsOf, nearestKeyword } from './keyword.ts';
import { programSizeOf } from './pattern.ts';

type Schema = Readonly<Record<string, unknown>>;

const subschemaCountMax = 500;
/** Each is compiled inside of the one that refers to it, and the stack has an end. */
const referredCountMax = 64;
const patternLengthMax = 256;
/** Of all patterns together: what they cost is their compilation, before anything is judged. */
const programSizeMax = 10_000;

/** The keyword that holds the price of a subschema; nobody else can write it. */
export const price = 'price';

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

/** Names for places, and what looks them up while data is judged: a pointer says the same. */
const refusedKeywords: ReadonlySet<string> = new Set([
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$recursiveAnchor',
  '$recursiveRef',
]);

/** What stands beside `$ref` in draft 7 is ignored, but for the places that others refer to. Ruling 79. */
const besideReference: ReadonlySet<string> = new Set(['$ref', '$defs', 'definitions']);

/** What was found on a walk. */
interface Walk {
  readonly draft: Draft;
  readonly violations: Violation[];
  /** All subschemas by their pointers, from the root: `/properties/a`. */
  readonly places: Map<string, unknown>;
  readonly references: { readonly at: string; readonly to: unknown }[];
  /** How many instructions all patterns are. */
  programSize: number;
}

/** The schema with prices; or why it cannot be taken on. Paths begin at the schema. */
export function walk(
  schema: Schema,
  draft: Draft,
): { priced: Schema; violations: readonly Violation[] } {
  const walked: Walk = { draft, violations: [], places: new Map(), references: [], programSize: 0 };
  // The root may have a name of its own, and nobody knows it by that one.
  const { $id: _name, ...unnamed } = schema;
  const priced = pricedOf(unnamed, '', walked) as Schema;
  for (const { at, to } of walked.references)
    if (typeof to !== 'string' || !walked.places.has(pointerIn(to)))
      walked.violations.push(
        violationAt(`${at}/$ref`, 'format', 'must point to a subschema of this schema: #/…'),
      );
  walked.violations.push(...misjudged(walked), ...excesses(walked));
  return { priced, violations: walked.violations };
}

/** What the judge would get wrong. */
function misjudged({ places }: Walk): Violation[] {
  const find = (to: unknown) => (typeof to === 'string' ? places.get(pointerIn(to)) : undefined);
  return [...places].flatMap(([at, schema]) =>
    ['unevaluatedItems', 'unevaluatedProperties'].flatMap((keyword) => {
      if (!isPlain(schema) || schema[keyword] === undefined) return [];
      const beside = misjudgedBeside(keyword, schema, find);
      const message = `must NOT be used where ${beside} is applied to the same value`;
      return beside === undefined ? [] : [violationAt(`${at}/${keyword}`, 'not', message)];
    }),
  );
}

/** Where a schema has too much of something. */
function excesses({ places, references, programSize }: Walk): Violation[] {
  const referred = new Set(references.map(({ to }) => to));
  const priced = [...places.values()].filter(isPlain);
  const bounds = [
    [priced.length, subschemaCountMax, 'subschemas'],
    [referred.size, referredCountMax, 'subschemas that are referred to'],
    [programSize, programSizeMax, 'instructions in all patterns together'],
  ] as const;
  return bounds
    .filter(([count, limit]) => count > limit)
    .map(([, limit, what]) =>
      violationAt('', 'maxProperties', `must NOT have more than ${limit} ${what}`, { limit }),
    );
}

function pricedOf(schema: unknown, at: string, walked: Walk): unknown {
  if (isPlain(schema) || typeof schema === 'boolean') walked.places.set(at, schema);
  if (!isPlain(schema)) return schema;
  const applied = appliedOf(schema, walked.draft);
  const members = Object.entries(applied).map(([keyword, value]) => {
    const path = `${at}/${escapedPart(keyword)}`;
    checkKeyword(keyword, value, at, walked);
    return [keyword, pricedMember(keyword, value, path, walked)] as const;
  });
  return { ...Object.fromEntries(members), [price]: priceOf(applied) };
}

/** The keywords of a subschema that mean something. */
function appliedOf(schema: Schema, draft: Draft): Schema {
  const isReference = draft === draft7 && schema['$ref'] !== undefined;
  const applied = Object.entries(schema).filter(
    ([keyword]) => !isRemark(keyword) && (!isReference || besideReference.has(keyword)),
  );
  return Object.fromEntries(applied);
}

function pricedMember(keyword: string, value: unknown, path: string, walked: Walk): unknown {
  if (mapKeywords.has(keyword) && isPlain(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (keyword === 'patternProperties')
          checkPattern(name, `${path}/${escapedPart(name)}`, walked);
        return [name, pricedOf(member, `${path}/${escapedPart(name)}`, walked)];
      }),
    );
  if (!ownKeywords.has(keyword)) return value;
  return Array.isArray(value)
    ? value.map((element, index) => pricedOf(element, `${path}/${index}`, walked))
    : pricedOf(value, path, walked);
}

function checkKeyword(keyword: string, value: unknown, at: string, walked: Walk): void {
  const path = `${at}/${escapedPart(keyword)}`;
  if (keyword === '$ref') walked.references.push({ at, to: value });
  if (keyword === 'pattern' && typeof value === 'string') checkPattern(value, path, walked);
  if (keyword === '$id' || refusedKeywords.has(keyword))
    walked.violations.push(violationAt(path, 'not', `must NOT be used`));
  else if (!keywordsOf[walked.draft].has(keyword))
    walked.violations.push(unknownAt(path, keyword, walked.draft));
}

/** A typo would never be told, since JSON Schema passes over what it does not know. Decision 8. */
function unknownAt(path: string, keyword: string, draft: Draft): Violation {
  const nearest = nearestKeyword(keyword, draft);
  const message = 'must NOT be used: there is no such keyword';
  return nearest === undefined
    ? violationAt(path, 'not', message)
    : violationAt(path, 'not', `${message}; the nearest one is ${nearest}`, { nearest });
}

function checkPattern(pattern: string, path: string, walked: Walk): void {
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

/** What it costs to apply a subschema once, less what its own subschemas and the data cost. */
function priceOf(schema: Schema): number {
  const own = Object.entries(schema).map(([keyword, value]) =>
    mapKeywords.has(keyword) && isPlain(value)
      ? 1 + Object.keys(value).length
      : ownKeywords.has(keyword)
        ? 1
        : sizeOf(value),
  );
  return own.reduce((sum, size) => sum + size, 1);
}

/** How many values there are in a value. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + sizeOf(member), 1);
}

/** The pointer that a reference is, as `escapedPart` writes it; of no place when it leads elsewhere. */
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
  params: Violation['params'] = {},
): Violation {
  return { instancePath, schemaPath: `#/${keyword}`, keyword, params, message };
}
