/** The table of a command that writes much at a time. */
import type { Table, TableClient } from '../../shared/store/request.ts';
import { groupCommitAt } from '../../shared/store/store.ts';

/** The longest time that one step may take, in milliseconds. */
const stepMsMax = 60_000;

/**
 * Returns a table with a minute for each step. At an emulator it joins writes: there a batch costs a sync of the disk for
 * each of its items, and a transaction one for all of them. Decision 122.
 */
export function wideTable(client: TableClient, tableName: string, endpoint: string): Table {
  const at = { client, tableName, deadlineMs: stepMsMax };
  return { ...at, onConsumed: undefined, groupCommit: groupCommitAt(endpoint, at) };
}
