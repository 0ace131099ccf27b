/** What a request says beside its body: whom it addresses, which record, and which page of a list. */
import { eventFilterPaths } from '../action/events.ts';
import { pageIndexMax, pageLimitDefault, pageLimitMax } from '../action/page.ts';
import { filterPathsOf } from '../ledger/filterable.ts';
import { lineOf } from '../ledger/kind.ts';
import type { Parameter, Reference } from './openapi.ts';
import type { Described } from './operation.ts';

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
    description: 'The handle of the ledger that is addressed; without it, the default one answers.',
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
  filters: {
    name: 'filters',
    in: 'query',
    description: filterWords,
    style: 'form',
    explode: true,
    schema: {
      type: 'object',
      propertyNames: { pattern: '^(data|meta)\\..+' },
      additionalProperties: { anyOf: [text, { type: 'array', items: text }] },
    },
  },
};

/** The parameters of an operation, each by the name of a component. */
export function parametersOf(described: Described): Reference[] {
  const { parameters, query } = described;
  const page = query ? ['page.index', 'page.limit', 'page.cursor'] : [];
  const filters = query === 'filters' ? ['filters'] : [];
  const search = isSearched(described) ? ['search'] : [];
  const include = includesSecret(described) ? ['include'] : [];
  return ['ledger', ...parameters, ...page, ...filters, ...search, ...include].map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
}

/** What a list can be filtered by, in words; undefined for what is not filtered. Ruling 21. */
export function filterWordsOf({ query, answers, kind, of = kind }: Described): string | undefined {
  if (query !== 'filters') return undefined;
  const paths = answers === 'records' && of ? filterPathsOf(of) : eventFilterPaths;
  const names = paths.map((path) => `\`${path.endsWith('.') ? `${path}*` : path}\``);
  return `Can be filtered by ${names.join(', ')}.`;
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
  return { ...fixed, ...Object.fromEntries(entries) };
}

function pathParameter(name: string): Parameter {
  const description = inPath[name] ?? `The ${name}: its luid or handle.`;
  return { name, in: 'path', required: true, description, schema: text };
}
