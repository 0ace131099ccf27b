/**
 * What was put off, as this process remembers it: so that a later event of a record does not overtake
 * an earlier one, and so that all of it goes on as soon as its target is heard of again.
 */
import type { Deliveries, Delivery } from '../action/deliveries.ts';

/** A delivery, as far as it matters who waits for whom. */
export interface Waiting {
  readonly scope: string;
  readonly subject: string;
  /** Luid of the record that its event is about. */
  readonly linked: string;
  readonly luid: string;
}

/** The deliveries of one record to one target that were put off. */
interface Queue extends Omit<Waiting, 'luid'> {
  untilMs: number;
  readonly luids: Set<string>;
}

export interface PutOffs {
  /** Until when the latest delivery of this record to this target was put off; 0 when none waits. */
  readonly until: (of: Waiting, nowMs: number) => number;
  readonly remember: (of: Waiting, untilMs: number) => void;
  /** Makes all that was put off for a target due now, oldest first. */
  readonly release: (deliveries: Deliveries, subject: string, nowMs: number) => Promise<void>;
}

/** The sweeper comes this often at least; what was put off is on its way this long after. */
const sweptMs = 2_000;
/** How many records with something put off are remembered; of more the oldest are forgotten. */
const queueCountMax = 20_000;

/** Remembers nothing yet. */
export function putOffs(): PutOffs {
  const queues = new Map<string, Queue>();
  const nameOf = ({ subject, linked }: Omit<Waiting, 'luid'>): string => `${subject} ${linked}`;
  return {
    until: (of, nowMs) => {
      const queue = queues.get(nameOf(of));
      if (queue && queue.untilMs + sweptMs < nowMs) queues.delete(nameOf(of));
      return queue && queue.untilMs + sweptMs >= nowMs ? queue.untilMs : 0;
    },
    remember: ({ luid, ...of }, untilMs) => {
      const queue = queues.get(nameOf(of)) ?? { ...of, untilMs, luids: new Set() };
      queue.untilMs = Math.max(queue.untilMs, untilMs);
      queue.luids.add(luid);
      queues.set(nameOf(of), queue);
      const [oldest] = queues.size > queueCountMax ? queues.keys() : [];
      if (oldest !== undefined) queues.delete(oldest);
    },
    release: async (deliveries, subject, nowMs) => {
      const released = [...queues.values()].filter((queue) => queue.subject === subject);
      for (const queue of released) queue.untilMs = nowMs;
      const waiting = released.flatMap(({ scope, luids }) =>
        [...luids].map((luid) => [scope, luid]),
      );
      // Luids sort by the time of their event.
      waiting.sort(([, one = ''], [, other = '']) => (one < other ? -1 : 1));
      for (const [scope = '', luid = ''] of waiting) {
        const delivery = await deliveries.read(scope, subject, luid);
        if (delivery && isPutOff(delivery, nowMs))
          await deliveries.save(
            { ...delivery, dueMs: nowMs, version: delivery.version + 1 },
            delivery,
          );
      }
    },
  };
}

function isPutOff({ status, dueMs }: Delivery, nowMs: number): boolean {
  return status === 'pending' && dueMs !== undefined && dueMs > nowMs;
}
