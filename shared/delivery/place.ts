/**
 * An attempt within the limits of its ledger in this process. An attempt that takes long is given up when the ledger
 * has no more places, and another process makes it. Ruling 61, Decision 85.
 */

import type { AttemptOutcome } from '../ledger/delivery.ts';
import type { OutgoingRequest } from '../outgoing/send.ts';
import { addressIn } from '../outgoing/url.ts';
import type { Delivery } from '../port/deliveries.ts';
import type { AttemptPorts } from './attempted.ts';
import type { Load } from './bytes.ts';
import { trafficOf } from './queues.ts';
import { quickMs, type Room } from './room.ts';

/** Thrown when a delivery is not attempted, or not to its end, because its ledger is at a limit. */
export class Postponed extends Error {
  override readonly name = 'Postponed';
  /** The time to try again, in milliseconds. */
  readonly untilMs: number;

  constructor(untilMs: number, why: string) {
    super(why);
    this.untilMs = untilMs;
  }
}

/** The detail for a ledger whose places are taken. */
export const noPlace = 'The ledger has as many attempts under way as it may.';
const tooMuch = 'The ledger sends as many bytes a second as it may.';

/** Makes an attempt with ports that send within the limits; throws `Postponed` at a limit. */
export async function inPlace<Made>(
  ports: AttemptPorts,
  delivery: Delivery,
  make: (own: AttemptPorts) => Promise<Made>,
): Promise<Made> {
  const of = trafficOf(delivery);
  const left = new AbortController();
  const send: AttemptPorts['send'] = (request) => sendWithin(ports, delivery, request, left.signal);
  const made = make({ ...ports, send });
  const { mayStay } = ports.room;
  return mayStay ? orLeave(ports, made, () => mayStay(of), left) : made;
}

/** The result of an attempt, unless it takes long and has to leave its place. */
async function orLeave<Made>(
  { services, report }: AttemptPorts,
  made: Promise<Made>,
  mayStay: () => Promise<boolean>,
  left: AbortController,
): Promise<Made> {
  // The outcome of an attempt that left its place is ignored.
  made.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const leaving = new Promise<never>((_, reject) => {
    const ask = async (): Promise<void> => {
      if (await mayStay()) return;
      left.abort();
      reject(new Postponed(services.clock(), noPlace));
    };
    timer = setTimeout(() => void ask().catch(report), quickMs);
  });
  try {
    return await Promise.race([made, leaving]);
  } finally {
    clearTimeout(timer);
  }
}

async function sendWithin(
  { room, services, send }: AttemptPorts,
  delivery: Delivery,
  request: OutgoingRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const of = trafficOf(delivery);
  const host = addressIn(request.endpoint)?.host ?? '';
  return room.hosts(`${of.kind} ${of.scope} ${host}`, () => {
    const nowMs = services.clock();
    if (signal.aborted) throw new Postponed(nowMs, noPlace);
    const bytes = Buffer.byteLength(request.body ?? '');
    const untilMs = room.rates.take(of, loadOf(room, delivery, bytes), nowMs);
    if (untilMs > 0) throw new Postponed(room.isHandedOver ? nowMs : untilMs, tooMuch);
    return send(request, signal);
  });
}

/**
 * The request for bytes, in its line. A delivery that is handed over asks in another process. One that others may take
 * on does not wait for those that may be with them.
 */
function loadOf({ isHandedOver, isOnly }: Room, { luid, output }: Delivery, bytes: number): Load {
  if (isHandedOver) return { bytes };
  return { bytes, name: luid, isFree: !isOnly && output?.['detail'] === tooMuch };
}
