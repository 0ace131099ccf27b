/** Counting entries of a list in a range of time, which reads them in the database and returns none. */
import { placeBefore } from './keys.ts';
import { queryLimitMax } from './read.ts';
import { type Item, query, type Table } from './request.ts';
import { type Deadline, repeating } from './retry.ts';

/** The entries in these partitions from one millisecond to another, the second one exclusive; or so many and no more. */
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
  do {
    const limit = Math.min(countMax - sum, queryLimitMax);
    const after: { start?: Item } = start ? { start } : {};
    const options = { newestFirst: true, counts: true as const, limit, ...after };
    const { count, next } = await repeating(deadline, () => query(table, range, options));
    sum += count;
    start = next;
  } while (start && sum < countMax);
  return sum;
}
