/** Parses the query parameters `<path>.$<operator>=<value>` of a list. Ruling 20. */
import { LedgerError } from './errors.ts';
import { filterPathsOf, plainOf, plainPathOf, showsNames, withoutIndexes } from './filterable.ts';
import type { Kind } from './kind.ts';
import { conditionCountMax, type Matcher, type PatternMaker, parseConditions } from './match.ts';
import { nearestOf } from './nearest.ts';
import type { LedgerRecord } from './record.ts';

/** Query parameters; each has all its values, in order. */
export type Query = Readonly<Record<string, readonly string[]>>;

/** Paths that a list can be filtered by. A path that ends with a dot stands for everything below it. */
export type FilterPaths = readonly string[];

/** The query parameters of an operation. */
export interface KnownQuery {
  /** Names. One that ends with a dot stands for everything below it; `name[]` also for `name` and `name[0]`. */
  readonly names: readonly string[];
  /** The paths of its filters; absent where it takes none. */
  readonly paths?: FilterPaths;
}

export interface Filter {
  readonly path: string;
  readonly operator: string;
  readonly operand: string | readonly unknown[];
}

/** The filters of a list, with a test for all of them together. */
export interface Filters {
  readonly all: readonly Filter[];
  readonly matches: (record: LedgerRecord) => boolean;
}

/** The longest name that a refusal repeats. */
const nameLengthMax = 100;
const listOperators: ReadonlySet<string> = new Set(['$in', '$nin']);
/** `data.handle`, `meta.status.$in`, `data.x.$in[]`, `data.x.$in[0]`, `data.x.$in.0`. */
const filterName = /^((?:data|meta)\..*?)(?:\.(\$[a-zA-Z]+)(\.\d{1,9})?)?(?:\[\d*\])?$/;

/**
 * Refuses with `api.query-malformed` the first parameter that an operation does not know, and names the nearest one
 * that it knows. Filters of an operation that takes some are left to `parseFilters`. Ruling 20.
 */
export function assertKnown(query: Query, { names, paths }: KnownQuery): void {
  const isKnown = (name: string) =>
    (paths !== undefined && filterName.test(name)) || names.some((known) => isNamed(known, name));
  const parameter = Object.keys(query).find((name) => !isKnown(name));
  if (parameter === undefined) return;
  const [path = ''] = parameter.split('.$', 1);
  const nearest = nearestIn(path, [...names, ...(paths ?? [])]);
  const detail = `Query parameter '${parameter.slice(0, nameLengthMax)}' is not known`;
  throw new LedgerError(
    'api.query-malformed',
    nearest === undefined ? `${detail}.` : `${detail}; the nearest one is '${nearest}'.`,
    { parameter: parameter.slice(0, nameLengthMax), ...(nearest !== undefined && { nearest }) },
  );
}

/** The nearest whole name; without one, the name whose last part is the nearest, as `page.limit` to `limit`. */
function nearestIn(written: string, known: readonly string[]): string | undefined {
  const whole = known.filter((one) => !one.endsWith('.')).map((one) => one.replace('[]', ''));
  const lastParts = new Map(
    whole.map((one) => [one.slice(one.lastIndexOf('.') + 1), one] as const).reverse(),
  );
  const part = nearestOf(written, [...lastParts.keys()].reverse());
  return nearestOf(written, whole) ?? lastParts.get(part ?? '');
}

/** True when a known name, as in `KnownQuery`, stands for a written one. */
export function isNamed(known: string, name: string): boolean {
  if (known.endsWith('.')) return name.startsWith(known);
  return known.endsWith('[]')
    ? name.replace(/\[\d*\]$/, '') === known.slice(0, -'[]'.length)
    : name === known;
}

/**
 * The matcher of all filters in a query; undefined when it has none. Only parameters that begin with `data.` or `meta.`
 * are filters. Throws `api.query-malformed`, naming every unsupported path, or the first filter that cannot be parsed.
 */
export function parseFilters(
  query: Query,
  supported: FilterPaths,
  patternMaker: PatternMaker,
): Matcher | undefined {
  const filters = filtersIn(query);
  assertSupported(filters, supported);
  if (filters.length === 0) return undefined;
  const matchers = filters.map((filter) => matcherOf(filter, patternMaker));
  return (subject) => matchers.every((matches) => matches(subject));
}

/**
 * The filters of a list of one kind. A named wallet, symbol or bridge matches by handle, with or without `.handle` in
 * the path; a whole claim matches as it was sent. `more`: further paths. Throws as `parseFilters` does. Ruling 21.
 */
export function parseKindFilters(
  kind: Kind,
  query: Query,
  patternMaker: PatternMaker,
  more: FilterPaths = [],
): Filters {
  const written = filtersIn(query);
  assertSupported(written, [...filterPathsOf(kind), ...more]);
  const all = written.map((filter) => ({ ...filter, path: plainPathOf(kind, filter.path) }));
  const tests = all.map((filter) => {
    const matches = matcherOf(filter, patternMaker);
    const isWritten = showsNames(kind, filter.path);
    return (record: LedgerRecord, plain: LedgerRecord) => matches(isWritten ? record : plain);
  });
  const matches = (record: LedgerRecord): boolean => {
    const plain = plainOf(kind, record);
    return tests.every((test) => test(record, plain));
  };
  return { all, matches };
}

/** The filters of a query. A list whose values are spread over several parameters is one filter. */
function filtersIn(query: Query): Filter[] {
  const filters = new Map<string, Filter>();
  for (const [name, values] of Object.entries(query)) {
    const filter = filterOf(name, values);
    if (!filter) continue;
    const known = listOperators.has(filter.operator) ? `${filter.path}\n${filter.operator}` : name;
    const operand = [...(filters.get(known)?.operand ?? []), ...filter.operand];
    filters.set(known, known === name ? filter : { ...filter, operand });
  }
  if (filters.size > conditionCountMax) {
    const detail = `A list takes at most ${conditionCountMax} filters.`;
    throw new LedgerError('api.query-malformed', detail, { count: filters.size });
  }
  return [...filters.values()];
}

function filterOf(name: string, values: readonly string[]): Filter | undefined {
  const [, path, operator = '$eq', index] = filterName.exec(name) ?? [];
  if (path === undefined) return undefined;
  if (listOperators.has(operator)) return { path, operator, operand: values.flatMap(listOf) };
  const [value = '', ...more] = values;
  if (more.length > 0 || index) throw malformed(`Filter '${name}' takes one value.`, name);
  return { path, operator, operand: wholeArrayOf(value) ?? value };
}

/** The members of `["a","b"]`, or the text alone. */
function listOf(value: string): readonly unknown[] {
  return wholeArrayOf(value) ?? [value];
}

/** An array written as JSON; undefined for any other text. */
function wholeArrayOf(value: string): readonly unknown[] | undefined {
  if (!value.startsWith('[')) return undefined;
  try {
    return JSON.parse(value) as readonly unknown[];
  } catch {
    return undefined;
  }
}

function assertSupported(filters: readonly Filter[], supported: FilterPaths): void {
  const paths = [...new Set(filters.map(({ path }) => path))];
  const unsupported = paths.filter((path) => !supported.some((one) => covers(one, path)));
  if (unsupported.length > 0) throw unsupportedFilters(unsupported, supported);
}

function unsupportedFilters(paths: readonly string[], supported: FilterPaths): LedgerError {
  const [path = '', ...others] = paths;
  const nearest = others.length > 0 ? undefined : nearestIn(path, supported);
  const detail = `Unsupported filters: ${paths.map((one) => `'${one}'`).join(', ')}`;
  return new LedgerError(
    'api.query-malformed',
    nearest === undefined ? detail : `${detail}; the nearest one is '${nearest}'`,
    { filters: paths, ...(nearest !== undefined && { nearest }) },
  );
}

function covers(supported: string, path: string): boolean {
  return supported.endsWith('.')
    ? path.startsWith(supported) && path.length > supported.length
    : withoutIndexes(path) === supported;
}

function matcherOf({ path, operator, operand }: Filter, patternMaker: PatternMaker): Matcher {
  try {
    // A query has texts only, and `$exists` takes a boolean.
    const isFlag = operator === '$exists' && (operand === 'true' || operand === 'false');
    const value = isFlag ? operand === 'true' : operand;
    return parseConditions({ [path]: { [operator]: value } }, patternMaker);
  } catch (error) {
    // Here conditions come from a query, so their error is reported as a query error.
    throw malformed((error as LedgerError).detail, path);
  }
}

function malformed(detail: string, filter: string): LedgerError {
  return new LedgerError('api.query-malformed', detail, { filter });
}
