/** Shared set-up of the workers that drain the outbox: relay and sweeper. */

import type { Scope } from '../shared/port/ports.ts';
import { eventBridge } from '../shared/signal/eventbridge.ts';
import { growing } from '../shared/signal/growing.ts';
import { indexing } from '../shared/signal/indexing.ts';
import { monitoring } from '../shared/signal/monitoring.ts';
import { type Bus, drainAll, type RelayPorts } from '../shared/signal/relay.ts';
import { sequencer } from '../shared/signal/sequencing.ts';
import { scopesOf } from '../shared/signal/shards.ts';
import { complain, required } from './environment.ts';
import { metric } from './figures.ts';
import { table } from './table.ts';

/** The ports of the relay; `sign` signs checkpoints, where this process may use keys. */
export function relaying(bus: Bus, sign?: (scope: Scope) => Promise<void>): RelayPorts {
  const { outbox, store, catalog, books, monitors, logs, layouts } = table;
  const report = (why: string): void => complain('catalog', why);
  // Monitors look once the books are written, and before the entries are deleted.
  const watched = monitoring({ outbox, monitors, store, bus });
  const unsigned = (error: unknown): void => complain('log', error);
  const log = sequencer({ logs, store, ...(sign && { sign }), report: unsigned });
  const clock = Date.now;
  const indexed = indexing({ outbox: watched, catalog, books, log, clock, metric, report });
  const small = (error: unknown): void => complain('layout', error);
  return {
    outbox: growing({ outbox: indexed, layouts, clock, report: small }),
    reader: store,
    bus,
    clock,
    metric,
  };
}

export function deployedBus(): Bus {
  return eventBridge(required('EVENT_BUS_NAME'), { report: (error) => complain('bus', error) });
}

/** Drains the outboxes of all scopes that still hold entries, as long as there is time. */
export function drainForgotten(ports: RelayPorts, hasTime: () => boolean): Promise<void> {
  const report = (error: unknown): void => complain('relay', error);
  return drainAll({ ...ports, hasTime, report }, scopesOf(ports.outbox));
}
