/** The table alone, for functions that need neither keys nor checks. */
import type { Books } from '../shared/port/books.ts';
import type { Catalog } from '../shared/port/catalog.ts';
import type { Logs } from '../shared/port/logs.ts';
import type { Monitors } from '../shared/port/monitors.ts';
import type { Outbox } from '../shared/port/outbox.ts';
import type { Store } from '../shared/port/ports.ts';
import { regionAt, tableClient } from '../shared/store/client.ts';
import {
  type DynamoStoreOptions,
  dynamoBooks,
  dynamoCatalog,
  dynamoGroupCommit,
  dynamoLogs,
  dynamoMonitors,
  dynamoOutbox,
  dynamoStore,
  type TableOptions,
} from '../shared/store/store.ts';
import { required } from './environment.ts';
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
}

function wire(): TableWiring {
  const endpoint = process.env['DYNAMODB_ENDPOINT'];
  const client = tableClient(endpoint ? { endpoint } : {});
  const onConflict = (): void => metric('CommitConflict', 1);
  const connection = { client, tableName: required('TABLE_NAME') };
  // An emulator takes one write at a time, and syncs its disk for each.
  const isEmulated = endpoint && regionAt(endpoint) === undefined;
  const at = { ...connection, ...(isEmulated && { groupCommit: dynamoGroupCommit(connection) }) };
  return {
    at,
    store: dynamoStore({ ...at, onConflict, ...nudging(process.env['OUTBOX_CHANNEL']) }),
    catalog: dynamoCatalog(at),
    books: dynamoBooks(at),
    outbox: dynamoOutbox(at),
    monitors: dynamoMonitors(at),
    logs: dynamoLogs(at),
  };
}

/**
 * Wakes the relay for an outbox with new entries. On AWS the stream of the table does that. Offline the relay runs in
 * another thread and listens on a channel of this name.
 */
function nudging(channel: string | undefined): Pick<DynamoStoreOptions, 'onStored'> {
  if (!channel) return {};
  const nudges = new BroadcastChannel(channel);
  nudges.unref();
  return { onStored: (places) => nudges.postMessage(places) };
}

export const table: TableWiring = wire();
