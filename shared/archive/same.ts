/** Whether two items are the same, whoever made them. */
import { nameOfItem } from '../store/keys.ts';
import type { Item } from '../store/request.ts';

/**
 * Whether an item is the same as another one, attribute by attribute. What a keyring wraps reads otherwise each time,
 * so of that only the names and the public half are compared.
 */
export function isSameItem(one: Item, other: Item): boolean {
  const name = nameOfItem(one)?.item;
  const isWrapped = name === 'secret' || name === 'secrets';
  return textOf(one, isWrapped) === textOf(other, isWrapped);
}

/** Numbers are bigints when they come from the table, and bytes may be of any class. */
function textOf(value: unknown, isWrapped: boolean): string {
  if (value instanceof Uint8Array)
    return isWrapped ? 'wrapped' : `bytes ${Buffer.from(value).toString('base64')}`;
  if (typeof value === 'number' || typeof value === 'bigint') return `number ${value}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const texts = members.map(
    ([name, member]) => `${JSON.stringify(name)}:${textOf(member, isWrapped)}`,
  );
  return `{${texts.sort().join()}}`;
}
