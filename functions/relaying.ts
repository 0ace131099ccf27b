/** What the workers that drain outboxes share: the relay and the sweeper. */
import type { Scope } from '../shared/action/ports.ts';
import { eventBridge } from '../shared/signal/eventbridge.ts';
import { metricTo } from '../shared/signal/metric.ts';
import { type Bus, drain, type RelayPorts } from '../shared/signal/relay.ts';
import { outboxShardCount } from '../shared/store/keys.ts';
import { wiring } from './wiring.ts';

/** How to drain onto a bus. */
export function relaying(bus: Bus): RelayPorts {
  const { outbox, services } = wiring;
  // Figures are for CloudWatch, which reads them in the log.
  const isWatched = process.env['EVENT_BUS_NAME'] !== undefined;
  const metric = metricTo((line) => isWatched && process.stdout.write(`${line}\n`));
  return { outbox, reader: services.store, bus, clock: services.clock, metric };
}

/** The bus of this deployment. */
export function deployedBus(): Bus {
  const name = process.env['EVENT_BUS_NAME'];
  if (!name) throw new Error('The environment variable EVENT_BUS_NAME is not set.');
  return eventBridge(name);
}

const shards = Array.from({ length: outboxShardCount }, (_, shard) => shard);

/** Drains what was forgotten in a scope's outbox; trouble with one does not keep it from the others. */
export async function drainForgotten(ports: RelayPorts, scope: Scope): Promise<void> {
  try {
    const isDrained = await drain(ports, scope, shards);
    if (!isDrained)
      wiring.complain('relay', `The bus did not take all events of the scope '${scope}'.`);
  } catch (error) {
    wiring.complain('relay', error);
  }
}
