/**
 * An attempt, within what its ledger may take of this process. It is given up, and made by others, when it takes long
 * and may not, and nothing is sent that may not be sent now. Ruling 61, Decision 85.
 */

import type { AttemptOutcome } from '../ledger/delivery.ts';
import type { OutgoingRequest } from '../outgoing/send.ts';
import type { Delivery } from '../port/deliveries.ts';
import type { AttemptPorts } from './attempted.ts';
import type { Load } from './bytes.ts';
import { trafficOf } from './queues.ts';
import { quickMs, type Room } from './room.ts';

/** A delivery was not attempted, or not to its end: it may not take what that needs now. */
export class PutOff extends Error {
  override readonly name = 'PutOff';
  /** When to try again, in milliseconds. */
  readonly untilMs: number;

  constructor(untilMs: number, why: string) {
    super(why);
    this.untilMs = untilMs;
  }
}

/** Why a delivery waits whose ledger has its places taken. */
export const noPlace = 'The ledger has as many attempts under way as it may.';
const tooMuch = 'The ledger sends as many bytes a second as it may.';

/** Does what an attempt is, with ports that send within bounds; throws `PutOff` where they do not let it. */
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

/** What was made, unless it takes long and may not. */
async function orLeave<Made>(
  { services, report }: AttemptPorts,
  made: Promise<Made>,
  mayStay: () => Promise<boolean>,
  left: AbortController,
): Promise<Made> {
  // Once the place is left nobody listens any more.
  made.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const leaving = new Promise<never>((_, reject) => {
    const ask = async (): Promise<void> => {
      if (await mayStay()) return;
      left.abort();
      reject(new PutOff(services.clock(), noPlace));
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
  const host = URL.canParse(request.endpoint) ? new URL(request.endpoint).host : '';
  return room.hosts(`${of.kind} ${of.scope} ${host}`, () => {
    const nowMs = services.clock();
    if (signal.aborted) throw new PutOff(nowMs, noPlace);
    const bytes = Buffer.byteLength(request.body ?? '');
    const untilMs = room.rates.take(of, loadOf(room, delivery, bytes), nowMs);
    if (untilMs > 0) throw new PutOff(room.isHandedOver ? nowMs : untilMs, tooMuch);
    return send(request, signal);
  });
}

/**
 * What is to be sent, as it waits for its turn: what was put off comes first. What is handed over to others asks there,
 * and what others may take on does not wait for what may be with them.
 */
function loadOf({ isHandedOver, isOnly }: Room, { luid, output }: Delivery, bytes: number): Load {
  if (isHandedOver) return { bytes };
  return { bytes, name: luid, isFree: !isOnly && output?.['detail'] === tooMuch };
}
