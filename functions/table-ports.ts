/** The ports of a process to the table. The model of the cloud in the tests is made of the same. */
import type { Books } from '../shared/port/books.ts';
import type { Catalog } from '../shared/port/catalog.ts';
import type { Layouts } from '../shared/port/layouts.ts';
import type { Logs } from '../shared/port/logs.ts';
import type { Monitors } from '../shared/port/monitors.ts';
import type { Outbox } from '../shared/port/outbox.ts';
import type { Clock, Store } from '../shared/port/ports.ts';
import { type RecentReads, recentReads, settlingMs, withRecent } from '../shared/store/recent.ts';
import {
  type DynamoStoreOptions,
  dynamoBooks,
  dynamoCatalog,
  dynamoLayouts,
  dynamoLogs,
  dynamoMonitors,
  dynamoOutbox,
  dynamoStore,
  type TableOptions,
} from '../shared/store/store.ts';

export interface TablePorts {
  /** The connection. */
  readonly at: TableOptions;
  readonly store: Store;
  /** Readings of the last second; absent where this process would not hear of the changes of others. */
  readonly recent: RecentReads | undefined;
  readonly catalog: Catalog;
  readonly books: Books;
  readonly outbox: Outbox;
  readonly monitors: Monitors;
  readonly logs: Logs;
  readonly layouts: Layouts;
}

/** The ports of a process to a table. */
export function tablePorts(
  at: TableOptions,
  heard: Pick<DynamoStoreOptions, 'onConflict' | 'onStored'>,
  recent: RecentReads | undefined,
): TablePorts {
  const store = dynamoStore({ ...at, ...heard });
  return {
    at,
    store: recent ? withRecent(store, recent) : store,
    recent,
    catalog: dynamoCatalog(at),
    books: dynamoBooks(at),
    outbox: dynamoOutbox(at),
    monitors: dynamoMonitors(at),
    logs: dynamoLogs(at),
    layouts: dynamoLayouts(at),
  };
}

/** The recent reads of an instance on AWS: none of them uses what was before a change once that has waited. */
export function recentOfInstance(clock: Clock = Date.now): RecentReads {
  const settled = (): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, settlingMs);
    });
  return recentReads({ clock, settled });
}
