/** What the workers that carry deliveries share: the courier and the sweeper. */

import type { CarryPorts } from '../shared/delivery/carry.ts';
import type { AcceptPorts } from '../shared/delivery/courier.ts';
import { lanes } from '../shared/delivery/lanes.ts';
import { send } from '../shared/outgoing/send.ts';
import { wiring } from './wiring.ts';

/** How many deliveries a target takes at a time, and how many may wait for it in this process. */
const runningMax = 32;
const waitingMax = 10_000;

const { services, policy } = wiring;
const { deliveries, patternMaker } = services;

/** Where deliveries wait for each other in this process. */
export const lanesHere = lanes(runningMax, waitingMax);

const report = (error: unknown): void => wiring.complain('delivery', error);

/** The deliveries that are in these lanes. */
const held = new Set<string>();

/** The targets that did not answer in time, as this process knows them. */
const silences = new Map<string, number>();

export const accepting: AcceptPorts = { services, deliveries, patternMaker, report };

/** How to carry, for a process that may wait as long as it is told. */
export function carrying(patienceMs: () => number): CarryPorts {
  return {
    services,
    deliveries,
    lanes: lanesHere,
    patienceMs,
    held,
    silences,
    send: (request) => send(request, { policy }),
    report,
  };
}
