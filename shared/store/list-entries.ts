/**
 * Entries of lists, each as an item by itself, however many lie in one. A block lies at the newest of its places, so what
 * a reader has met down to one item is complete above that item's place, and one that reads upwards has all before the
 * time span of the last item. Decisions 126 and 142.
 */
import { blockedAmong, unblocked } from './blocks.ts';
import { type Key, type KeyRange, packedEndOf, packedFromOf, placeOfSk } from './keys.ts';
import { mergedIn } from './merge.ts';
import { itemsIn, queryLimitMax } from './read.ts';
import { type Item, query, type Table } from './request.ts';
import { type Deadline, repeating } from './retry.ts';

interface PageWanted {
  /** The entries to leave out first. */
  readonly skip: number;
  readonly countMax: number;
}

/** The fewest items that are read behind others that hold several entries each. */
const furtherCountMin = 64;
/** The items that are read before it is known whether they hold several entries each. */
const firstCountMax = 512;
/** The same where the first entries are left out, so that they may be many. */
const skippedCountMax = 128;

/**
 * So many of the newest entries of a list, behind those that are left out. They are counted, where none is in a block. No
 * block lies both before and behind the sort key after which it begins.
 */
export async function newestIn(
  table: Table,
  pks: readonly string[],
  { skip, countMax, after }: PageWanted & { readonly after?: string },
  deadline: Deadline,
): Promise<Item[]> {
  const [only] = pks;
  const ranges = pks.map((pk) => ({ pk }));
  const begin = { left: skip, isPacked: false, ...(after !== undefined && { after }) };
  if (pks.length > 1 || only === undefined)
    return newestOf(table, ranges, { skip, countMax }, deadline, begin);
  const start = await behind(table, only, begin, deadline);
  if (start === 'end') return [];
  return newestOf(table, ranges, { skip: start.left, countMax }, deadline, start);
}

/** Those of the list and outbox entries at these keys that lie in blocks, by the text of the key of each by itself. */
export function blockedIn(
  table: Table,
  keys: readonly Key[],
  deadline: Deadline,
): Promise<ReadonlyMap<string, Item>> {
  const pagesOf = async function* pagesOf(range: KeyRange) {
    yield await itemsIn(table, range, deadline, {});
  };
  return blockedAmong(pagesOf, keys);
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

/**
 * So many of the oldest entries in ranges of a list, after the place of one. Ranges of the index are read in the same way,
 * where `entriesOf` takes an item apart.
 */
export async function oldestWithin(
  table: Table,
  ranges: readonly KeyRange[],
  countMax: number,
  deadline: Deadline,
  {
    after,
    entriesOf,
  }: { readonly after?: string | undefined; readonly entriesOf?: TakenApart } = {},
): Promise<Item[]> {
  const [{ from, to }] = ranges as [KeyRange];
  const first = after ?? from;
  const wide = ranges.map(({ pk }) => ({ pk, from: packedFromOf(first), to: packedEndOf(to) }));
  const isWanted = (sk: string) => sk >= from && sk <= to && (after === undefined || sk > after);
  return collected(table, wide, { skip: 0, countMax }, deadline, {
    isWanted,
    isComplete: (sk, last) => sk < packedFromOf(last),
    ...(entriesOf && { entriesOf }),
  });
}

/** The entries of an item that holds several. */
type TakenApart = (item: Item) => Item[];

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
  readonly entriesOf?: TakenApart;
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

/** Reads on until there are as many entries as are asked for; those that are left out are not kept. */
async function collected(
  table: Table,
  ranges: readonly { readonly pk: string }[],
  { skip, countMax }: PageWanted,
  deadline: Deadline,
  { newestFirst, after, isPacked, isWanted, isComplete, entriesOf = unblocked }: ListReading,
): Promise<Item[]> {
  const order = newestFirst ? 1 : -1;
  const inOrder = (one: Item, other: Item) =>
    (one['sk'] as string) < (other['sk'] as string) ? order : -order;
  let entries: Item[] = [];
  let left = skip;
  let last = after;
  let complete = 0;
  let count = skip > 0 ? skippedCountMax : firstCountMax;
  if (isPacked) count = furtherCountMin;
  while (complete < left + countMax) {
    const missing = Math.min(left + countMax - complete, queryLimitMax);
    const length = Math.min(missing, count);
    const options = {
      ...{ newestFirst: newestFirst ?? false, countMax: length },
      ...(last !== undefined && { after: last }),
    };
    const items = await mergedIn(table, ranges, deadline, options);
    const found = items.flatMap(entriesOf);
    entries = [...entries, ...found.filter(({ sk }) => isWanted(sk as string))].sort(inOrder);
    last = items.at(-1)?.['sk'] as string | undefined;
    if (items.length < length || last === undefined) break;
    const edge = last;
    const end = entries.findIndex(({ sk }) => !isComplete(sk as string, edge));
    complete = end < 0 ? entries.length : end;
    const gone = Math.min(left, complete);
    entries = entries.slice(gone);
    [left, complete] = [left - gone, complete - gone];
    const lacking = left + countMax - complete;
    count = Math.max(furtherCountMin, Math.ceil((lacking * items.length) / found.length));
  }
  return entries.slice(left, left + countMax);
}

/** The start of a reading of the newest entries. */
interface ListStart {
  readonly after?: string;
  /** The entries that are left to leave out. */
  readonly left: number;
  readonly isPacked: boolean;
}

/** The place after entries that are left out, or so many of them: it ends before a page that has blocks. */
async function behind(
  table: Table,
  pk: string,
  { after, left: count }: ListStart,
  deadline: Deadline,
): Promise<ListStart | 'end'> {
  let start: Item | undefined = after === undefined ? undefined : { pk, sk: after };
  let left = count;
  let isPacked = false;
  for (let length = skippedCountMax; left > 0 && !isPacked; length = queryLimitMax) {
    const limit = Math.min(left, length);
    const options = { newestFirst: true, only: 'block', limit, ...(start && { start }) };
    const page = await repeating(deadline, () => query(table, { pk }, options));
    isPacked = page.items.length > 0;
    if (isPacked) continue;
    if (!page.next) return 'end';
    left -= page.count;
    start = page.next;
  }
  return { left, isPacked, ...(start && { after: start['sk'] as string }) };
}
