/**
 * The state that one process keeps for each target: a circuit breaker, a queue for its places, and the backlog of what was put
 * off. All of it is memory. A process that ends loses none of the deliveries: the next one finds them due.
 */

import type { AttemptOutcome } from '../ledger/delivery.ts';
import { type Delivery, lineOf, placeOf, spreadMemberOf } from '../port/deliveries.ts';
import { Backlog, type WaitingDelivery } from './backlog.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { type Places, Queues, trafficOf } from './queues.ts';

export class Targets {
  readonly breaker = new CircuitBreaker();
  readonly backlog = new Backlog();
  readonly queues: Queues;
  /** The luids of the deliveries that run or wait in a queue. */
  readonly #queued = new Set<string>();

  constructor(places: Places) {
    this.queues = new Queues(places);
  }

  /** True while a delivery runs or waits in a queue here. */
  holds({ luid }: Pick<Delivery, 'luid'>): boolean {
    return this.#queued.has(luid);
  }

  /** Lets a delivery into the queue of its target, to be attempted in its turn; false when that queue is full. */
  enter(delivery: Delivery, attempt: () => Promise<void>): boolean {
    const { luid, subject: target } = delivery;
    const { line, place } = waitingOf(delivery);
    const entry = { ...trafficOf(delivery), target, line, place };
    const isIn = this.queues.enter(
      { ...entry, isProven: this.breaker.isProven(target) },
      async () => {
        await attempt();
        this.#queued.delete(luid);
      },
    );
    if (isIn) {
      this.#queued.add(luid);
      this.backlog.forget(waitingOf(delivery));
    }
    return isIn;
  }

  /** The time until which a new delivery is put off, behind older ones of its line; undefined when it may be attempted. */
  postponedUntil(of: WaitingDelivery, nowMs: number): number | undefined {
    const before = this.backlog.until(of, nowMs);
    const openMs = this.breaker.openUntil(of.subject, nowMs);
    const untilMs = Math.max(openMs, before > 0 ? before + 1 : 0);
    if (untilMs === 0) return undefined;
    this.backlog.remember(of, untilMs, nowMs);
    return untilMs;
  }

  /** Notes how a target answered; returns the backlog that may go on now, when that closed its circuit. */
  note(
    target: string,
    outcome: AttemptOutcome,
    { isQuick, nowMs }: { readonly isQuick: boolean; readonly nowMs: number },
  ): WaitingDelivery[] {
    if (outcome.kind !== 'unreachable')
      return this.breaker.answered(target, isQuick) ? this.backlog.release(target, nowMs) : [];
    this.breaker.missed(target, outcome.why === 'timeout', nowMs);
    return [];
  }
}

export function waitingOf(
  delivery: Pick<Delivery, 'scope' | 'subject' | 'luid' | 'spread' | 'data' | 'moment'>,
): WaitingDelivery {
  const { scope, subject, luid } = delivery;
  const name = { scope, subject, luid, ...spreadMemberOf(delivery) };
  return { ...name, line: lineOf(delivery), place: placeOf(delivery) };
}
