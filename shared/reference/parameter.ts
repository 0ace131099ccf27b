/** What a request says beside its body: whom it addresses, which record, and which page of a list. */
import { eventFilterPaths } from '../action/events.ts';
import { filterPathsOf } from '../ledger/filterable.ts';
import { lineOf } from '../ledger/kind.ts';
import { pageIndexMax, pageLimitDefault, pageLimitMax } from '../query/page.ts';
import type { Parameter, Reference } from './openapi.ts';
import { type Described, typeNameOf } from './operation.ts';

const inPath: Readonly<Record<string, string>> = {
  id: 'The record: its luid, its handle or its address, URL-encoded.',
  signer: 'The signer: its luid or handle.',
  link: 'The link: its luid, or the handle of its signer.',
  delivery: 'The delivery: its luid, or the handle of its event.',
  change: 'The number of the change, from 1.',
  asset: 'The handle of the asset.',
};

const filterWords = [
  'Filters, one parameter each: `<path>.$<operator>=<value>`, all of which must hold. The path is that of a',
  'member of the answered records, as `data.handle` or `meta.status`; an index addresses one element of an',
  'array, and without one any element may match. Operators: `$eq` (unless said), `$ne`, `$gt`, `$gte`, `$lt`,',
  '`$lte`, `$in`, `$nin` and `$regex`. `$in` and `$nin` take their values as `f.$in=a&f.$in=b`, `f.$in[]=a`,',
  '`f.$in[0]=a`, `f.$in.0=a` or `f.$in=["a","b"]`. A path that the list does not support is refused, and named.',
].join(' ');

const text = { type: 'string' } as const;

const fixed: Readonly<Record<string, Parameter>> = {
  ledger: {
    name: 'x-ledger',
    in: 'header',
    description:
      'The handle or the luid of the ledger that is addressed; without it, the default one answers.',
    schema: text,
  },
  'page.index': {
    name: 'page.index',
    in: 'query',
    description: 'The number of the page, 0 unless said.',
    schema: { type: 'integer', minimum: 0, maximum: pageIndexMax },
  },
  'page.limit': {
    name: 'page.limit',
    in: 'query',
    description: `How many records a page holds, ${pageLimitDefault} unless said.`,
    schema: { type: 'integer', minimum: 1, maximum: pageLimitMax },
  },
  'page.cursor': {
    name: 'page.cursor',
    in: 'query',
    description:
      'Where the page begins: the `page.next` of the page before it, in place of `page.index`; empty for the beginning.',
    schema: text,
  },
  search: {
    name: '$plainTextQuery',
    in: 'query',
    description:
      'Words that must all occur in the record, each as a whole, in either case; may be combined with filters.',
    schema: text,
  },
  include: {
    name: 'include',
    in: 'query',
    description:
      '`meta.secret` makes a new secret for client credentials and tells it once; all else is ignored.',
    schema: { type: 'array', items: text },
  },
};

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'regex'];
/** What may follow a path: an operator, and where that takes many values, their places. Ruling 20. */
const operatorPattern = `(\\.\\$(${operators.join('|')})|\\.\\$n?in\\.\\d{1,9})?(\\[\\d*\\])?`;

/** The filters of one list: each path that it supports, with whatever operator, and nothing else. Ruling 21. */
function filtersOf(paths: readonly string[]): Parameter {
  const value = { anyOf: [text, { type: 'array', items: text }] };
  const whole = paths.filter((path) => !path.endsWith('.'));
  return {
    name: 'filters',
    in: 'query',
    description: filterWords,
    style: 'form',
    explode: true,
    schema: {
      type: 'object',
      properties: Object.fromEntries(whole.map((path) => [path, value])),
      propertyNames: { pattern: `^(${paths.map(patternOf).join('|')})${operatorPattern}$` },
      additionalProperties: value,
    },
  };
}

/** The pattern of a path; an index may stand behind each of its members, and anything behind a dot at its end. */
function patternOf(path: string): string {
  if (path.endsWith('.')) return `${path.replaceAll('.', '\\.')}.+?`;
  return path.split('.').join('(\\.\\d{1,9})*\\.').concat('(\\.\\d{1,9})*');
}

/** The parameters of an operation, each by the name of a component. */
export function parametersOf(described: Described): Reference[] {
  const { parameters, query } = described;
  const page = query ? ['page.index', 'page.limit', 'page.cursor'] : [];
  const filters = query === 'filters' ? [filterNameOf(described)] : [];
  const search = isSearched(described) ? ['search'] : [];
  const include = includesSecret(described) ? ['include'] : [];
  return ['ledger', ...parameters, ...page, ...filters, ...search, ...include].map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
}

/** What a list can be filtered by, in words; undefined for what is not filtered. Ruling 21. */
export function filterWordsOf(described: Described): string | undefined {
  if (described.query !== 'filters') return undefined;
  const names = filterPathsIn(described).map(
    (path) => `\`${path.endsWith('.') ? `${path}*` : path}\``,
  );
  return `Can be filtered by ${names.join(', ')}.`;
}

type Listed = Pick<Described, 'answers' | 'kind' | 'of'>;

/** The paths that a list can be filtered by: those of its records, or those of deliveries. */
function filterPathsIn({ answers, kind, of = kind }: Listed): readonly string[] {
  return answers === 'records' && of ? filterPathsOf(of) : eventFilterPaths;
}

/** The component that the filters of a list are: `walletFilters`. */
function filterNameOf({ answers, kind, of = kind }: Listed): string {
  const name = answers === 'records' && of ? typeNameOf(of) : 'Delivery';
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}Filters`;
}

/** Whether a list takes a full-text search. Interface, Querying. */
function isSearched({ query, answers, kind, of }: Described): boolean {
  const isOwn = query === 'filters' && answers === 'records' && of === undefined;
  return isOwn && kind !== undefined && lineOf(kind).searched === true;
}

/** Whether an update can ask for a secret. Ruling 28. */
function includesSecret({ kind, body }: Described): boolean {
  return kind === 'signer-factor' && body === 'update';
}

/** The components that the parameters of these operations are. */
export function parameterComponents(all: readonly Described[]): Record<string, Parameter> {
  const names = [...new Set(all.flatMap(({ parameters }) => parameters))].sort();
  const entries = names.map((name) => [name, pathParameter(name)] as const);
  const filters = all
    .filter(({ query }) => query === 'filters')
    .map((described) => [filterNameOf(described), filtersOf(filterPathsIn(described))] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...fixed, ...Object.fromEntries(entries), ...Object.fromEntries(filters) };
}

function pathParameter(name: string): Parameter {
  const description = inPath[name] ?? `The ${name}: its luid or handle.`;
  return { name, in: 'path', required: true, description, schema: text };
}
