/** Unconditional puts and deletes, many at a time and in no order. */
import { distinctBy } from './distinct.ts';
import { type Key, textOf } from './keys.ts';
import { batchWrite, type Item, type ItemWrite, type Table } from './request.ts';
import { type Deadline, pause, repeating } from './retry.ts';

/** The limit of DynamoDB for one batch, and the batches that are sent at a time. */
const batchLengthMax = 25;
const runningMaxDefault = 8;

/** Puts the items, whatever lies at their keys, and deletes what is at the other keys. */
export async function writeAll(
  table: Table,
  { puts = [], deletes = [] }: { puts?: readonly Item[]; deletes?: readonly Key[] },
  deadline: Deadline,
): Promise<void> {
  const all = distinctBy<ItemWrite>(
    [...puts.map((put) => ({ put })), ...deletes.map((key) => ({ delete: key }))],
    (write) => textOf('put' in write ? (write.put as unknown as Key) : write.delete),
  );
  const batches = Array.from({ length: Math.ceil(all.length / batchLengthMax) }, (_, index) =>
    all.slice(index * batchLengthMax, (index + 1) * batchLengthMax),
  );
  const { batchesAtOnce = runningMaxDefault } = table;
  const runners = Array.from({ length: batchesAtOnce }, async () => {
    for (let batch = batches.pop(); batch; batch = batches.pop())
      await writeBatch(table, batch, deadline);
  });
  await Promise.all(runners);
}

async function writeBatch(
  table: Table,
  writes: readonly ItemWrite[],
  deadline: Deadline,
): Promise<void> {
  let rest = writes;
  for (let attempt = 0; rest.length > 0; attempt += 1) {
    if (attempt > 0) await pause(attempt, deadline);
    rest = await repeating(deadline, () => batchWrite(table, rest));
  }
}

/** Deletes the items at the keys, there or not, in no order. */
export function remove(table: Table, keys: readonly Key[], deadline: Deadline): Promise<void> {
  return writeAll(table, { deletes: keys }, deadline);
}
