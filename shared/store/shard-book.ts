/**
 * The memory of one process about shards: how many each busy balance had when it was last read, and how many transactions
 * in a row were cancelled because another one was on the same balance. A wrong memory costs a reading, nothing else.
 */
import { type Key, textOf } from './keys.ts';

/** The ways in which balances get shards, and lose them. */
export interface ShardOptions {
  /** The cancelled transactions in a row after which a balance gets more shards. */
  readonly growAfter?: number;
  /** The number of shards that a balance gets at a time, and the most that it has. */
  readonly step?: number;
  readonly most?: number;
  /** The shards with which a balance is opened. */
  readonly first?: number;
  /** The time after which somebody looks again how busy the shards are, in milliseconds. */
  readonly lookEveryMs?: number;
  /** From 0 to below 1. */
  readonly random?: () => number;
  readonly nowMs?: () => number;
}

export interface ShardBook extends Required<ShardOptions> {
  /** The number of shards of the balance at this key when it was last read. */
  readonly countOf: (key: Key) => number;
  readonly noteCount: (key: Key, count: number) => void;
  /** Notes a cancelled transaction; true when there were so many in a row that the balance needs more shards. */
  readonly noteCrowd: (key: Key) => boolean;
  readonly noteStored: (key: Key) => void;
}

const defaults = {
  growAfter: 3,
  step: 8,
  most: 64,
  first: 1,
  lookEveryMs: 5 * 60_000,
  random: Math.random,
  nowMs: Date.now,
} as const satisfies Required<ShardOptions>;

/** The memory of a process that has read nothing yet. */
export function newShardBook(options: ShardOptions = {}): ShardBook {
  const limits = { ...defaults, ...options };
  const counts = new Map<string, number>();
  const crowds = new Map<string, number>();
  return {
    ...limits,
    countOf: (key) => counts.get(textOf(key)) ?? 1,
    noteCount: (key, count) => {
      if (count > 1) counts.set(textOf(key), count);
      else counts.delete(textOf(key));
    },
    noteCrowd: (key) => {
      const inRow = (crowds.get(textOf(key)) ?? 0) + 1;
      const isCrowded = inRow >= limits.growAfter;
      crowds.set(textOf(key), isCrowded ? 0 : inRow);
      return isCrowded;
    },
    noteStored: (key) => {
      crowds.delete(textOf(key));
    },
  };
}
