/** What the workers that drain outboxes share: the relay and the sweeper. */
import { eventBridge } from '../shared/signal/eventbridge.ts';
import { mentioning } from '../shared/signal/mentioning.ts';
import { type Bus, drainAll, type RelayPorts } from '../shared/signal/relay.ts';
import { scopesOf } from '../shared/signal/shards.ts';
import { outboxShardCount } from '../shared/store/keys.ts';
import { metric } from './figures.ts';
import { wiring } from './wiring.ts';

/** How to drain onto a bus. */
export function relaying(bus: Bus): RelayPorts {
  const { outbox, services } = wiring;
  const report = (why: string): void => wiring.complain('catalog', why);
  const { catalog } = services;
  return {
    outbox: mentioning({ outbox, catalog, metric, report }),
    reader: services.store,
    bus,
    clock: services.clock,
    metric,
  };
}

/** The bus of this deployment. */
export function deployedBus(): Bus {
  const name = process.env['EVENT_BUS_NAME'];
  if (!name) throw new Error('The environment variable EVENT_BUS_NAME is not set.');
  return eventBridge(name, { report: (error) => wiring.complain('bus', error) });
}

const shards = Array.from({ length: outboxShardCount }, (_, shard) => shard);

/** Drains what was forgotten in the outboxes of all scopes, as long as there is time. */
export function drainForgotten(ports: RelayPorts, hasTime: () => boolean): Promise<void> {
  const report = (error: unknown): void => wiring.complain('relay', error);
  return drainAll({ ...ports, hasTime, report }, scopesOf(ports.outbox), shards);
}
