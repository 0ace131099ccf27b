/** Shared set-up of the workers that drain the outbox: relay and sweeper. */
import { eventBridge } from '../shared/signal/eventbridge.ts';
import { indexing } from '../shared/signal/indexing.ts';
import { monitoring } from '../shared/signal/monitoring.ts';
import { type Bus, drainAll, type RelayPorts } from '../shared/signal/relay.ts';
import { scopesOf } from '../shared/signal/shards.ts';
import { outboxShardCount } from '../shared/store/keys.ts';
import { complain, required } from './environment.ts';
import { metric } from './figures.ts';
import { table } from './table.ts';

export function relaying(bus: Bus): RelayPorts {
  const { outbox, store, catalog, books, monitors } = table;
  const report = (why: string): void => complain('catalog', why);
  // Monitors look once the books are written, and before the entries are deleted.
  const watched = monitoring({ outbox, monitors, store, bus });
  return {
    outbox: indexing({ outbox: watched, catalog, books, clock: Date.now, metric, report }),
    reader: store,
    bus,
    clock: Date.now,
    metric,
  };
}

export function deployedBus(): Bus {
  return eventBridge(required('EVENT_BUS_NAME'), { report: (error) => complain('bus', error) });
}

const shards = Array.from({ length: outboxShardCount }, (_, shard) => shard);

/** Drains the outboxes of all scopes that still hold entries, as long as there is time. */
export function drainForgotten(ports: RelayPorts, hasTime: () => boolean): Promise<void> {
  const report = (error: unknown): void => complain('relay', error);
  return drainAll({ ...ports, hasTime, report }, scopesOf(ports.outbox), shards);
}
