/** Taking items away that nothing else depends on, many at a time and in no order. */
import type { Key } from './keys.ts';
import type { Table } from './request.ts';
import type { Deadline } from './retry.ts';
import { writeAll } from './write-all.ts';

/** Deletes the items at the keys; what is not there stays away. */
export function remove(table: Table, keys: readonly Key[], deadline: Deadline): Promise<void> {
  return writeAll(table, { deletes: keys }, deadline);
}
