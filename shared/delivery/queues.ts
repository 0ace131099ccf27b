/**
 * A queue for each target, in front of the places that this process has for attempts. The events of one record go to
 * one target one after the other, the oldest of those that wait first. Each ledger has a share of the places, and each target a share of that. Calls to
 * bridges have places of their own. Free places go round the ledgers, and within a ledger round its targets.
 * Rulings 59 and 61.
 */

import type { Delivery } from '../port/deliveries.ts';

/** The unit that limits count: the calls of a ledger, or its events. */
export interface TrafficClass {
  readonly kind: 'call' | 'event';
  readonly scope: string;
}

export interface QueueEntry extends TrafficClass {
  readonly target: string;
  /** Entries of one line wait for each other on their way to the target. */
  readonly line: string;
  /** Its place among those of its line, as a text that sorts; absent where they go in the order in which they came. */
  readonly place?: string;
  /** True for a target that answered quickly the last time; the others share fewer places. It holds for all that waits. */
  readonly isProven?: boolean;
}

/** The number of places, for calls and for events each. */
export interface Places {
  readonly all: number;
  readonly ofLedger: number;
  /** Of these, for targets that are not proven. */
  readonly ofUnproven: number;
  readonly ofTarget: number;
  /** The most that may wait for one target. */
  readonly waiting: number;
}

interface Waiting {
  readonly entry: QueueEntry;
  readonly task: () => Promise<void>;
}

interface TargetQueue {
  running: number;
  /** As the latest entry says: if each said it of itself, a later one of a line would overtake an earlier one. */
  isProven: boolean;
  /** Oldest first. */
  readonly waiting: Waiting[];
  /** The lines that a task is running for. */
  readonly busy: Set<string>;
}

interface LedgerQueues {
  readonly kind: TrafficClass['kind'];
  running: number;
  unproven: number;
  /** The number that runs and waits. */
  count: number;
  /** By target; the one that had a turn comes last. */
  readonly targets: Map<string, TargetQueue>;
}

/** The class of a delivery: a call to a bridge, or an event for an effect. */
export function trafficOf({ scope, subject }: Pick<Delivery, 'scope' | 'subject'>): TrafficClass {
  return { kind: subject.startsWith('$brg.') ? 'call' : 'event', scope };
}

export class Queues {
  readonly #places: Places;
  /** By traffic class; the one that had a turn comes last. */
  readonly #ledgers = new Map<string, LedgerQueues>();
  readonly #running = { call: 0, event: 0 };
  #idlers: (() => void)[] = [];

  constructor(places: Places) {
    this.#places = places;
  }

  /**
   * Runs the task when its turn comes; false, at once, when too many wait for the target already. Tasks with the same
   * target and line run one after the other, by their places: an older one that comes back while a later one waits goes
   * first. A task that fails frees its place; it reports its own error.
   */
  enter(entry: QueueEntry, task: () => Promise<void>): boolean {
    const ledger = this.#ledgers.get(nameOf(entry)) ?? newLedger(entry.kind);
    const queue = ledger.targets.get(entry.target) ?? newQueue();
    if (queue.waiting.length >= this.#places.waiting) return false;
    this.#ledgers.set(nameOf(entry), ledger);
    ledger.targets.set(entry.target, queue);
    ledger.count += 1;
    queue.isProven = entry.isProven === true;
    queue.waiting.push({ entry, task });
    this.#startAt(ledger, queue);
    return true;
  }

  /** The number that runs and waits for a target. */
  countAt(of: Omit<QueueEntry, 'line'>): number {
    const queue = this.#ledgers.get(nameOf(of))?.targets.get(of.target);
    return queue ? queue.running + queue.waiting.length : 0;
  }

  /** The number that runs and waits of a class. */
  countIn(of: TrafficClass): number {
    return this.#ledgers.get(nameOf(of))?.count ?? 0;
  }

  /** Resolves when nothing waits or runs. */
  async idle(): Promise<void> {
    if (this.#ledgers.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#idlers.push(resolve);
    });
  }

  /** Starts the oldest task of a target whose line is free, if there is a place for it; true when it started one. */
  #startAt(ledger: LedgerQueues, queue: TargetQueue): boolean {
    const { all, ofLedger, ofTarget, ofUnproven } = this.#places;
    const hasPlace =
      this.#running[ledger.kind] < all && ledger.running < ofLedger && queue.running < ofTarget;
    if (!hasPlace || (!queue.isProven && ledger.unproven >= ofUnproven)) return false;
    const index = nextIndexOf(queue);
    const [next] = index < 0 ? [] : queue.waiting.splice(index, 1);
    if (next) this.#run(ledger, queue, next);
    return next !== undefined;
  }

  #run(ledger: LedgerQueues, queue: TargetQueue, { entry, task }: Waiting): void {
    const { isProven } = queue;
    const count = (by: 1 | -1): void => {
      this.#running[ledger.kind] += by;
      ledger.running += by;
      ledger.unproven += isProven ? 0 : by;
      queue.running += by;
    };
    count(1);
    queue.busy.add(entry.line);
    toEnd(this.#ledgers, nameOf(entry), ledger);
    toEnd(ledger.targets, entry.target, queue);
    const leave = (): void => {
      count(-1);
      queue.busy.delete(entry.line);
      ledger.count -= 1;
      this.#startAll();
      if (queue.running === 0 && queue.waiting.length === 0) ledger.targets.delete(entry.target);
      if (ledger.targets.size === 0) this.#ledgers.delete(nameOf(entry));
      if (this.#ledgers.size > 0) return;
      for (const resolve of this.#idlers) resolve();
      this.#idlers = [];
    };
    void task().then(leave, leave);
  }

  /** Starts what has a place now: one task of each ledger, and then the next. */
  #startAll(): void {
    const startOneOf = (ledger: LedgerQueues): boolean =>
      ledger.running < this.#places.ofLedger &&
      [...ledger.targets.values()].some((queue) => this.#startAt(ledger, queue));
    let isAny = true;
    while (isAny) isAny = [...this.#ledgers.values()].filter(startOneOf).length > 0;
  }
}

/** Finds the task that goes next, the oldest of the first line that no task runs for; returns -1 when there is none. */
function nextIndexOf({ waiting, busy }: TargetQueue): number {
  const firstIndex = waiting.findIndex(({ entry }) => !busy.has(entry.line));
  const first = waiting[firstIndex]?.entry;
  if (!first) return -1;
  let oldest = { index: firstIndex, entry: first };
  for (const [index, { entry }] of waiting.entries())
    if (entry.line === first.line && (entry.place ?? '') < (oldest.entry.place ?? ''))
      oldest = { index, entry };
  return oldest.index;
}

function nameOf({ kind, scope }: TrafficClass): string {
  return `${kind} ${scope}`;
}

function newLedger(kind: TrafficClass['kind']): LedgerQueues {
  return { kind, running: 0, unproven: 0, count: 0, targets: new Map() };
}

function newQueue(): TargetQueue {
  return { running: 0, isProven: false, waiting: [], busy: new Set() };
}

function toEnd<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name);
  map.set(name, value);
}
