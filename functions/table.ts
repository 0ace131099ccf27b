/** The table alone, for functions that need neither keys nor checks. */
import { getEnvironmentData } from 'node:worker_threads';
import { tableClient } from '../shared/store/client.ts';
import type { DueMark } from '../shared/store/due-marks.ts';
import { type RecentReads, recentReads } from '../shared/store/recent.ts';
import { type DynamoStoreOptions, groupCommitAt, type OutboxPlace } from '../shared/store/store.ts';
import { changesName, required } from './environment.ts';
import { metric } from './figures.ts';
import { recentOfInstance, type TablePorts, tablePorts } from './table-ports.ts';

function wire(): TablePorts {
  const endpoint = process.env['DYNAMODB_ENDPOINT'];
  const client = tableClient(endpoint ? { endpoint } : {});
  const onConflict = (): void => metric('CommitConflict', 1);
  const { onStored, onDue } = nudging(process.env['OUTBOX_CHANNEL']);
  const connection = { client, tableName: required('TABLE_NAME') };
  const groupCommit = groupCommitAt(endpoint, connection);
  const at = { ...connection, groupCommit, onDue };
  const recent = groupCommit ? recentTogether() : recentOfInstance();
  return tablePorts(at, { onConflict, ...(onStored && { onStored }) }, recent);
}

/**
 * The threads of the offline runtime count their changes together, so each knows of all of them at once. Other processes
 * at its database, such as commands, ask each time: they would not know.
 */
function recentTogether(): RecentReads | undefined {
  const changes = getEnvironmentData(changesName);
  return changes instanceof SharedArrayBuffer
    ? recentReads({ changes: new Int32Array(changes) })
    : undefined;
}

/** The news for the workers: outbox shards with new entries, and markers of what is due later. */
export type Nudge =
  | { readonly stored: readonly OutboxPlace[] }
  | { readonly due: readonly DueMark[] };

/**
 * Wakes the relay for an outbox with new entries, and tells the workers what will be due. On AWS the stream and the
 * schedule do that. Offline they run in another thread and listen on a channel of this name.
 */
function nudging(channel: string | undefined): Pick<DynamoStoreOptions, 'onStored' | 'onDue'> {
  if (!channel) return {};
  const nudges = new BroadcastChannel(channel);
  nudges.unref();
  const nudge = (news: Nudge): void => nudges.postMessage(news);
  return { onStored: (stored) => nudge({ stored }), onDue: (due) => nudge({ due }) };
}

export const table: TablePorts = wire();
