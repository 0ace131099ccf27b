/**
 * Who waits for whom while deliveries are attempted. The events of one record go to one target one
 * after the other; a target takes a limited number at a time, so that a slow one holds up nobody else.
 */

/** What is waiting or running, by target. */
export interface Lanes {
  /**
   * Runs the task when its turn comes; false, at once, when too many wait for the target already.
   * Tasks with the same target and record run in the order in which they came. A task tells its own
   * trouble; that it failed frees its place like any other end.
   */
  readonly enter: (target: string, record: string, task: () => Promise<void>) => boolean;
  /** How many run and wait for a target. */
  readonly countAt: (target: string) => number;
  /** Resolves when nothing waits or runs. */
  readonly idle: () => Promise<void>;
}

interface Waiting {
  readonly record: string;
  readonly task: () => Promise<void>;
}

interface Target {
  running: number;
  /** Oldest first. */
  readonly waiting: Waiting[];
  /** The records that a task is running for. */
  readonly busy: Set<string>;
}

/** Lanes that let `runningMax` tasks run and `waitingMax` wait for each target. */
export function lanes(runningMax: number, waitingMax: number): Lanes {
  const targets = new Map<string, Target>();
  let idlers: (() => void)[] = [];

  const start = (name: string, target: Target, { record, task }: Waiting): void => {
    target.running += 1;
    target.busy.add(record);
    const leave = (): void => {
      target.running -= 1;
      target.busy.delete(record);
      pump(name, target);
    };
    void task().then(leave, leave);
  };

  const pump = (name: string, target: Target): void => {
    for (let next = nextOf(target, runningMax); next; next = nextOf(target, runningMax))
      start(name, target, next);
    if (target.running === 0 && target.waiting.length === 0) targets.delete(name);
    if (targets.size > 0) return;
    for (const resolve of idlers) resolve();
    idlers = [];
  };

  return {
    enter: (name, record, task) => {
      const target = targets.get(name) ?? { running: 0, waiting: [], busy: new Set() };
      if (target.waiting.length >= waitingMax) return false;
      targets.set(name, target);
      target.waiting.push({ record, task });
      pump(name, target);
      return true;
    },
    countAt: (name) => {
      const target = targets.get(name);
      return target ? target.running + target.waiting.length : 0;
    },
    idle: () =>
      targets.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            idlers.push(resolve);
          }),
  };
}

/** Takes the oldest task whose record is not busy, while there is room for it. */
function nextOf({ running, waiting, busy }: Target, runningMax: number): Waiting | undefined {
  if (running >= runningMax) return undefined;
  const index = waiting.findIndex(({ record }) => !busy.has(record));
  return index < 0 ? undefined : waiting.splice(index, 1)[0];
}
