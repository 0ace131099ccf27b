/**
 * Makes due again what a clock that ran ahead has put off. Once the clock is set back, those deliveries would wait for
 * as much longer. A delivery shows by which clock it waits: by its last attempt, and by the length of its wait.
 * Decision 87.
 */

import { timeOfLuid } from '../crypto/luid.ts';
import type { Delivery, DuePlaces } from '../port/deliveries.ts';
import type { Clock } from '../port/ports.ts';
import { type CarryPorts, makeDue } from './carry.ts';
import { chunksOf, laterMs } from './due.ts';

/** The longest wait, in milliseconds. Ruling 57. */
const waitMsMax = 25 * 3_600_000;
/** The most by which the clocks of the processes that write a table differ, and the longest read, in milliseconds. */
const skewMs = 60_000;
const readMs = 1_000;
const endOfTimeMs = 2 ** 48 - 2;
/** A smaller step of the clock is ignored, in milliseconds. */
const setBackMsMin = 1_000;
/** A write that began by the old clock is stored after this long, in milliseconds. */
const underWayMs = 30_000;

/**
 * A clock, compared with a steady one. Each write that puts a delivery off reads the clock here, so that every lead is
 * seen.
 */
export interface WatchedClock {
  readonly clock: Clock;
  readonly steady: Clock;
  /** The largest lead of the clock since the last look, in milliseconds. */
  peakMs: number;
}

/** Compares a clock with a steady one, each time it is read. */
export function watched(clock: Clock, steady: Clock): WatchedClock {
  const watch: WatchedClock = {
    clock: () => {
      const nowMs = clock();
      watch.peakMs = Math.max(watch.peakMs, nowMs - steady());
      return nowMs;
    },
    steady,
    peakMs: Number.NEGATIVE_INFINITY,
  };
  return watch;
}

/**
 * Returns a function to call now and then. When the clock was set back, it makes due what the clock had put off, and
 * looks again a while later, because a write may have been under way. The first call looks for what an earlier process
 * left.
 */
export function clockFollower(ports: CarryPorts, watch: WatchedClock): () => Promise<void> {
  const { steady } = watch;
  let owed: { readonly backMs: number; readonly atMs: number } | undefined = {
    ...{ backMs: 0, atMs: Number.NEGATIVE_INFINITY },
  };
  let isLooking = false;
  const look = async (leadMs: number, backMs: number, isLast: boolean): Promise<void> => {
    [isLooking, watch.peakMs] = [true, leadMs];
    try {
      await carryAhead(ports, backMs);
      owed = isLast ? undefined : { backMs, atMs: steady() + underWayMs };
    } catch (error) {
      watch.peakMs = Math.max(watch.peakMs, leadMs + backMs);
      throw error;
    } finally {
      isLooking = false;
    }
  };
  return async () => {
    const leadMs = watch.clock() - steady();
    const backMs = watch.peakMs - leadMs;
    if (isLooking) return;
    if (backMs >= setBackMsMin) await look(leadMs, backMs, false);
    else if (owed && steady() >= owed.atMs) await look(leadMs, owed.backMs, true);
    else watch.peakMs = leadMs;
  };
}

/**
 * Makes due what a clock that ran ahead has put off. `backMs` is the step by which it was set back while this process
 * ran. With 0, only what shows it is made due: events of the future, and waits that are too long.
 */
export async function carryAhead(ports: CarryPorts, backMs: number): Promise<void> {
  const { services, deliveries, targets } = ports;
  const slackMs = backMs > 0 ? readMs : skewMs;
  let from: DuePlaces | undefined;
  do {
    const nowMs = services.clock();
    const part = await deliveries.due(endOfTimeMs, from);
    const names = part.due.filter(
      (one) =>
        one.dueMs > nowMs &&
        !targets.holds(one) &&
        (backMs > 0 || timeOfLuid(one.luid) > nowMs + slackMs || one.dueMs > nowMs + waitMsMax),
    );
    for (const chunk of chunksOf(names)) {
      const sinceMs = services.clock();
      const found = await Promise.all(chunk.map((name) => deliveries.readNamed(name)));
      const ahead = found.filter((one) => one && isAhead(one, sinceMs, slackMs)) as Delivery[];
      await Promise.all(ahead.map((delivery) => makeDue(ports, delivery, sinceMs)));
    }
    from = part.next;
  } while (from);
}

/** True for a delivery that waits for a time of a clock that ran ahead. */
function isAhead(
  { status, dueMs, moment, proofs }: Delivery,
  nowMs: number,
  slackMs: number,
): boolean {
  if (dueMs === undefined || dueMs <= nowMs) return false;
  const touched = proofs.at(-1)?.custom?.['moment'] ?? moment;
  if (Date.parse(String(touched)) > nowMs + slackMs) return true;
  // A lease and a postponement are shorter; only a failed delivery waits for its schedule.
  return dueMs > nowMs + (status === 'failed' ? waitMsMax : 2 * laterMs);
}
