/**
 * Entries that are on the bus, on their way out of the outbox. One group leaves at a time, and those that are published
 * meanwhile leave together behind it: so each order that is kept between index entries, books and logs of a record holds.
 */
import type { OutboxEntry } from '../port/outbox.ts';
import { nameOf } from './entry-name.ts';

export interface Leaving {
  /** Lets entries leave that were just published. */
  add(entries: readonly OutboxEntry[]): void;
  /** True for an entry that is on the bus: one that has left may be among what was read before. */
  has(entry: OutboxEntry): boolean;
  /** The number of entries that have not left, of a shard or of all. */
  count(shard?: number): number;
  /** The number of groups that have left. */
  leftCount(): number;
  /** Waits until all have left, so many milliseconds at most; false when some have not. Throws why they cannot. */
  ended(msMax?: number): Promise<boolean>;
}

/** Entries that `forget` takes out of the outbox. */
export function newLeaving(forget: (entries: readonly OutboxEntry[]) => Promise<void>): Leaving {
  const names = new Set<string>();
  let next: OutboxEntry[] = [];
  let going: readonly OutboxEntry[] = [];
  let running: Promise<void> | undefined;
  let leftCount = 0;
  const run = async (): Promise<void> => {
    while (next.length > 0) {
      [going, next] = [next, []];
      await forget(going);
      going = [];
      leftCount += 1;
    }
    running = undefined;
  };
  return {
    add: (entries) => {
      for (const entry of entries) names.add(nameOf(entry));
      next.push(...entries);
      if (running || next.length === 0) return;
      running = run();
      // Whoever waits for the end hears of an error.
      running.catch(() => undefined);
    },
    has: (entry) => names.has(nameOf(entry)),
    count: (shard) =>
      [...going, ...next].filter((entry) => shard === undefined || entry.shard === shard).length,
    leftCount: () => leftCount,
    ended: async (msMax) => {
      if (!running) return true;
      if (msMax === undefined) return running.then(() => true);
      let timer: ReturnType<typeof setTimeout> | undefined;
      const isLate = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), msMax);
      });
      try {
        return await Promise.race([running.then(() => true), isLate]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
