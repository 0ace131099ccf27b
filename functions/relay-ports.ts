/** The ports of a process that drains outboxes. The model of the cloud in the tests is made of the same. */
import type { Clock, Scope } from '../shared/port/ports.ts';
import { atOnce, type Checkpoints } from '../shared/signal/at-once.ts';
import { growing } from '../shared/signal/growing.ts';
import { indexing } from '../shared/signal/indexing.ts';
import { monitoring } from '../shared/signal/monitoring.ts';
import type { Bus, RelayPorts, WriteMetric } from '../shared/signal/relay.ts';
import { sequencer } from '../shared/signal/sequencing.ts';
import { dynamoFollowing } from '../shared/store/store.ts';
import type { TablePorts } from './table-ports.ts';

export interface RelayOptions {
  readonly bus: Bus;
  /** Signs checkpoints, where this process may use keys. */
  readonly sign?: ((scope: Scope) => Promise<void>) | undefined;
  /** The same for a checkpoint that is stored with its leaves, where they can be. */
  readonly checkpoints?: Checkpoints | undefined;
  readonly clock: Clock;
  readonly metric: WriteMetric;
  /** Logs an error, which has no caller to answer, with the part of the service. */
  readonly complain: (where: string, error: unknown) => void;
}

export function relayPorts(
  table: Pick<
    TablePorts,
    'outbox' | 'store' | 'catalog' | 'books' | 'monitors' | 'logs' | 'layouts'
  > &
    Partial<Pick<TablePorts, 'at'>>,
  { bus, sign, checkpoints, clock, metric, complain }: RelayOptions,
): RelayPorts {
  const { at, outbox, store, catalog, books, monitors, logs, layouts } = table;
  const report = (why: string): void => complain('catalog', why);
  // Monitors look once the books are written, and before the entries are deleted.
  const watched = monitoring({ outbox, monitors, store, bus });
  const unsigned = (error: unknown): void => complain('log', error);
  const log = sequencer({ logs, store, ...(sign && { sign }), report: unsigned });
  const indexed = indexing({ outbox: watched, catalog, books, log, clock, metric, report });
  // None on AWS, where an item takes twice the units in a transaction.
  const following = at && dynamoFollowing(at);
  const followed = following
    ? atOnce({
        ...{ outbox, stepwise: indexed, following, store, checkpoints, clock },
        report: unsigned,
      })
    : indexed;
  const small = (error: unknown): void => complain('layout', error);
  return {
    outbox: growing({ outbox: followed, layouts, clock, report: small }),
    reader: store,
    bus,
    clock,
    metric,
  };
}
