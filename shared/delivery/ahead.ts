/**
 * What a clock that ran ahead has put off: once it is set back, that would wait for as much longer. A delivery shows
 * by which clock it waits, by when it was attempted last and by how long it would have to wait. Decision 87.
 */

import { timeOfLuid } from '../crypto/luid.ts';
import type { Delivery, DuePlaces } from '../port/deliveries.ts';
import type { Clock } from '../port/ports.ts';
import { type CarryPorts, makeDue } from './carry.ts';
import { chunksOf, laterMs } from './due.ts';

/** Longer than this nothing waits, in milliseconds. Ruling 57. */
const waitMsMax = 25 * 3_600_000;
/** How far the clocks of those may be from each other who write a table, and what reading takes, in milliseconds. */
const skewMs = 60_000;
const readMs = 1_000;
const endOfTimeMs = 2 ** 48 - 2;
/** A step of the clock by less than this needs no care, in milliseconds. */
const setBackMsMin = 1_000;
/** What was begun by the clock as it was is stored after this long, in milliseconds. */
const underWayMs = 30_000;

/** A clock beside one that nobody sets. Who puts something off by the first reads it here, so that no lead goes unseen, however short. */
export interface WatchedClock {
  readonly clock: Clock;
  readonly steady: Clock;
  /** By how much the clock was ahead at most, in milliseconds, since it was looked for what that has put off. */
  peakMs: number;
}

/** Watches a clock beside one that nobody sets. */
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
 * Follows a clock, each time that it is called: makes due what the clock had put off once it was set back, and again a while
 * later, since whoever was at it then may have stored it after the first look. At the start as far as it shows.
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
 * Makes due what a clock that ran ahead has put off: after it was set back by so much while this process ran, or with 0
 * as far as it shows, by events that are still to come and waits that nobody has.
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
      const found = await Promise.all(
        chunk.map(({ scope, subject, luid }) => deliveries.read(scope, subject, luid)),
      );
      const ahead = found.filter((one) => one && isAhead(one, sinceMs, slackMs)) as Delivery[];
      await Promise.all(ahead.map((delivery) => makeDue(ports, delivery, sinceMs)));
    }
    from = part.next;
  } while (from);
}

/** Whether a delivery waits for a time that was set by a clock which ran ahead of what it is now. */
function isAhead(
  { status, dueMs, moment, proofs }: Delivery,
  nowMs: number,
  slackMs: number,
): boolean {
  if (dueMs === undefined || dueMs <= nowMs) return false;
  const touched = proofs.at(-1)?.custom?.['moment'] ?? moment;
  if (Date.parse(String(touched)) > nowMs + slackMs) return true;
  // Nobody has a lease for so long, nor is anything put off; whoever was refused waits for its turn at most.
  return dueMs > nowMs + (status === 'failed' ? waitMsMax : 2 * laterMs);
}
