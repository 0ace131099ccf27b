/**
 * The reads of the audit: pages of items, from a table or an archive. The outline of an item is its key and its short
 * attributes; versions are read in full once, when their record is checked.
 */
import type { Scope } from '../port/ports.ts';
import { type ItemName, type Key, type KeyRange, nameOfItem } from '../store/keys.ts';
import type { Item } from '../store/request.ts';

export interface AuditSource {
  /** True for an archive: an import makes the books. */
  readonly hasNoBooks?: true;
  /** The outlines of all items, in pages; those of a partition follow each other, by `sk`. */
  readonly outlines: (scopes?: readonly Scope[]) => AsyncIterable<readonly Item[]>;
  /** The items of a range of a partition, in pages. */
  readonly pages: (range: KeyRange) => AsyncIterable<readonly Item[]>;
  /** The items at these keys, as far as they exist, by the text of their key. */
  readonly at: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Item>>;
}

/** The attributes of an outline, beside the key. */
export const outlineAttributes = [
  'amount',
  'available',
  'balances',
  'block',
  'change',
  'content',
  'credits',
  'debits',
  'dropped',
  'fenced',
  'handle',
  'holds',
  'kind',
  'shards',
  'limits',
  'luid',
  'moves',
  'public',
  'refers',
  'reserved',
  'schema',
  'signer',
  'wallet',
] as const;

/** An item and its name. */
export interface NamedItem {
  readonly name: ItemName;
  readonly item: Item;
}

/** A page of outlines, grouped: items that belong together in one partition, and all others one by one. */
export interface Sorted {
  readonly items: readonly Item[];
  readonly loose: readonly NamedItem[];
  /** The pointer and the superseded versions of a luid, by `pk`. */
  readonly trails: readonly (readonly NamedItem[])[];
  /** The head of a handle with its balances, their count, and the counts of references. */
  readonly homes: readonly (readonly NamedItem[])[];
  /** Items at keys that the ledger never forms. */
  readonly unknown: readonly Item[];
}

const grouped: Readonly<Partial<Record<ItemName['item'], 'trails' | 'homes'>>> = {
  pointer: 'trails',
  change: 'trails',
  head: 'homes',
  usage: 'homes',
  refers: 'homes',
  balance: 'homes',
};

/** Groups pages of outlines; a partition that the end of a page cuts is joined again. */
export async function* sortedOf(
  pages: AsyncIterable<readonly Item[]>,
): AsyncGenerator<Sorted, void, undefined> {
  let open: NamedItem[] = [];
  for await (const items of pages) {
    const sorting = newSorting(items);
    open = sortPage(sorting, open);
    yield sorting;
  }
  const last = newSorting([]);
  closeGroup(last, open);
  yield last;
}

function newSorting(items: readonly Item[]): Sorting {
  return { items, loose: [], trails: [], homes: [], unknown: [] };
}

interface Sorting {
  readonly items: readonly Item[];
  readonly loose: NamedItem[];
  readonly trails: NamedItem[][];
  readonly homes: NamedItem[][];
  readonly unknown: Item[];
}

/** Groups a page, after the group that the page before left open; returns the group that it leaves open. */
function sortPage(sorting: Sorting, openBefore: NamedItem[]): NamedItem[] {
  let open = openBefore;
  for (const item of sorting.items) {
    const name = nameOfItem(item);
    if (!name) {
      sorting.unknown.push(item);
      continue;
    }
    if (open[0] && open[0].item['pk'] !== item['pk']) {
      closeGroup(sorting, open);
      open = [];
    }
    if (grouped[name.item]) open.push({ name, item });
    else sorting.loose.push({ name, item });
  }
  return open;
}

function closeGroup(sorting: Sorting, group: NamedItem[]): void {
  const place = group[0] && grouped[group[0].name.item];
  if (place) sorting[place].push(group);
}
