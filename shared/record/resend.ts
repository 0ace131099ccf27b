/** Replay of deliveries to effects and bridges. Ruling 60, Decisions 17 and 55. */
import { namedLuid, timeOfLuid } from '../crypto/luid.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Services } from '../port/action.ts';
import { type Delivery, type DuePlaces, isRetryRequested } from '../port/deliveries.ts';
import type { Scope } from '../port/ports.ts';

export const eventPrefix = 'evt_';
/** The time budget of a list, in milliseconds. Ruling 22. */
export const listMsMax = 20_000;
export const listTookTooLong = 'The list took too long; ask for less of it.';
/** Deliveries that are read and saved at once. */
const batchLength = 100;
/** No delivery waits longer than a day; an hour is added for clocks. In milliseconds. Ruling 57. */
const horizonMs = 25 * 60 * 60_000;
/** A delivery that changes meanwhile is saved again this often. */
const saveCountMax = 5;

/** The luid of the delivery of an event to an effect or a bridge, the same each time. */
export function deliveryLuidOf(eventHandle: string, subject: string): string {
  const momentMs = timeOfLuid(eventHandle.replace(eventPrefix, '$evt.'));
  return namedLuid('evd', momentMs, `${eventHandle} ${subject}`);
}

/**
 * Makes all waiting deliveries of a target due now, with their attempts counted anew. A running attempt goes on. It
 * reads the waiting deliveries only, however many were sent before. Refuses with `api.request-timeout`. Decision 55.
 */
export async function replayWaiting(
  services: Services,
  scope: Scope,
  subject: string,
): Promise<void> {
  const { clock, deliveries } = services;
  const nowMs = clock();
  let from: DuePlaces | undefined;
  do {
    if (clock() > nowMs + listMsMax) throw new LedgerError('api.request-timeout', listTookTooLong);
    const part = await deliveries.due(nowMs + horizonMs, from);
    const own = part.due.filter((one) => one.scope === scope && one.subject === subject);
    for (let start = 0; start < own.length; start += batchLength) {
      const names = own.slice(start, start + batchLength);
      const found = await deliveries.readDue(names, nowMs, horizonMs);
      const waiting = found.filter(({ status }) => status !== 'running');
      await Promise.all(waiting.map((delivery) => replay(services, delivery, nowMs)));
    }
    from = part.next;
  } while (from);
}

/**
 * Makes a delivery due now, with its attempts counted anew. A delivery that changes meanwhile is read again, and is left
 * as it is when another caller has made it due. Refuses with `api.request-timeout` when it keeps changing.
 */
export async function replay(
  { deliveries, clock }: Pick<Services, 'deliveries' | 'clock'>,
  delivery: Delivery,
  nowMs = clock(),
): Promise<void> {
  let current: Delivery | undefined = delivery;
  for (let count = 0; current && count < saveCountMax; count += 1) {
    if (await deliveries.save(replayed(current, nowMs), current)) return;
    current = await deliveries.readNamed(delivery);
    // Another caller was faster: what is yet to be sent for that one is sent for this one as well.
    if (current && current.replay > delivery.replay && isYetToBeSentAgain(current)) return;
  }
  throw new LedgerError(
    'api.request-timeout',
    `The delivery ${delivery.luid} is changed all the time.`,
  );
}

function replayed(delivery: Delivery, nowMs: number): Delivery {
  const { version, replay: count, ...rest } = delivery;
  const dueMs = mayBeOnTheWay(delivery) ? Math.max(nowMs, rest.dueMs ?? nowMs) : nowMs;
  const anew = { status: 'pending', attempts: 0, dueMs, isSoon: true } as const;
  return { ...rest, ...anew, replay: count + 1, version: version + 1 };
}

/**
 * True for a prepare that may still be on its way to the bridge: it is running, or was when a caller asked for it again.
 * No abort may overtake it. Decision 55.
 */
function mayBeOnTheWay(delivery: Delivery): boolean {
  if (delivery.data.action !== 'prepare') return false;
  return delivery.status === 'running' || isYetToBeSentAgain(delivery);
}

/** True when a caller asked to send it again and no attempt has begun since. */
export function isYetToBeSentAgain(delivery: Delivery): boolean {
  return delivery.status === 'pending' && isRetryRequested(delivery);
}
