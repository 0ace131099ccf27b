/**
 * What waits for its target, as this process remembers it: so that a later event of a record does not
 * overtake an earlier one.
 */

/** A delivery, as far as it matters who waits for whom. */
export interface Waiting {
  readonly scope: string;
  readonly subject: string;
  /** What it waits in line with: `lineOf`. */
  readonly line: string;
  readonly luid: string;
  /** Its place among those of its line: `placeOf`. */
  readonly place: string;
}

/** The deliveries of one line to one target that wait. */
interface Queue {
  readonly subject: string;
  untilMs: number;
  /** By luid, each with the time until which it waits. */
  readonly waiting: Map<string, Waiting & { readonly untilMs: number }>;
}

export interface PutOffs {
  /** Until when the latest delivery of this line to this target waits; 0 when none does. */
  readonly until: (of: Waiting, nowMs: number) => number;
  /** Until when one waits that is older than this one and not due yet; 0 when none does. */
  readonly olderUntil: (of: Waiting, nowMs: number) => number;
  readonly remember: (of: Waiting, untilMs: number) => void;
  /** A delivery waits no more: it is in its lane, or over. */
  readonly forget: (of: Waiting) => void;
  /** The target was heard of: what waits for it goes on from now on. Answers it, oldest first. */
  readonly goOn: (subject: string, nowMs: number) => Waiting[];
}

/** What waited is on its way this long after its time, in milliseconds, also when others carry it. */
const underWayMs = 2_000;
/** What is still known to wait then is believed to be carried by others after this long. */
const forgottenMs = 30_000;
/** Nobody is put off for longer: what lies beyond it was set before the clock was set back. Decision 87. */
const longestMs = 25 * 3_600_000;
/** How many waiting deliveries are remembered; of more the records that wait longest are forgotten. */
const countMax = 50_000;

/** Remembers nothing yet. */
export function putOffs(): PutOffs {
  const queues = new Map<string, Queue>();
  let count = 0;
  const nameOf = ({ subject, line }: Waiting): string => `${subject} ${line}`;
  const drop = (name: string): void => {
    count -= queues.get(name)?.waiting.size ?? 0;
    queues.delete(name);
  };
  return {
    until: (of, nowMs) => {
      const queue = queues.get(nameOf(of));
      if (!queue) return 0;
      const lateMs = queue.waiting.size > 0 ? forgottenMs : underWayMs;
      const isToCome = queue.untilMs <= nowMs + longestMs;
      if (isToCome && queue.untilMs + lateMs >= nowMs) return queue.untilMs;
      drop(nameOf(of));
      return 0;
    },
    olderUntil: (of, nowMs) => {
      const older = [...(queues.get(nameOf(of))?.waiting.values() ?? [])]
        .filter(({ untilMs, place }) => untilMs > nowMs && place < of.place)
        .map(({ untilMs }) => untilMs);
      return Math.max(0, ...older);
    },
    remember: (of, untilMs) => {
      const { luid, subject } = of;
      const queue = queues.get(nameOf(of)) ?? { subject, untilMs, waiting: new Map() };
      queue.untilMs = Math.max(queue.untilMs, untilMs);
      count += queue.waiting.has(luid) ? 0 : 1;
      queue.waiting.set(luid, { ...of, untilMs });
      queues.set(nameOf(of), queue);
      for (const name of queues.keys()) {
        if (count <= countMax) return;
        drop(name);
      }
    },
    forget: (of) => {
      if (queues.get(nameOf(of))?.waiting.delete(of.luid)) count -= 1;
    },
    goOn: (subject, nowMs) => {
      const own = [...queues.values()].filter((queue) => queue.subject === subject);
      for (const queue of own) queue.untilMs = Math.max(queue.untilMs, nowMs);
      const waiting = own.flatMap((queue) => [...queue.waiting.values()]);
      // Luids sort by the time of their event.
      return waiting.sort((one, other) => (one.luid < other.luid ? -1 : 1));
    },
  };
}
