/**
 * What a clock that ran ahead has put off: once it is set back, that would wait for as much longer. A delivery shows
 * by which clock it waits, by when it was attempted last and by how long it would have to wait. Decision 87.
 */
import type { Delivery, DuePlaces } from '../action/deliveries.ts';
import { timeOfLuid } from '../crypto/luid.ts';
import { type CarryPorts, makeDue } from './carry.ts';
import { chunksOf, laterMs } from './due.ts';

/** Longer than this nothing waits, in milliseconds. Ruling 57. */
const waitMsMax = 25 * 3_600_000;
/** How far the clocks of those may be from each other who write a table, and what reading takes, in milliseconds. */
const skewMs = 60_000;
const readMs = 1_000;
const endOfTimeMs = 2 ** 48 - 2;

/**
 * Makes due what a clock that ran ahead has put off: after it was set back by so much while this process ran, or with 0
 * as far as it shows, by events that are still to come and waits that nobody has.
 */
export async function carryAhead(ports: CarryPorts, backMs: number): Promise<void> {
  const { services, deliveries, held } = ports;
  const slackMs = backMs > 0 ? readMs : skewMs;
  let from: DuePlaces | undefined;
  do {
    const nowMs = services.clock();
    const part = await deliveries.due(endOfTimeMs, from);
    const names = part.due.filter(
      ({ luid, dueMs }) =>
        dueMs > nowMs &&
        !held.has(luid) &&
        (backMs > 0 || timeOfLuid(luid) > nowMs + slackMs || dueMs > nowMs + waitMsMax),
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
