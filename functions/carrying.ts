/** What the workers that carry deliveries share: the courier and the sweeper. */
import { putOffUntil } from '../shared/delivery/carry.ts';
import type { AcceptPorts } from '../shared/delivery/courier.ts';
import { type DuePorts, dueWalk } from '../shared/delivery/due.ts';
import { lanes } from '../shared/delivery/lanes.ts';
import { putOffs } from '../shared/delivery/put-off.ts';
import { silences } from '../shared/delivery/silence.ts';
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
const known = { silences: silences(), putOffs: putOffs(), walk: dueWalk() };
const held = new Set<string>();

/** How to accept events, for a process that keeps what it accepts from others for so long. */
export function accepting(leaseMs: number): AcceptPorts {
  return {
    services,
    deliveries,
    patternMaker,
    leaseMs,
    putOffUntil: (of, nowMs) => putOffUntil(known, of, nowMs),
    report,
  };
}

/** How to carry, for a process that may wait and keep as long as it is told. */
export function carrying(patienceMs: () => number, leaseMs: number): DuePorts {
  return {
    ...known,
    services,
    deliveries,
    lanes: lanesHere,
    patienceMs,
    leaseMs,
    held,
    send: (request) => send(request, { policy }),
    report,
  };
}
