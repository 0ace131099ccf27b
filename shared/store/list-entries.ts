/**
 * Entries of lists, each as an item by itself, however many lie in one. A block lies at the newest of its places, so what
 * a reader has met down to one item is complete above that item's place, and one that reads upwards has all before the
 * time span of the last item. Decisions 126 and 138.
 */
import { unblocked } from './blocks.ts';
import { type KeyRange, packedEndOf, packedFromOf, placeOfSk } from './keys.ts';
import { mergedIn } from './merge.ts';
import { queryLimitMax } from './read.ts';
import { type Item, query, type Table } from './request.ts';
import { type Deadline, repeating } from './retry.ts';

interface PageWanted {
  /** The entries to leave out first. */
  readonly skip: number;
  readonly countMax: number;
}

/** The items that are read at once behind others that hold several entries each. */
const furtherCountMax = 64;

/** So many of the newest entries of a list, behind those that are left out. They are counted, where none is in a block. */
export async function newestIn(
  table: Table,
  pks: readonly string[],
  { skip, countMax }: PageWanted,
  deadline: Deadline,
): Promise<Item[]> {
  const [only] = pks;
  const ranges = pks.map((pk) => ({ pk }));
  if (pks.length > 1 || only === undefined)
    return newestOf(table, ranges, { skip, countMax }, deadline);
  const start = await behind(table, only, skip, deadline);
  if (start === 'end') return [];
  return newestOf(table, ranges, { skip: start.left, countMax }, deadline, start);
}

/** So many of the newest entries in ranges of a list. */
export async function newestWithin(
  table: Table,
  ranges: readonly KeyRange[],
  countMax: number,
  deadline: Deadline,
): Promise<Item[]> {
  const wide = ranges.map((range) => ({ ...range, to: packedEndOf(range.to) }));
  const [{ from, to }] = ranges as [KeyRange];
  return newestOf(table, wide, { skip: 0, countMax }, deadline, { from, to });
}

/** So many of the oldest entries in ranges of a list, after the place of one. */
export async function oldestWithin(
  table: Table,
  ranges: readonly KeyRange[],
  countMax: number,
  deadline: Deadline,
  after?: string,
): Promise<Item[]> {
  const [{ from, to }] = ranges as [KeyRange];
  const first = after ?? from;
  const wide = ranges.map(({ pk }) => ({ pk, from: packedFromOf(first), to: packedEndOf(to) }));
  const isWanted = (sk: string) => sk >= from && sk <= to && (after === undefined || sk > after);
  return collected(table, wide, { skip: 0, countMax }, deadline, {
    isWanted,
    isComplete: (sk, last) => sk < packedFromOf(last),
  });
}

interface ListReading {
  readonly newestFirst?: true;
  /** The sort key after which it begins. */
  readonly after?: string | undefined;
  /** True where items are known that hold several entries each. */
  readonly isPacked?: boolean;
  /** False for entries that are not asked for. */
  readonly isWanted: (sk: string) => boolean;
  /** True for an entry before which nothing comes in the items behind the last one. */
  readonly isComplete: (sk: string, last: string) => boolean;
}

function newestOf(
  table: Table,
  ranges: readonly { readonly pk: string }[],
  wanted: PageWanted,
  deadline: Deadline,
  { after, isPacked = false, from, to }: Partial<ListStart & Pick<KeyRange, 'from' | 'to'>> = {},
): Promise<Item[]> {
  return collected(table, ranges, wanted, deadline, {
    ...{ newestFirst: true, after, isPacked },
    isWanted: (sk) => (from === undefined || sk >= from) && (to === undefined || sk <= to),
    isComplete: (sk, last) => sk >= placeOfSk(last),
  });
}

/** Reads on until there are as many entries as are asked for. */
async function collected(
  table: Table,
  ranges: readonly { readonly pk: string }[],
  { skip, countMax }: PageWanted,
  deadline: Deadline,
  { newestFirst, after, isPacked, isWanted, isComplete }: ListReading,
): Promise<Item[]> {
  const entries: Item[] = [];
  const end = skip + countMax;
  let last = after;
  let complete = 0;
  for (let isFirst = true; complete < end; isFirst = false) {
    const missing = Math.min(end - complete, queryLimitMax);
    const length = isFirst && !isPacked ? missing : Math.min(missing, furtherCountMax);
    const options = {
      ...{ newestFirst: newestFirst ?? false, countMax: length },
      ...(last !== undefined && { after: last }),
    };
    const items = await mergedIn(table, ranges, deadline, options);
    entries.push(...items.flatMap(unblocked).filter(({ sk }) => isWanted(sk as string)));
    last = items.at(-1)?.['sk'] as string | undefined;
    if (items.length < length || last === undefined) break;
    const edge = last;
    complete = entries.filter(({ sk }) => isComplete(sk as string, edge)).length;
  }
  const order = newestFirst ? 1 : -1;
  return entries
    .sort((one, other) => ((one['sk'] as string) < (other['sk'] as string) ? order : -order))
    .slice(skip, end);
}

/** The start of a reading of the newest entries. */
interface ListStart {
  readonly after: string;
  /** The entries that are left to leave out. */
  readonly left: number;
  readonly isPacked: boolean;
}

/**
 * The place behind the newest entries of a partition, and how many are left to leave out there: it ends before a page
 * that has blocks.
 */
async function behind(
  table: Table,
  pk: string,
  count: number,
  deadline: Deadline,
): Promise<(Omit<ListStart, 'after'> & Partial<ListStart>) | 'end'> {
  let start: Item | undefined;
  let left = count;
  let isPacked = false;
  while (left > 0 && !isPacked) {
    const limit = Math.min(left, queryLimitMax);
    const pageOptions = {
      newestFirst: true,
      counts: { without: 'block' },
      limit,
      ...(start && { start }),
    };
    const page = await repeating(deadline, () => query(table, { pk }, pageOptions));
    isPacked = page.looked > page.count;
    if (isPacked) continue;
    if (!page.next) return 'end';
    left -= page.count;
    start = page.next;
  }
  return { left, isPacked, ...(start && { after: start['sk'] as string }) };
}
