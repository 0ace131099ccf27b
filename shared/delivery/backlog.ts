/**
 * The backlog of each target, as this process remembers it: the deliveries that were put off. A later event of the same
 * record waits behind them, so that it does not overtake.
 */

import type { DeliveryName } from '../port/deliveries.ts';

/** A delivery, as far as its order counts. */
export interface WaitingDelivery extends DeliveryName {
  /** Deliveries of one line wait for each other: `lineOf`. */
  readonly line: string;
  /** Its place among those of its line: `placeOf`. */
  readonly place: string;
}

/** The deliveries of one line to one target. */
interface Line {
  readonly subject: string;
  untilMs: number;
  /** By luid, each with the time until which it waits; one that was due before it was known waits from then on. */
  readonly waiting: Map<string, WaitingDelivery & { readonly untilMs: number }>;
}

/** A delivery is under way this long after its time, in milliseconds, also in another process. */
const underWayMs = 2_000;
/** The wait for a delivery that is due and was not seen yet, in milliseconds. */
const unseenMs = 100;
/** A delivery that is still known to wait this long after its time is not waited for any more, in milliseconds. */
const forgottenMs = 30_000;
/** The longest wait. A later time was set before the clock was set back. Decision 87. */
const longestMs = 25 * 3_600_000;
/** The number of deliveries that are remembered; beyond that, the oldest lines are forgotten. */
const countMax = 50_000;

export class Backlog {
  readonly #lines = new Map<string, Line>();
  #count = 0;

  /** The time until which the latest delivery of this line waits; 0 when none does. */
  until(of: WaitingDelivery, nowMs: number): number {
    const line = this.#lines.get(nameOf(of));
    if (!line) return 0;
    const lateMs = line.waiting.size > 0 ? forgottenMs : underWayMs;
    const isToCome = line.untilMs <= nowMs + longestMs;
    if (isToCome && line.untilMs + lateMs >= nowMs) return line.untilMs;
    this.#drop(nameOf(of));
    return 0;
  }

  /**
   * The time until which an older delivery of this line waits; 0 when none does. One that is due and in no queue yet is
   * waited for as well: a look at what is due is not a snapshot, and may see a delivery without the one before it. In the
   * only process it is waited for longer: nobody else has it, and a busy machine brings it late.
   */
  olderUntil(of: WaitingDelivery, nowMs: number, isOnly = false): number {
    const lateMs = isOnly ? forgottenMs : underWayMs;
    const older = [...(this.#lines.get(nameOf(of))?.waiting.values() ?? [])]
      .filter(({ untilMs, place }) => untilMs + lateMs > nowMs && place < of.place)
      .map(({ untilMs }) => Math.max(untilMs, nowMs + unseenMs));
    return Math.max(0, ...older);
  }

  /** Remembers a delivery until its time, or from now on when that is over. */
  remember(of: WaitingDelivery, untilMs: number, nowMs = untilMs): void {
    const { luid, subject } = of;
    const line = this.#lines.get(nameOf(of)) ?? { subject, untilMs, waiting: new Map() };
    line.untilMs = Math.max(line.untilMs, untilMs);
    this.#count += line.waiting.has(luid) ? 0 : 1;
    line.waiting.set(luid, { ...of, untilMs: Math.max(untilMs, nowMs) });
    this.#lines.set(nameOf(of), line);
    for (const name of this.#lines.keys()) {
      if (this.#count <= countMax) return;
      this.#drop(name);
    }
  }

  /** Removes a delivery that is in a queue, or over. */
  forget(of: WaitingDelivery): void {
    if (this.#lines.get(nameOf(of))?.waiting.delete(of.luid)) this.#count -= 1;
  }

  /** Lets the backlog of a target that answers again go on from now; returns it, oldest first. */
  release(subject: string, nowMs: number): WaitingDelivery[] {
    const own = [...this.#lines.values()].filter((line) => line.subject === subject);
    for (const line of own) line.untilMs = Math.max(line.untilMs, nowMs);
    const waiting = own.flatMap((line) => [...line.waiting.values()]);
    // Luids sort by the time of their event.
    return waiting.sort((one, other) => (one.luid < other.luid ? -1 : 1));
  }

  #drop(name: string): void {
    this.#count -= this.#lines.get(name)?.waiting.size ?? 0;
    this.#lines.delete(name);
  }
}

function nameOf({ subject, line }: WaitingDelivery): string {
  return `${subject} ${line}`;
}
