/**
 * Reading several partitions as one, by their sort keys: of each as many items are read ahead as it probably needs.
 * Memory holds what was read ahead, however many are left out. Decision 124.
 */
import type { KeyRange } from './keys.ts';
import { itemsIn } from './read.ts';
import { type Item, query, type Table } from './request.ts';
import { type Deadline, repeating } from './retry.ts';

interface MergeOptions {
  readonly newestFirst?: boolean;
  readonly countMax: number;
  /** The sort key after which to begin. */
  readonly after?: string;
  /** The items to leave out first. */
  readonly skip?: number;
}

type Range = KeyRange | { readonly pk: string };

/** One of the partitions, and what was read of it and not yet taken. */
interface Lane {
  readonly range: Range;
  readonly items: Item[];
  start: Item | undefined;
  isRead: boolean;
}

/** The items that are read at a time, beside the share of a partition. */
const aheadCount = 4;
const aheadCountMax = 1_000;

/** The first items of all ranges together, in the order of their sort keys. */
export async function mergedIn(
  table: Table,
  ranges: readonly Range[],
  deadline: Deadline,
  options: MergeOptions,
): Promise<Item[]> {
  const { countMax, after, skip = 0, newestFirst = false } = options;
  const [only] = ranges;
  if (ranges.length === 1 && only && skip === 0) return itemsIn(table, only, deadline, options);
  const lanes = ranges.map((range): Lane => {
    const start = after === undefined ? undefined : { pk: range.pk, sk: after };
    return { range, items: [], start, isRead: false };
  });
  const found: Item[] = [];
  const end = skip + countMax;
  for (let position = 0; position < end; position += 1) {
    if (lanes.some(isEmpty)) await readAhead(table, lanes, deadline, newestFirst, end - position);
    const next = nextOf(lanes, newestFirst);
    if (!next) break;
    if (position >= skip) found.push(next);
  }
  return found;
}

/** True for a partition of which the next item is not known. */
function isEmpty({ items, isRead }: Lane): boolean {
  return items.length === 0 && !isRead;
}

async function readAhead(
  table: Table,
  lanes: readonly Lane[],
  deadline: Deadline,
  newestFirst: boolean,
  count: number,
): Promise<void> {
  const share = Math.ceil(count / lanes.length) + aheadCount;
  const limit = Math.min(count, share, aheadCountMax);
  const reads = lanes.filter(isEmpty).map(async (lane) => {
    const options = { newestFirst, limit, ...(lane.start && { start: lane.start }) };
    // A page without items may have another one behind it.
    do {
      const { items, next } = await repeating(deadline, () => query(table, lane.range, options));
      lane.items.push(...items);
      lane.start = next;
      lane.isRead = next === undefined;
    } while (isEmpty(lane));
  });
  await Promise.all(reads);
}

/** Takes the first item of all. */
function nextOf(lanes: readonly Lane[], newestFirst: boolean): Item | undefined {
  let first: Lane | undefined;
  for (const lane of lanes) {
    const isFirst = placeOf(lane) !== undefined && (!first || isBefore(lane, first, newestFirst));
    if (isFirst) first = lane;
  }
  return first?.items.shift();
}

function isBefore(one: Lane, other: Lane, newestFirst: boolean): boolean {
  const [place = '', otherPlace = ''] = [placeOf(one), placeOf(other)];
  return newestFirst ? place > otherPlace : place < otherPlace;
}

function placeOf({ items }: Lane): string | undefined {
  return items[0]?.['sk'] as string | undefined;
}
