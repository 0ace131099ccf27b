/** What the audit reads of an archive, as it would read it in the table that the archive stands for. */
import type { Source } from '../audit/source.ts';
import { itemOf, type Key, type KeyRange, textOf } from '../store/keys.ts';
import type { Item } from '../store/request.ts';
import type { Shelf } from './shelf.ts';

const pageLengthMax = 500;

/** A source that reads what is on a shelf. */
export function shelfSource(shelf: Shelf): Source {
  return {
    outlines: () => pagesOf(shelf.from()),
    pages: (range) => pagesOf(within(shelf, range)),
    at: async (keys) => {
      const found = await Promise.all(keys.map((key) => at(shelf, key)));
      return new Map(found.flatMap((item) => (item ? [[keyText(item), item] as const] : [])));
    },
  };
}

/** An archive has no mentions, and whoever imports it mentions all: so none of them is missing. Decision 31. */
function at(shelf: Shelf, key: Key): Promise<Item | undefined> {
  const isMention = itemOf(key.pk, key.sk)?.item === 'mention';
  return isMention ? Promise.resolve({ ...key }) : shelf.at(key);
}

async function* within(shelf: Shelf, { pk, from, to }: KeyRange): AsyncGenerator<Item> {
  for await (const item of shelf.from({ pk, sk: from })) {
    if (item['pk'] !== pk || String(item['sk']) > to) return;
    yield item;
  }
}

async function* pagesOf(items: AsyncIterable<Item>): AsyncGenerator<readonly Item[]> {
  let page: Item[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < pageLengthMax) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

function keyText(item: Item): string {
  return textOf({ pk: item['pk'] as string, sk: item['sk'] as string });
}
