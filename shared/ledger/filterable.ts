/** What the lists of a kind can be filtered by, and how a record looks to a filter. Ruling 21. */
import { isPlain } from './compare.ts';
import { type Kind, lineOf } from './kind.ts';
import type { LedgerRecord } from './record.ts';

/** The paths that every list can be filtered by; all of the author's own words lie below `custom`. */
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
const partyEnd = '.handle';

/** The paths that lists of a kind can be filtered by, without indexes of arrays. */
export function filterPathsOf(kind: Kind): readonly string[] {
  const own = (lineOf(kind).filters ?? []).map((path) => `data.${path}`);
  const parties = partiesOf(kind).flatMap((path) => [path, `${path}${partyEnd}`]);
  return [...commonPaths, ...own, ...parties];
}

/** Where records of a kind name others. */
export function partiesOf(kind: Kind): readonly string[] {
  return (lineOf(kind).parties ?? []).map((path) => `data.${path}`);
}

/** Whether a segment of a path may mean an element of an array. */
export function isIndex(segment: string): boolean {
  return indexSegment.test(segment);
}

/** A path without the segments that may be indexes of arrays: `data.claims.0.amount` is `data.claims.amount`. */
export function withoutIndexes(path: string): string {
  return path
    .split('.')
    .filter((segment) => !isIndex(segment))
    .join('.');
}

/** The path at which a plain record is asked: the handle of a party stands where the party is. */
export function plainPathOf(kind: Kind, path: string): string {
  const party = path.endsWith(partyEnd) ? path.slice(0, -partyEnd.length) : path;
  return partiesOf(kind).includes(withoutIndexes(party)) ? party : path;
}

/** The record with every party as its handle, however it was written. Ruling 45. */
export function plainOf(kind: Kind, record: LedgerRecord): LedgerRecord {
  const paths = lineOf(kind).parties ?? [];
  const data = paths.reduce<unknown>((rest, path) => named(rest, path.split('.')), record.data);
  return { ...record, data: data as LedgerRecord['data'] };
}

/** Whether there are parties below the path, so that what is there is asked for as it was written. */
export function showsParties(kind: Kind, path: string): boolean {
  return partiesOf(kind).some((party) => party.startsWith(`${withoutIndexes(path)}.`));
}

/** The value with what lies at the path as a handle. */
function named(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((element) => named(element, path));
  if (!isPlain(value)) return value;
  const [name, ...rest] = path;
  if (name === undefined) return value['handle'] ?? value;
  return Object.hasOwn(value, name) ? { ...value, [name]: named(value[name], rest) } : value;
}
