/**
 * Reading several partitions as one, by their sort keys: of each as many items are read ahead as it probably needs.
 * Memory holds what was read ahead, however many are left out. Decision 124.
 */
import { distinctBy } from './distinct.ts';
import { itemsIn } from './read.ts';
import type { Item, Table } from './request.ts';
import type { Deadline } from './retry.ts';

type ListRange = Parameters<typeof itemsIn>[1];

type MergeOptions = Parameters<typeof itemsIn>[3] & {
  readonly countMax: number;
  /** The items to leave out first. */
  readonly skip?: number;
};

/** One of the partitions, and what was read of it and not yet taken. */
interface ListPart {
  readonly range: ListRange;
  items: Item[];
  /** The sort key after which it goes on. */
  after: string | undefined;
  isRead: boolean;
}

/** The items that are read at a time, beside the share of a partition. */
const aheadCount = 4;
const aheadCountMax = 1_000;

/** The first items of all ranges together, in the order of their sort keys. */
export async function mergedIn(
  table: Table,
  ranges: readonly ListRange[],
  deadline: Deadline,
  options: MergeOptions,
): Promise<Item[]> {
  const { countMax, after, skip = 0, newestFirst = false } = options;
  const [only] = ranges;
  if (ranges.length === 1 && only && skip === 0) return itemsIn(table, only, deadline, options);
  const parts = ranges.map((range): ListPart => ({ range, items: [], after, isRead: false }));
  const found: Item[] = [];
  const end = skip + countMax;
  for (let position = 0; position < end; position += 1) {
    if (parts.some(isEmpty)) await readAhead(table, parts, deadline, newestFirst, end - position);
    const next = nextOf(parts, newestFirst);
    if (!next) break;
    if (position >= skip) found.push(next);
  }
  return found;
}

/** The first items of all ranges together, in order, of which several may have the same name: each once. */
export async function distinctIn(
  table: Table,
  ranges: readonly ListRange[],
  deadline: Deadline,
  { countMax, ...options }: MergeOptions,
  nameOf: (item: Item) => string,
): Promise<Item[]> {
  for (let count = countMax; ; count += countMax) {
    const items = await mergedIn(table, ranges, deadline, { ...options, countMax: count });
    const distinct = distinctBy(items, nameOf);
    if (distinct.length >= countMax || items.length < count) return distinct.slice(0, countMax);
  }
}

/** True for a partition of which the next item is not known. */
function isEmpty({ items, isRead }: ListPart): boolean {
  return items.length === 0 && !isRead;
}

async function readAhead(
  table: Table,
  parts: readonly ListPart[],
  deadline: Deadline,
  newestFirst: boolean,
  count: number,
): Promise<void> {
  const share = Math.ceil(count / parts.length) + aheadCount;
  const limit = Math.min(count, share, aheadCountMax);
  const reads = parts.filter(isEmpty).map(async (part) => {
    const after = part.after === undefined ? {} : { after: part.after };
    const options = { newestFirst, countMax: limit, ...after };
    part.items = await itemsIn(table, part.range, deadline, options);
    part.after = part.items.at(-1)?.['sk'] as string | undefined;
    part.isRead = part.items.length < limit;
  });
  await Promise.all(reads);
}

/** Takes the first item of all. */
function nextOf(parts: readonly ListPart[], newestFirst: boolean): Item | undefined {
  let first: ListPart | undefined;
  for (const part of parts) {
    const isFirst = placeOf(part) !== undefined && (!first || isBefore(part, first, newestFirst));
    if (isFirst) first = part;
  }
  return first?.items.shift();
}

function isBefore(one: ListPart, other: ListPart, newestFirst: boolean): boolean {
  const [place = '', otherPlace = ''] = [placeOf(one), placeOf(other)];
  return newestFirst ? place > otherPlace : place < otherPlace;
}

function placeOf({ items }: ListPart): string | undefined {
  return items[0]?.['sk'] as string | undefined;
}
