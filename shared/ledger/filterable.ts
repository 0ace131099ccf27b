/** Names the paths by which lists of a kind can be filtered, and presents records to those filters. Ruling 21. */
import { isPlain } from './compare.ts';
import { type Kind, lineOf } from './kind.ts';
import type { LedgerRecord } from './record.ts';

/** The paths of every list. Everything below `custom` can be filtered, since authors define it. */
const commonPaths = [
  'data.handle',
  'data.schema',
  'data.custom.',
  'meta.status',
  'meta.labels',
  'meta.domain',
  'meta.moment',
] as const;

const indexSegment = /^(0|[1-9]\d{0,8})$/;
const handleEnd = '.handle';

/** The paths of the lists of a kind, without array indexes. */
export function filterPathsOf(kind: Kind): readonly string[] {
  const own = (lineOf(kind).filters ?? []).map((path) => `data.${path}`);
  const paths = namingPathsOf(kind).flatMap((path) => [path, `${path}${handleEnd}`]);
  return [...commonPaths, ...own, ...paths];
}

/** The further paths of a history. */
export const changePaths = ['meta.action', 'meta.change'];

/** The paths of the histories of a kind. */
export function historyPathsOf(kind: Kind): readonly string[] {
  return [...filterPathsOf(kind), ...changePaths];
}

/** The paths at which records of a kind name wallets, symbols or bridges, by handle or by object. */
export function namingPathsOf(kind: Kind): readonly string[] {
  return (lineOf(kind).namingPaths ?? []).map((path) => `data.${path}`);
}

/** True for a path segment that may be an array index. */
export function isIndex(segment: string): boolean {
  return indexSegment.test(segment);
}

/** A path without array indexes: `data.claims.0.amount` becomes `data.claims.amount`. */
export function withoutIndexes(path: string): string {
  return path
    .split('.')
    .filter((segment) => !isIndex(segment))
    .join('.');
}

/** The same path in the result of `plainOf`, where a handle replaces the object that contained it. */
export function plainPathOf(kind: Kind, path: string): string {
  const parent = path.endsWith(handleEnd) ? path.slice(0, -handleEnd.length) : path;
  return namingPathsOf(kind).includes(withoutIndexes(parent)) ? parent : path;
}

/** The record with a handle for each object that names a wallet, symbol or bridge. Ruling 45. */
export function plainOf(kind: Kind, record: LedgerRecord): LedgerRecord {
  const paths = lineOf(kind).namingPaths ?? [];
  const data = paths.reduce<unknown>((rest, path) => plainAt(rest, path.split('.')), record.data);
  return { ...record, data: data as LedgerRecord['data'] };
}

/** True for a path above a named wallet, symbol or bridge: a filter on it sees the value as it was sent. */
export function showsNames(kind: Kind, path: string): boolean {
  return namingPathsOf(kind).some((parent) => parent.startsWith(`${withoutIndexes(path)}.`));
}

/** The value, with the object at the path replaced by its handle. */
function plainAt(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((element) => plainAt(element, path));
  if (!isPlain(value)) return value;
  const [name, ...rest] = path;
  if (name === undefined) return value['handle'] ?? value;
  return Object.hasOwn(value, name) ? { ...value, [name]: plainAt(value[name], rest) } : value;
}
