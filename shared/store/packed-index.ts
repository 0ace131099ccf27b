/**
 * Index entries that lie in one item with others. Records are read in the order of their lists, so those of a batch share
 * few items. Decision 126.
 */
import {
  isLastingIndexKey,
  type Key,
  type KeyRange,
  keyOfItem,
  packedSpanOf,
  textOf,
} from './keys.ts';
import { unpackIndex } from './pack-index.ts';
import type { Item } from './request.ts';

/** The ranges that are read at a time. */
const readingCountMax = 16;

/** Those of the index entries that an item has with others, by the text of their key. */
export async function packedAmong(
  pagesOf: (range: KeyRange) => AsyncIterable<readonly Item[]>,
  wanted: readonly { readonly key: Key }[],
): Promise<ReadonlyMap<string, Item>> {
  const keys = wanted.map(({ key }) => key).filter(isLastingIndexKey);
  const texts = new Set(keys.map(textOf));
  const spans = new Map(keys.map(packedSpanOf).map((span) => [`${span.pk} ${span.from}`, span]));
  const ranges = [...spans.values()];
  const found = new Map<string, Item>();
  for (let start = 0; start < ranges.length; start += readingCountMax) {
    const some = ranges.slice(start, start + readingCountMax);
    const entries = await Promise.all(some.map((range) => entriesIn(pagesOf(range))));
    for (const entry of entries.flat()) {
      const text = textOf(keyOfItem(entry));
      if (texts.has(text)) found.set(text, entry);
    }
  }
  return found;
}

async function entriesIn(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const entries: Item[] = [];
  for await (const items of pages) entries.push(...items.flatMap(unpackIndex));
  return entries;
}
