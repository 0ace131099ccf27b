/** Comparing items from a table and from an archive. */
import { nameOfItem } from '../store/keys.ts';
import type { Item } from '../store/request.ts';

/**
 * True for equal items, attribute by attribute. Wrapping gives other bytes each time, so of wrapped keys and secrets
 * only the names and the public half are compared.
 */
export function isSameItem(one: Item, other: Item): boolean {
  const name = nameOfItem(one)?.item;
  const isWrapped = name === 'secret' || name === 'secrets';
  return textOf(one, isWrapped) === textOf(other, isWrapped);
}

/** A value as text: numbers from the table are bigints, and bytes may be of any class. */
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
