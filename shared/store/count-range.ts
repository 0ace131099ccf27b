/** Counting entries of a list in a range of time, which reads them in the database and returns blocks alone. */
import { unblocked } from './blocks.ts';
import { placeBefore } from './keys.ts';
import { queryLimitMax } from './read.ts';
import { type Item, query, type Table } from './request.ts';
import { type Deadline, repeating } from './retry.ts';

/** The items that are read before it is known how many entries they hold. */
const firstCountMax = 1_000;

/**
 * The entries in these partitions from one millisecond to another, the second one exclusive, or at least so many. No block
 * lies both before and behind either of them.
 */
export async function countWithin(
  table: Table,
  pks: readonly string[],
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  countMax: number,
  deadline: Deadline,
): Promise<number> {
  // No sort key of an entry is as short as its end.
  const range = { from: placeBefore(startMs), to: placeBefore(endMs) };
  const counts = pks.map((pk) => countIn(table, { pk, ...range }, countMax, deadline));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function countIn(
  table: Table,
  range: Parameters<typeof query>[1],
  countMax: number,
  deadline: Deadline,
): Promise<number> {
  let sum = 0;
  let start: Item | undefined;
  let length = firstCountMax;
  do {
    const limit = Math.min(countMax - sum, length);
    const after: { start?: Item } = start ? { start } : {};
    const options = { newestFirst: true, only: 'block', limit, ...after };
    const { items, count, next } = await repeating(deadline, () => query(table, range, options));
    sum += count - items.length + items.flatMap(unblocked).length;
    start = next;
    length = items.length > 0 ? firstCountMax : queryLimitMax;
  } while (start && sum < countMax);
  return sum;
}
