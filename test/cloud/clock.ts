/**
 * A clock for a whole process that steps when nothing real is pending: while some work runs, timers, `Date` and
 * `performance.now` follow it, and so do chance and retries of the product. Time passes only from timer to timer.
 */
import { performance } from 'node:perf_hooks';
import { assert } from '../../shared/ledger/assert.ts';
import { quiet } from '../fixture/quiet.ts';
import type { Random } from './random.ts';

interface Timer {
  readonly atMs: number;
  readonly id: number;
  readonly fire: () => void;
}

const real = {
  ...{ Date, setTimeout, clearTimeout },
  ...{ random: Math.random, now: performance.now },
};
/** Times are whole parts of a millisecond, so that timers of a busy moment fire together. */
const stepsPerMs = 4;
/** The real time for which work without timers may take something that Node does not list, such as a module to load. */
const patienceMs = 60_000;

export class VirtualClock {
  readonly #startMs: number;
  readonly #random: Random;
  readonly #timers = new Map<number, Timer>();
  readonly #heap: Timer[] = [];
  #nowMs: number;
  #count = 0;

  /** A clock that stands at a time; `random` takes the place of `Math.random`. */
  constructor(startMs: number, random: Random) {
    this.#startMs = startMs;
    this.#nowMs = startMs;
    this.#random = random;
  }

  /** The time, in milliseconds since 1970. */
  now(): number {
    return this.#nowMs;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#set(resolve, ms));
  }

  /** Runs work to its end in the time of this clock. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#install();
    try {
      let isOver = false;
      const result = work().finally(() => {
        isOver = true;
      });
      // A failure is thrown where the work is awaited.
      result.catch(() => undefined);
      await this.#turn(() => isOver);
      return await result;
    } finally {
      Object.assign(globalThis, {
        ...{ Date: real.Date, setTimeout: real.setTimeout, clearTimeout: real.clearTimeout },
      });
      Math.random = real.random;
      performance.now = real.now;
    }
  }

  async #turn(isOver: () => boolean): Promise<void> {
    let idleSince: number | undefined;
    for (;;) {
      await quiet();
      if (isOver()) return;
      const timer = this.#next();
      if (timer) {
        idleSince = undefined;
        this.#fireAll(timer);
        continue;
      }
      const nowMs = real.now.call(performance);
      idleSince ??= nowMs;
      assert(nowMs - idleSince < patienceMs, 'something is pending while the clock stands');
    }
  }

  /** Fires a timer, and those of the same time that were set before it fired. */
  #fireAll(first: Timer): void {
    const lastId = this.#count;
    this.#nowMs = Math.max(this.#nowMs, first.atMs);
    for (let timer: Timer | undefined = first; timer; timer = this.#next(first.atMs, lastId))
      timer.fire();
  }

  #install(): void {
    const now = () => Math.floor(this.#nowMs);
    class VirtualDate extends real.Date {
      constructor(value: number | string = now()) {
        super(value);
      }

      static override now(): number {
        return now();
      }
    }
    const setTimeout = (fire: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) => {
      const id = this.#set(() => fire(...values), ms);
      const timer = { id, ref: () => timer, unref: () => timer, hasRef: () => true };
      return timer;
    };
    const clearTimeout = (timer: { readonly id: number } | undefined) => {
      if (timer) this.#timers.delete(timer.id);
    };
    Object.assign(globalThis, { Date: VirtualDate, setTimeout, clearTimeout });
    Math.random = this.#random;
    performance.now = () => this.#nowMs - this.#startMs;
  }

  #set(fire: () => void, ms: number): number {
    this.#count += 1;
    const atMs = Math.ceil((this.#nowMs + Math.max(0, ms)) * stepsPerMs) / stepsPerMs;
    const timer = { atMs, id: this.#count, fire };
    this.#timers.set(timer.id, timer);
    push(this.#heap, timer);
    return timer.id;
  }

  /** Takes the next timer that was not cleared, up to a time and an id. */
  #next(
    atMs: number = Number.POSITIVE_INFINITY,
    id: number = Number.POSITIVE_INFINITY,
  ): Timer | undefined {
    for (let [timer] = this.#heap; timer; [timer] = this.#heap) {
      if (timer.atMs > atMs || timer.id > id) return undefined;
      pop(this.#heap);
      if (this.#timers.delete(timer.id)) return timer;
    }
    return undefined;
  }
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.id < other.id);
}

/** Adds to a binary heap with the earliest timer on top. */
function push(heap: Timer[], timer: Timer): void {
  let index = heap.length;
  while (index > 0) {
    const above = (index - 1) >>> 1;
    const parent = heap[above] as Timer;
    if (!isBefore(timer, parent)) break;
    heap[index] = parent;
    index = above;
  }
  heap[index] = timer;
}

function pop(heap: Timer[]): Timer | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (!last || heap.length === 0) return first;
  let index = 0;
  for (;;) {
    let below = 2 * index + 1;
    if (below >= heap.length) break;
    const right = heap[below + 1];
    if (right && isBefore(right, heap[below] as Timer)) below += 1;
    const child = heap[below] as Timer;
    if (!isBefore(child, last)) break;
    heap[index] = child;
    index = below;
  }
  heap[index] = last;
  return first;
}
