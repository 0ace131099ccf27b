/** Who waits for whom where something may be done by so many at a time. */

/** Does something of a name when there is room among what is done of that name, in the order in which it was asked. */
export type Turns = <Done>(name: string, does: () => Promise<Done>) => Promise<Done>;

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

/** Turns for so many at a time of each name. */
export function turns(runningMax: number): Turns {
  const queues = new Map<string, Queue>();
  return async (name, does) => {
    const queue = queues.get(name) ?? { running: 0, waiting: [] };
    queues.set(name, queue);
    // Whoever ends hands its turn to the one who has waited longest, so that nobody comes in between.
    if (queue.running >= runningMax)
      await new Promise<void>((resolve) => {
        queue.waiting.push(resolve);
      });
    else queue.running += 1;
    try {
      return await does();
    } finally {
      const next = queue.waiting.shift();
      if (next) next();
      else queue.running -= 1;
      if (queue.running === 0) queues.delete(name);
    }
  };
}
