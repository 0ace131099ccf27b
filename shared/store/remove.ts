/** Taking items away that nothing else depends on, many at a time and in no order. */
import { distinctBy } from './distinct.ts';
import { type Key, textOf } from './keys.ts';
import { batchDelete, type Table } from './request.ts';
import { type Deadline, pause, repeating } from './retry.ts';

/** How many items DynamoDB deletes in one batch. */
const batchLengthMax = 25;

/** Deletes the items at the keys; what is not there stays away. */
export async function remove(
  table: Table,
  keys: readonly Key[],
  deadline: Deadline,
): Promise<void> {
  const all = distinctBy(keys, textOf);
  const batches: Promise<void>[] = [];
  for (let start = 0; start < all.length; start += batchLengthMax) {
    batches.push(removeBatch(table, all.slice(start, start + batchLengthMax), deadline));
  }
  await Promise.all(batches);
}

async function removeBatch(table: Table, keys: readonly Key[], deadline: Deadline): Promise<void> {
  let rest = keys;
  for (let attempt = 0; rest.length > 0; attempt += 1) {
    if (attempt > 0) await pause(attempt, deadline);
    rest = await repeating(deadline, () => batchDelete(table, rest));
  }
}
