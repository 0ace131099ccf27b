/** The parts of a process that attempts deliveries. The model of the cloud in the tests is made of the same. */
import type { AcceptPorts } from '../shared/delivery/accepted.ts';
import type { RefusedCall } from '../shared/delivery/attempted.ts';
import { rates } from '../shared/delivery/bytes.ts';
import { carry } from '../shared/delivery/carry.ts';
import { accept } from '../shared/delivery/courier.ts';
import { type DuePorts, dueWalk } from '../shared/delivery/due.ts';
import { hostPlaces, quickMs, type Room, sharedRoom, wholeRoom } from '../shared/delivery/room.ts';
import { Targets } from '../shared/delivery/targets.ts';
import { tokens } from '../shared/delivery/tokens.ts';
import { FirstAttempts } from '../shared/delivery/unstored.ts';
import { reportUnsupported } from '../shared/intent/unprompted.ts';
import { assert } from '../shared/ledger/assert.ts';
import type { Services } from '../shared/port/action.ts';
import type { LedgerEvent } from '../shared/signal/event.ts';

/**
 * Deliveries that a process attempts at once: this many calls to bridges, and as many events. A ledger gets a
 * quarter of them, half of these for targets that answer quickly. A target, and a host, gets a quarter of a ledger's
 * share.
 */
const places = { all: 512, ofLedger: 128, ofUnproven: 64, ofTarget: 32, waiting: 10_000 };

export interface CarrierOptions extends Pick<DuePorts, 'send' | 'metric' | 'report'> {
  readonly services: Services;
  /** Asks for a token of OAuth. */
  readonly ask: Parameters<typeof tokens>[0]['ask'];
  /** The bounds on a ledger: bytes per second, and effects for one signal. */
  readonly bytesPerSecond: number;
  readonly effectsPerSignal: number;
}

/** A process that has attempted nothing yet. */
export function newCarriers({ services, ask, send, metric, report, ...limits }: CarrierOptions) {
  const { deliveries, patternMaker, clock, notes } = services;
  const targets = new Targets(places);
  const first = new FirstAttempts(deliveries, clock);
  const bounds = { rates: rates(limits.bytesPerSecond), hosts: hostPlaces(places.ofTarget) };
  const whole = wholeRoom(bounds);
  const shared = sharedRoom({ notes, clock }, bounds);
  /** The intent fails, since its bridge does not support the operation. Ruling 57. */
  const refused = async (call: RefusedCall): Promise<void> => {
    const ledger = await services.identityOf(call.scope);
    assert(ledger, 'a call belongs to a ledger of this server');
    await reportUnsupported(services, ledger, call);
  };
  const known = { targets, walk: dueWalk(), tokens: tokens({ ask, clock }) };
  const both = { services, deliveries, refused, report };
  const accepting = (leaseMs: number): AcceptPorts => ({
    ...both,
    ...{ patternMaker, effectsMax: limits.effectsPerSignal, leaseMs },
    postponedUntil: (of, nowMs) => targets.postponedUntil(of, nowMs),
  });
  const carrying = (patienceMs: () => number, leaseMs: number, room: Room = whole): DuePorts => ({
    ...{ ...known, ...both, patienceMs, leaseMs, metric, room, send },
  });
  return {
    /** The state of each target in this process. */
    targets,
    /** The deliveries that are attempted here before they are stored. */
    first,
    /** The capacity when this is the only process of the deployment. */
    onlyHere: wholeRoom({ ...bounds, isOnly: true }),
    /** The ports to accept events, with the time for which other workers leave an accepted delivery alone. */
    accepting,
    /** The ports to deliver, with the time that this process may wait for a place and the lease of an attempt. */
    carrying,
    /** Accepts an event, and attempts what follows from it once: other processes do the rest. */
    bring: async (event: LedgerEvent, leaseMs: number): Promise<void> => {
      // The places of a ledger are counted in the table.
      const ports = carrying(() => Number.NEGATIVE_INFINITY, leaseMs, shared);
      await first.bring({
        eventCount: 1,
        accept: (own) => accept({ ...accepting(leaseMs), deliveries: own }, [event]),
        carry: (all) => carry({ ...ports, deliveries: first.deliveries }, all),
        momentMs: quickMs,
      });
      await targets.queues.idle();
    },
  };
}
