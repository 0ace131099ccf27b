/** What the workers that carry deliveries share: the courier and the sweeper. */

import type { AcceptPorts } from '../shared/delivery/accepted.ts';
import type { RefusedCall } from '../shared/delivery/attempted.ts';
import { rates } from '../shared/delivery/bytes.ts';
import { type DuePorts, dueWalk } from '../shared/delivery/due.ts';
import { hostPlaces, type Room, sharedRoom, wholeRoom } from '../shared/delivery/room.ts';
import { Targets } from '../shared/delivery/targets.ts';
import { tokens } from '../shared/delivery/tokens.ts';
import { refuseEntry } from '../shared/intent/alone.ts';
import { assert } from '../shared/ledger/assert.ts';
import { send } from '../shared/outgoing/send.ts';
import { bytesPerSecond, effectsPerSignal } from './bounds.ts';
import { metric } from './figures.ts';
import { judging } from './judging.ts';

/**
 * How many deliveries are attempted at a time in this process: calls to bridges, and as many events. A ledger has a
 * quarter of them, a target a quarter of that, and so many go to one host; half of a ledger's are for targets that answer quickly.
 */
const places = { all: 512, ofLedger: 128, ofUnproven: 64, ofTarget: 32, waiting: 10_000 };

const { services, policy } = judging;
const { deliveries, patternMaker } = services;

/** What this process keeps for each target. */
export const targetsHere = new Targets(places);

const report = (error: unknown): void => judging.complain('delivery', error);
/** An intent fails of which a bridge does not do what it was asked to prepare. Ruling 57. */
async function refused(call: RefusedCall): Promise<void> {
  const ledger = await services.identityOf(call.scope);
  assert(ledger, 'a call belongs to a ledger of this server');
  await refuseEntry(services, ledger, call);
}
const known = {
  targets: targetsHere,
  walk: dueWalk(),
  tokens: tokens({
    ask: (request, timeoutMs) => send(request, { policy, timeoutMs, keepBody: true }),
    clock: services.clock,
  }),
};
const bounds = { rates: rates(bytesPerSecond), hosts: hostPlaces(places.ofTarget) };
const wholeHere = wholeRoom(bounds);
/** For the only process that there is. */
export const onlyHere = wholeRoom({ ...bounds, isOnly: true });

/** How to accept events, for a process that keeps what it accepts from others for so long. */
export function accepting(leaseMs: number): AcceptPorts {
  return {
    services,
    deliveries,
    patternMaker,
    effectsMax: effectsPerSignal,
    leaseMs,
    putOffUntil: (of, nowMs) => targetsHere.putOffUntil(of, nowMs),
    refused,
    report,
  };
}

/** Where the places of a ledger are counted over all processes of a deployment: for one that has few. */
export const sharedHere: Room = sharedRoom(
  { notes: services.notes, clock: services.clock },
  bounds,
);

/** How to carry, for a process that may wait and keep as long as it is told. */
export function carrying(
  patienceMs: () => number,
  leaseMs: number,
  room: Room = wholeHere,
): DuePorts {
  return {
    ...known,
    services,
    deliveries,
    patienceMs,
    leaseMs,
    refused,
    metric,
    room,
    send: (request, givenUp) => send(request, { policy, ...(givenUp && { givenUp }) }),
    report,
  };
}
