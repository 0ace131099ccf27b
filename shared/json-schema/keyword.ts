/**
 * The keywords that schemas may use, by draft. All others are refused, even where ajv would accept them: an accepted
 * keyword without effect would mislead its author. Ruling 79, Decision 88.
 */
import { nearestOf } from '../ledger/nearest.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export const draft7 = 'http://json-schema.org/draft-07/schema';
export const draft2020 = 'https://json-schema.org/draft/2020-12/schema';
export type SchemaDialect = typeof draft7 | typeof draft2020;

/** In both drafts; `nullable` comes from OpenAPI 3.0. */
const shared = [
  '$schema',
  '$id',
  '$ref',
  '$defs',
  '$comment',
  'definitions',
  'type',
  'nullable',
  'const',
  'enum',
  'maximum',
  'minimum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'multipleOf',
  'maxLength',
  'minLength',
  'pattern',
  'format',
  'maxProperties',
  'minProperties',
  'required',
  'properties',
  'patternProperties',
  'additionalProperties',
  'propertyNames',
  'dependencies',
  'maxItems',
  'minItems',
  'uniqueItems',
  'items',
  'contains',
  'not',
  'anyOf',
  'oneOf',
  'allOf',
  'if',
  'then',
  'else',
  'title',
  'description',
  'default',
  'examples',
  'readOnly',
  'writeOnly',
  'contentMediaType',
  'contentEncoding',
  'contentSchema',
];

const own: Readonly<Record<SchemaDialect, readonly string[]>> = {
  [draft7]: ['additionalItems'],
  [draft2020]: [
    '$vocabulary',
    'prefixItems',
    'minContains',
    'maxContains',
    'dependentRequired',
    'dependentSchemas',
    'unevaluatedItems',
    'unevaluatedProperties',
  ],
};

/** The keywords that are judged, and the annotations of the standard. */
export const keywordsOf: Readonly<Record<SchemaDialect, ReadonlySet<string>>> = {
  [draft7]: new Set([...shared, ...own[draft7]]),
  [draft2020]: new Set([...shared, ...own[draft2020]]),
};

/** Annotations of OpenAPI. */
const remarks: ReadonlySet<string> = new Set(['example', 'deprecated', 'externalDocs']);

/** True for an annotation without effect, whatever its value. */
export function isAnnotation(keyword: string): boolean {
  return keyword.startsWith('x-') || remarks.has(keyword);
}

/** The closest keyword of a draft to an unknown one; undefined when none is close. */
export function nearestKeyword(keyword: string, draft: SchemaDialect): string | undefined {
  return nearestOf(keyword, [...keywordsOf[draft], ...remarks]);
}
