/**
 * The memory of one process about shards, and about gates, by the key of the balance or of the head: how many there were when
 * it was last read, and how many transactions were cancelled lately because another one was there. A wrong memory costs a
 * reading, nothing else.
 */
import { type Key, textOf } from './keys.ts';

/** The ways in which balances get shards, and lose them. */
export interface ShardOptions {
  /** The cancelled transactions within some seconds after which a balance gets more shards. */
  readonly growAfter?: number;
  /** The number of shards that a balance gets first, and the most that it has. */
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
  /** A shard on which this process met nobody the last time; undefined where one is to be drawn. */
  readonly ownOf: (key: Key) => number | undefined;
  /** The same, for one commit alone: others that are under way take another. */
  readonly takeOwn: (key: Key) => number | undefined;
  readonly giveOwn: (key: Key, shard: number) => void;
  /**
   * The time until which others wait, since a process is giving more shards to the balance, asks it to stand still, or
   * removes the gates of the record; 0 when none is.
   */
  readonly growingUntil: (key: Key) => number;
  readonly noteGrowing: (key: Key, untilMs: number) => void;
  /**
   * Notes a cancelled transaction; returns the number of shards that the balance needs as far as is known, or undefined
   * while it needs no more.
   */
  readonly noteCrowd: (key: Key) => number | undefined;
  /** Notes that a balance has got shards, or that its transactions are stored. */
  readonly noteStored: (key: Key) => void;
  readonly noteGrown: (key: Key) => void;
}

const defaults = {
  growAfter: 3,
  step: 8,
  most: 64,
  first: 1,
  lookEveryMs: 5 * 60_000,
  // Found at each call: the clock and the chance of a test take the place of these.
  random: () => Math.random(),
  nowMs: () => Date.now(),
} as const satisfies Required<ShardOptions>;

/** The time in which a cancelled transaction loses half of its weight, in milliseconds. */
const crowdFadeMs = 2_000;
/** The times as many shards that each further meeting asks for: a busy wallet has all it needs after two growths. */
export const growth = 8;
/**
 * The longest time ahead of a mark by which others wait, with the difference of two clocks, in milliseconds. One that lies
 * further ahead is over: the clock of who set it was set back. Decision 87.
 */
export const markMsMax = 2_000;
/** The balances that a process remembers. */
const knownCountMax = 10_000;

/** The memory of a process that has read nothing yet. */
export function newShardBook(options: ShardOptions = {}): ShardBook {
  const limits = { ...defaults, ...options };
  const counts = new Map<string, number>();
  const crowds = new Map<string, { readonly count: number; readonly atMs: number }>();
  const growing = new Map<string, number>();
  const own = new Map<string, number[]>();
  const crowdAt = (key: Key): number => {
    const { count = 0, atMs = 0 } = crowds.get(textOf(key)) ?? {};
    return count * 0.5 ** (Math.max(0, limits.nowMs() - atMs) / crowdFadeMs);
  };
  const note = (key: Key, count: number): void => {
    if (crowds.size > knownCountMax) crowds.clear();
    crowds.set(textOf(key), { count, atMs: limits.nowMs() });
  };
  return {
    ...limits,
    countOf: (key) => counts.get(textOf(key)) ?? 1,
    noteCount: (key, count) => {
      if (count > 1) counts.set(textOf(key), count);
      else counts.delete(textOf(key));
    },
    ownOf: (key) => own.get(textOf(key))?.at(-1),
    takeOwn: (key) => own.get(textOf(key))?.pop(),
    giveOwn: (key, shard) => {
      if (own.size > knownCountMax) own.clear();
      const others = (own.get(textOf(key)) ?? []).filter((one) => one !== shard);
      own.set(textOf(key), [...others, shard]);
    },
    growingUntil: (key) => {
      const untilMs = growing.get(textOf(key)) ?? 0;
      const nowMs = limits.nowMs();
      return untilMs > nowMs && untilMs <= nowMs + markMsMax ? untilMs : 0;
    },
    noteGrowing: (key, untilMs) => {
      if (untilMs > limits.nowMs()) growing.set(textOf(key), untilMs);
      else growing.delete(textOf(key));
    },
    noteCrowd: (key) => {
      const crowd = crowdAt(key) + 1;
      note(key, crowd);
      // Those of a moment ago have lost a little.
      const excess = Math.round(crowd) - limits.growAfter;
      return excess < 0 ? undefined : limits.step * growth ** Math.min(excess, 10);
    },
    noteStored: (key) => {
      if (crowds.has(textOf(key))) note(key, crowdAt(key) / 2);
    },
    noteGrown: (key) => {
      crowds.delete(textOf(key));
    },
  };
}
