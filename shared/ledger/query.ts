/**
 * Filters of a list, from query parameters to one matcher: `<path>.$<operator>=<value>`, all of which
 * must hold. Interface, Querying; Ruling 20.
 */
import { LedgerError } from './errors.ts';
import { type Matcher, type PatternMaker, parseConditions } from './match.ts';

/** Query parameters, each with all its values, in order. */
export type Query = Readonly<Record<string, readonly string[]>>;

/** The paths that a list can be filtered by: whole, or everything below one that ends with a dot. */
export type FilterPaths = readonly string[];

interface Filter {
  readonly path: string;
  readonly operator: string;
  readonly operand: string | readonly unknown[];
}

const listOperators: ReadonlySet<string> = new Set(['$in', '$nin']);
/** `data.handle`, `meta.status.$in`, `data.x.$in[]`, `data.x.$in[0]`. */
const filterName = /^((?:data|meta)\..*?)(?:\.(\$[a-zA-Z]+))?(?:\[\d*\])?$/;

/**
 * The matcher of all filters in a query; undefined when it has none. Parameters that begin neither with
 * `data.` nor with `meta.` are not filters. Refuses with `api.query-malformed`, naming every path that
 * the list does not support, or the first filter that cannot be read.
 */
export function parseFilters(
  query: Query,
  supported: FilterPaths,
  patternMaker: PatternMaker,
): Matcher | undefined {
  const filters = Object.entries(query).flatMap(([name, values]) => filterOf(name, values) ?? []);
  assertSupported(filters, supported);
  if (filters.length === 0) return undefined;
  const matchers = filters.map((filter) => matcherOf(filter, patternMaker));
  return (subject) => matchers.every((matches) => matches(subject));
}

function filterOf(name: string, values: readonly string[]): Filter | undefined {
  const [, path, operator = '$eq'] = filterName.exec(name) ?? [];
  if (path === undefined) return undefined;
  if (listOperators.has(operator)) return { path, operator, operand: values.flatMap(listOf) };
  const [value = '', ...more] = values;
  if (more.length > 0) throw malformed(`Filter '${name}' takes one value.`, name);
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
  if (unsupported.length > 0)
    throw new LedgerError(
      'api.query-malformed',
      `Unsupported filters: ${unsupported.map((path) => `'${path}'`).join(', ')}`,
      { filters: unsupported },
    );
}

function covers(supported: string, path: string): boolean {
  return supported.endsWith('.')
    ? path.startsWith(supported) && path.length > supported.length
    : path === supported;
}

function matcherOf({ path, operator, operand }: Filter, patternMaker: PatternMaker): Matcher {
  try {
    return parseConditions({ [path]: { [operator]: operand } }, patternMaker);
  } catch (error) {
    // Conditions refuse in the words of a record that holds them; here they are a query.
    throw malformed((error as LedgerError).detail, path);
  }
}

function malformed(detail: string, filter: string): LedgerError {
  return new LedgerError('api.query-malformed', detail, { filter });
}
