/** The table of a command that writes much at a time. */
import { regionAt } from '../../shared/store/client.ts';
import { groupCommit } from '../../shared/store/group-commit.ts';
import type { Table, TableClient } from '../../shared/store/request.ts';

/** The longest time that one step may take, in milliseconds. */
const stepMsMax = 60_000;

/**
 * Returns a table with a minute for each step. At an emulator it joins writes: there a batch costs a sync of the disk for
 * each of its items, and a transaction one for all of them. Decision 122.
 */
export function wideTable(client: TableClient, tableName: string, endpoint: string): Table {
  const table: Table = { client, tableName, deadlineMs: stepMsMax, onConsumed: undefined };
  return regionAt(endpoint) === undefined ? { ...table, groupCommit: groupCommit(table) } : table;
}
