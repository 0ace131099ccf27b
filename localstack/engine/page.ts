/** The pages in which items are read. */
import { bytesOf, type StoredItem } from './value.ts';
import { keyIn } from './write-action.ts';

const pageBytesMax = 1024 * 1024;

/** The items of a page; `isCut` when there may be more. */
export function pageIn(
  items: Iterable<StoredItem>,
  countMax: number | undefined,
  isBehind: (sk: string) => boolean = () => false,
) {
  const page: StoredItem[] = [];
  let bytes = 0;
  for (const item of items) {
    if (isBehind(item['sk'] as string)) break;
    page.push(item);
    bytes += bytesOf(item);
    if (page.length === countMax || bytes > pageBytesMax)
      return { items: page, bytes, isCut: true };
  }
  return { items: page, bytes, isCut: false };
}

/** The answer with the items of a page. */
export function pageOf(items: readonly StoredItem[], isCut: boolean, select?: string): object {
  const last = items.at(-1);
  return {
    ...(select !== 'COUNT' && { Items: items }),
    Count: items.length,
    ...(isCut && last && { LastEvaluatedKey: keyIn(last) }),
  };
}

/** The attributes of an item that are asked for. */
export function projected(item: StoredItem, names: readonly string[]): StoredItem {
  return Object.fromEntries(
    names.flatMap((name) => (name in item ? [[name, item[name]]] : [])),
  ) as StoredItem;
}
