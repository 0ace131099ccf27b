/**
 * The keywords that schemas may use, by draft: what is judged, and what means nothing and is kept. All else is
 * refused, also where the judge itself would take it: what nobody applies would be a promise. Ruling 79, Decision 88.
 */
import { nearestOf } from '../ledger/nearest.ts';

/** The drafts that a schema may be written in. */
export const draft7 = 'http://json-schema.org/draft-07/schema';
export const draft2020 = 'https://json-schema.org/draft/2020-12/schema';
export type Draft = typeof draft7 | typeof draft2020;

/** Of both drafts; `nullable` is that of OpenAPI 3.0. */
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

const own: Readonly<Record<Draft, readonly string[]>> = {
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

/** The keywords that are judged, and those of the standard that tell people something. */
export const keywordsOf: Readonly<Record<Draft, ReadonlySet<string>>> = {
  [draft7]: new Set([...shared, ...own[draft7]]),
  [draft2020]: new Set([...shared, ...own[draft2020]]),
};

/** What OpenAPI says of a schema to people. */
const remarks: ReadonlySet<string> = new Set(['example', 'deprecated', 'externalDocs']);

/** Whether a keyword is kept and means nothing, whatever it holds. */
export function isRemark(keyword: string): boolean {
  return keyword.startsWith('x-') || remarks.has(keyword);
}

/** The keyword of a draft that is the nearest to one that it does not have; undefined when none is near. */
export function nearestKeyword(keyword: string, draft: Draft): string | undefined {
  return nearestOf(keyword, [...keywordsOf[draft], ...remarks]);
}
