/** Shared set-up of the workers that drain the outbox: relay and sweeper. */

import type { Scope } from '../shared/port/ports.ts';
import type { Checkpoints } from '../shared/signal/at-once.ts';
import { eventBridge } from '../shared/signal/eventbridge.ts';
import { type Bus, drainAll, type RelayPorts } from '../shared/signal/relay.ts';
import { scopesOf } from '../shared/signal/shards.ts';
import { complain, required } from './environment.ts';
import { metric } from './figures.ts';
import { relayPorts } from './relay-ports.ts';
import { table } from './table.ts';

/** The ports of the relay; `sign` and `checkpoints` sign checkpoints, where this process may use keys. */
export function relaying(
  bus: Bus,
  sign?: (scope: Scope) => Promise<void>,
  checkpoints?: Checkpoints,
): RelayPorts {
  return relayPorts(table, { bus, sign, checkpoints, clock: Date.now, metric, complain });
}

export function deployedBus(): Bus {
  return eventBridge(required('EVENT_BUS_NAME'), { report: (error) => complain('bus', error) });
}

/** Drains the outboxes of all scopes that still hold entries, as long as there is time. */
export function drainForgotten(ports: RelayPorts, hasTime: () => boolean): Promise<void> {
  const report = (error: unknown): void => complain('relay', error);
  return drainAll({ ...ports, hasTime, report }, scopesOf(ports.outbox));
}
