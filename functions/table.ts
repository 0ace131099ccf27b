/** The table alone, for functions that need neither keys nor checks. */
import { getEnvironmentData } from 'node:worker_threads';
import type { Books } from '../shared/port/books.ts';
import type { Catalog } from '../shared/port/catalog.ts';
import type { Layouts } from '../shared/port/layouts.ts';
import type { Logs } from '../shared/port/logs.ts';
import type { Monitors } from '../shared/port/monitors.ts';
import type { Outbox } from '../shared/port/outbox.ts';
import type { Store } from '../shared/port/ports.ts';
import { regionAt, tableClient } from '../shared/store/client.ts';
import type { DueMark } from '../shared/store/due-marks.ts';
import { type RecentReads, recentReads, settlingMs, withRecent } from '../shared/store/recent.ts';
import {
  type DynamoStoreOptions,
  dynamoBooks,
  dynamoCatalog,
  dynamoGroupCommit,
  dynamoLayouts,
  dynamoLogs,
  dynamoMonitors,
  dynamoOutbox,
  dynamoStore,
  type OutboxPlace,
  type TableOptions,
} from '../shared/store/store.ts';
import { changesName, required } from './environment.ts';
import { metric } from './figures.ts';

interface TableWiring {
  /** The connection. */
  readonly at: TableOptions;
  readonly store: Store;
  readonly catalog: Catalog;
  readonly books: Books;
  readonly outbox: Outbox;
  readonly monitors: Monitors;
  readonly logs: Logs;
  readonly layouts: Layouts;
}

function wire(): TableWiring {
  const endpoint = process.env['DYNAMODB_ENDPOINT'];
  const client = tableClient(endpoint ? { endpoint } : {});
  const onConflict = (): void => metric('CommitConflict', 1);
  const { onStored, onDue } = nudging(process.env['OUTBOX_CHANNEL']);
  const connection = { client, tableName: required('TABLE_NAME') };
  // An emulator takes one write at a time, and syncs its disk for each.
  const isEmulated = endpoint && regionAt(endpoint) === undefined;
  const at = {
    ...connection,
    ...(isEmulated && { groupCommit: dynamoGroupCommit(connection) }),
    onDue,
  };
  const store = dynamoStore({ ...at, onConflict, ...(onStored && { onStored }) });
  const recent = isEmulated ? recentTogether() : recentReads({ settled: settling });
  return {
    at,
    store: recent ? withRecent(store, recent) : store,
    catalog: dynamoCatalog(at),
    books: dynamoBooks(at),
    outbox: dynamoOutbox(at),
    monitors: dynamoMonitors(at),
    logs: dynamoLogs(at),
    layouts: dynamoLayouts(at),
  };
}

/** On AWS no instance uses what was before a change once it has waited. */
async function settling(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, settlingMs));
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

export const table: TableWiring = wire();
