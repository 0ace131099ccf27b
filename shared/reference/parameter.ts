/** Parameters of operations: the ledger, the record, and the page, filters and search of a list. */
import { eventFilterPaths } from '../action/events.ts';
import { filterPathsOf, historyPathsOf } from '../ledger/filterable.ts';
import { lineOf } from '../ledger/kind.ts';
import { sumGroups } from '../ledger/sum.ts';
import { pageIndexMax, pageLimitDefault, pageLimitMax } from '../query/page.ts';
import type { Parameter, Reference } from './openapi.ts';
import { type OperationInfo, typeNameOf } from './operation.ts';

const inPath: Readonly<Record<string, string>> = {
  id: 'The record: its luid, handle or address, URL-encoded.',
  signer: 'The signer: its luid or handle.',
  link: 'The link: its luid, or the handle of its signer.',
  delivery: 'The delivery: its luid, or the handle of its event.',
  change: 'The number of the change, from 1.',
  asset: 'The handle of the asset.',
  level: 'The level of the tile, or `entries`.',
  part1: 'The first segment of the path of a tile: `x` and three digits, or the last three digits.',
  part2: 'The second segment.',
  part3: 'The third segment.',
  part4: 'The fourth segment.',
  page: 'The name of the page.',
  file: 'The name of the file, as the pages have it.',
};

const filterTexts = [
  'Filters, one parameter each: `<path>.$<operator>=<value>`. All must hold. The path names a member of the records in',
  'the answer, such as `data.handle` or `meta.status`; an index selects one element of an array, and without one any',
  'element may match. Operators: `$eq` (default), `$ne`, `$gt`, `$gte`, `$lt`, `$lte`, `$in`, `$nin`, `$regex` and',
  '`$exists`, which takes `true` or `false`.',
  '`$in` and `$nin` take their values as `f.$in=a&f.$in=b`, `f.$in[]=a`, `f.$in[0]=a`, `f.$in.0=a` or',
  '`f.$in=["a","b"]`. A path that the list does not support is an error, which names it.',
].join(' ');

const text = { type: 'string' } as const;
const moment = { type: 'string', format: 'date-time' } as const;

const fixed: Readonly<Record<string, Parameter>> = {
  ledger: {
    name: 'x-ledger',
    in: 'header',
    description: 'The handle or luid of the ledger; without it, the default ledger answers.',
    schema: text,
  },
  'page.index': {
    name: 'page.index',
    in: 'query',
    description: 'The number of the page, 0 by default.',
    schema: { type: 'integer', minimum: 0, maximum: pageIndexMax },
  },
  'page.limit': {
    name: 'page.limit',
    in: 'query',
    description: `The most records on a page, ${pageLimitDefault} by default.`,
    schema: { type: 'integer', minimum: 1, maximum: pageLimitMax },
  },
  'page.cursor': {
    name: 'page.cursor',
    in: 'query',
    description:
      'The start of the page, in place of `page.index`: the `page.next` of the page before, or empty for the first page.',
    schema: text,
  },
  search: {
    name: '$plainTextQuery',
    in: 'query',
    description:
      'Words that must all occur, each as a whole word, in either case, in the handle, schema or status of an intent, or in the action, source, target or symbol of its claims; of an address, each part is a word. The handle of the ledger is a word of every intent. `custom` is not searched: filter by `data.custom.<path>`. Can be combined with filters.',
    schema: text,
  },
  moment: {
    name: 'moment',
    in: 'query',
    description:
      'The moment of the balances, ISO 8601 with a time zone; not in the future, and not before the ledger.',
    schema: moment,
  },
  symbol: {
    name: 'symbol',
    in: 'query',
    required: true,
    description: 'The handle of the symbol.',
    schema: text,
  },
  'symbol.one': {
    name: 'symbol',
    in: 'query',
    description: 'The handle of a symbol; without it, all symbols.',
    schema: text,
  },
  group: {
    name: 'group',
    in: 'query',
    description: 'Sums by symbol (the default), or by the domain or the schema of the wallets too.',
    schema: { type: 'string', enum: [...sumGroups] },
  },
  luid: {
    name: 'luid',
    in: 'query',
    required: true,
    description: 'The luid of the record.',
    schema: text,
  },
  'change.of': {
    name: 'change',
    in: 'query',
    required: true,
    description: 'The number of the change, from 1.',
    schema: { type: 'integer', minimum: 0 },
  },
  cosigned: {
    name: 'cosigned',
    in: 'query',
    description:
      '`true` for the newest checkpoint that a witness has cosigned, in place of the newest one.',
    schema: { type: 'boolean' },
  },
  'size.from': {
    name: 'from',
    in: 'query',
    required: true,
    description: 'The size of the older tree.',
    schema: { type: 'integer', minimum: 0 },
  },
  'size.to': {
    name: 'to',
    in: 'query',
    description: 'The size of the newer tree; by default that of the newest checkpoint.',
    schema: { type: 'integer', minimum: 0 },
  },
  from: {
    name: 'from',
    in: 'query',
    description:
      'The first moment of the entries, ISO 8601 with a time zone; by default the first of all.',
    schema: moment,
  },
  to: {
    name: 'to',
    in: 'query',
    description:
      'The moment before which the entries end, ISO 8601 with a time zone; by default now.',
    schema: moment,
  },
  'include.holds': {
    name: 'include',
    in: 'query',
    description: '`holds` shows also what was reserved and released.',
    schema: { type: 'string', enum: ['holds'] },
  },
  'include.leaf': {
    name: 'include',
    in: 'query',
    description:
      '`leaf` shows in `meta.leaf` the index of the change in the log, once it is there.',
    schema: { type: 'string', enum: ['leaf'] },
  },
  include: {
    name: 'include',
    in: 'query',
    description:
      '`meta.secret` makes a new secret of client credentials, which only this answer shows; other values are ignored.',
    schema: { type: 'array', items: text },
  },
};

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'regex', 'exists'];
/** The end of a filter's name: an operator, and the index of a value where it takes many. Ruling 20. */
const operatorPattern = `(\\.\\$(${operators.join('|')})|\\.\\$n?in\\.\\d{1,9})?(\\[\\d*\\])?`;

/** The filters of one list: the paths that it supports, with any operator. Ruling 21. */
function filtersOf(paths: readonly string[]): Parameter {
  const value = { anyOf: [text, { type: 'array', items: text }] };
  const whole = paths.filter((path) => !path.endsWith('.'));
  return {
    name: 'filters',
    in: 'query',
    description: filterTexts,
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

/** The pattern of a path. Each member may have an index; a path that ends in a dot takes any rest. */
function patternOf(path: string): string {
  if (path.endsWith('.')) return `${path.replaceAll('.', '\\.')}.+?`;
  return path.split('.').join('(\\.\\d{1,9})*\\.').concat('(\\.\\d{1,9})*');
}

/** The parameters of an operation, as references to components. */
export function parametersOf(described: OperationInfo): Reference[] {
  const { parameters, query, takes = [] } = described;
  const page = query ? ['page.index'] : [];
  if (query === 'page' || query === 'filters') page.push('page.limit', 'page.cursor');
  const filters = query === 'filters' ? [filterNameOf(described)] : [];
  const search = isSearched(described) ? ['search'] : [];
  const include = includesSecret(described) ? ['include'] : [];
  return ['ledger', ...parameters, ...page, ...takes, ...filters, ...search, ...include].map(
    (name) => ({
      $ref: `#/components/parameters/${name}`,
    }),
  );
}

/** The paths by which a list can be filtered, as text; undefined for other operations. Ruling 21. */
export function filterTextOf(described: OperationInfo): string | undefined {
  if (described.query !== 'filters') return undefined;
  const names = filterPathsIn(described).map(
    (path) => `\`${path.endsWith('.') ? `${path}*` : path}\``,
  );
  return `Can be filtered by ${names.join(', ')}.`;
}

type Listed = Pick<OperationInfo, 'answers' | 'kind' | 'of'>;

function filterPathsIn({ answers, kind, of = kind }: Listed): readonly string[] {
  if (answers === 'changes' && kind) return historyPathsOf(kind);
  return of && (answers === 'records' || areOfWallets(answers))
    ? filterPathsOf(of)
    : eventFilterPaths;
}

/** The name of the component, such as `walletFilters`. */
function filterNameOf({ answers, kind, of = kind }: Listed): string {
  const title = of ? typeNameOf(of) : '';
  const names: Partial<Record<string, string>> = { records: title, changes: `${title}Change` };
  const name = areOfWallets(answers) ? title : (names[answers ?? ''] ?? 'Delivery');
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}Filters`;
}

/** True for balances of many wallets, which are filtered as these. Ruling 85. */
function areOfWallets(answers: Listed['answers']): boolean {
  return answers === 'all-balances' || answers === 'sums';
}

/** True for a list that takes a full-text search. Ruling 23. */
function isSearched({ query, answers, kind, of }: OperationInfo): boolean {
  const isOwn = query === 'filters' && answers === 'records' && of === undefined;
  return isOwn && kind !== undefined && lineOf(kind).searched === true;
}

/** True for an update that can make a new secret. Ruling 28. */
function includesSecret({ kind, body }: OperationInfo): boolean {
  return kind === 'signer-factor' && body === 'update';
}

export function parameterComponents(all: readonly OperationInfo[]): Record<string, Parameter> {
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
