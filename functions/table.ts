/** The table alone, for functions that need neither keys nor checks. */
import type { Books } from '../shared/port/books.ts';
import type { Catalog } from '../shared/port/catalog.ts';
import type { Logs } from '../shared/port/logs.ts';
import type { Monitors } from '../shared/port/monitors.ts';
import type { Outbox } from '../shared/port/outbox.ts';
import type { Store } from '../shared/port/ports.ts';
import { tableClient } from '../shared/store/client.ts';
import {
  type DynamoStoreOptions,
  dynamoBooks,
  dynamoCatalog,
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
  const at = { client, tableName: required('TABLE_NAME') };
  // The emulator takes one write at a time, and those of requests come first.
  const behind = { ...at, ...(endpoint && { batchesAtOnce: 1 }) };
  return {
    at,
    store: dynamoStore({ ...at, onConflict, ...nudging(process.env['OUTBOX_CHANNEL']) }),
    catalog: dynamoCatalog(behind),
    books: dynamoBooks(behind),
    outbox: dynamoOutbox(at),
    monitors: dynamoMonitors(at),
    logs: dynamoLogs(behind),
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
