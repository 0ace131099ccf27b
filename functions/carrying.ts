/** Shared set-up of the workers that deliver: courier and sweeper. */
import type { AcceptPorts } from '../shared/delivery/accepted.ts';
import type { RefusedCall } from '../shared/delivery/attempted.ts';
import { rates } from '../shared/delivery/bytes.ts';
import { type DuePorts, dueWalk } from '../shared/delivery/due.ts';
import { hostPlaces, type Room, sharedRoom, wholeRoom } from '../shared/delivery/room.ts';
import { Targets } from '../shared/delivery/targets.ts';
import { tokens } from '../shared/delivery/tokens.ts';
import { FirstAttempts } from '../shared/delivery/unstored.ts';
import { reportUnsupported } from '../shared/intent/unprompted.ts';
import { assert } from '../shared/ledger/assert.ts';
import { send } from '../shared/outgoing/send.ts';
import { type AttemptSpan, spans } from '../shared/port/trace.ts';
import { bytesPerSecond, effectsPerSignal } from './bounds.ts';
import { note } from './environment.ts';
import { metric } from './figures.ts';
import { judging } from './judging.ts';

/**
 * Deliveries that this process attempts at once: this many calls to bridges, and as many events. A ledger gets a
 * quarter of them, half of these for targets that answer quickly. A target, and a host, gets a quarter of a ledger's
 * share.
 */
const places = { all: 512, ofLedger: 128, ofUnproven: 64, ofTarget: 32, waiting: 10_000 };

const { services, policy } = judging;
const { deliveries, patternMaker } = services;

/** The state of each target in this process. */
export const targetsHere = new Targets(places);
/** The deliveries that are attempted here before they are stored. */
export const firstHere = new FirstAttempts(deliveries);

const report = (error: unknown): void => judging.complain('delivery', error);
/** The intent fails, since its bridge does not support the operation. Ruling 57. */
async function refused(call: RefusedCall): Promise<void> {
  const ledger = await services.identityOf(call.scope);
  assert(ledger, 'a call belongs to a ledger of this server');
  await reportUnsupported(services, ledger, call);
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
/** The capacity when this is the only process of the deployment. */
export const onlyHere = wholeRoom({ ...bounds, isOnly: true });

// A line for each attempt, so that an operator sees why an event did not arrive. It holds no content and no address.
spans.attempt.asyncEnd.subscribe((message) => {
  const { delivery, status, outcome, ms } = message as AttemptSpan;
  // One that was put off was not attempted.
  if (status === undefined || status === 'pending') return;
  const { scope: ledger, luid, subject, data, attempts } = delivery;
  note('delivery', {
    ...{ ledger, delivery: luid, target: subject, linked: data.linked },
    what: data.action ?? String(data.record.data['signal']),
    ...{ attempt: attempts + 1, status },
    ...(outcome &&
      (outcome.kind === 'answered' ? { answer: outcome.status } : { why: outcome.why })),
    ms,
  });
});

/** The ports to accept events, with the time for which other workers leave an accepted delivery alone. */
export function accepting(leaseMs: number): AcceptPorts {
  return {
    services,
    deliveries,
    patternMaker,
    effectsMax: effectsPerSignal,
    leaseMs,
    postponedUntil: (of, nowMs) => targetsHere.postponedUntil(of, nowMs),
    refused,
    report,
  };
}

/** The capacity when many processes share it: the places of a ledger are counted in the table. */
export const sharedHere: Room = sharedRoom(
  { notes: services.notes, clock: services.clock },
  bounds,
);

/** The ports to deliver, with the time that this process may wait for a place and the lease of an attempt. */
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
