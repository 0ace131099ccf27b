/**
 * Attempts deliveries in the queues of their targets, one attempt for each turn. The sweeper finds the next attempt
 * when it is due (`due.ts`), so that no place is held while a delivery waits. A delivery without a place is put off.
 * One whose circuit is open waits, which costs no write. A crash loses none of them: a delivery that was not saved as
 * over becomes due again. Decision 85.
 */

import { type AttemptOutcome, isQuick } from '../ledger/delivery.ts';
import { type Delivery, isRetryRequested, placeOf } from '../port/deliveries.ts';
import { attempt, postpone } from './attempt.ts';
import type { AttemptPorts } from './attempted.ts';
import type { WaitingDelivery } from './backlog.ts';
import { attemptMsMax } from './call.ts';
import { noPlace } from './place.ts';
import { trafficOf } from './queues.ts';
import { quickMs } from './room.ts';
import { type Targets, waitingOf } from './targets.ts';

export interface CarryPorts extends AttemptPorts {
  readonly targets: Targets;
  /** The time for which this process may still take on due deliveries, in milliseconds. */
  readonly patienceMs: () => number;
  /** The lease: how long other processes leave a claimed delivery alone, in milliseconds. */
  readonly leaseMs: number;
}

/** The wait of a delivery whose queue is full, in milliseconds. */
const fullMs = 15_000;
/** The number of a backlog that is taken on at a time once a target answers again, and the time before they are due. */
const releasedCountMax = 50;
const releasedMsMax = 120_000;
/** The number of them that may wait in the queue, and the pause before the next look, in milliseconds. */
const releasedWaitingMax = 100;
const roomMs = 20;

/** Attempts deliveries; returns at once. `Queues.idle` resolves when all of them are over. */
export function carry(ports: CarryPorts, deliveries: readonly Delivery[]): void {
  for (const delivery of deliveries) {
    if (ports.targets.holds(delivery)) continue;
    const work = enter(ports, delivery);
    void work?.catch(ports.report);
  }
}

/** Lets a delivery into its queue, or puts it off; then it returns the write. */
function enter(ports: CarryPorts, delivery: Delivery): Promise<unknown> | undefined {
  const nowMs = ports.services.clock();
  if (ports.room.isFull(trafficOf(delivery), nowMs))
    return postpone(ports, delivery, nowMs, noPlace);
  // A retry of a moment ago keeps its schedule, even when the circuit has opened meanwhile. Ruling 57.
  const isFree = isRetryRequested(delivery) || isRetriedSoon(delivery);
  const turn = isFree ? undefined : ports.targets.breaker.ask(delivery.subject, nowMs);
  if (turn && !turn.isProbe && turn.untilMs > 0) return leave(ports, delivery, turn.untilMs);
  const isProbe = isFree || turn?.isProbe === true;
  const inTurn = () => takeTurn(ports, delivery, isProbe).catch(ports.report);
  const isIn = ports.targets.enter(delivery, inTurn);
  return isIn ? undefined : makeDue(ports, delivery, nowMs + fullMs);
}

/** True for a delivery that is retried within moments. */
export function isRetriedSoon({ attempts }: Pick<Delivery, 'attempts'>): boolean {
  return attempts > 0 && isQuick(attempts);
}

/** Attempts a delivery in its turn, if its target and its ledger still allow it. */
async function takeTurn(ports: CarryPorts, delivery: Delivery, isProbe: boolean): Promise<void> {
  const { services, targets, room } = ports;
  const nowMs = services.clock();
  // While it waited, the circuit may have opened, or an older delivery of its line may have failed.
  const unansweredMs = isProbe ? 0 : targets.breaker.openUntil(delivery.subject, nowMs);
  if (unansweredMs > 0) return leave(ports, delivery, unansweredMs);
  const olderMs = targets.backlog.olderUntil(waitingOf(delivery), nowMs, room.isOnly);
  if (olderMs > 0) return makeDue(ports, delivery, olderMs + 1);
  if (room.isFull(trafficOf(delivery), nowMs)) {
    await postpone(ports, delivery, nowMs, noPlace);
    return;
  }
  await carryOne(ports, delivery);
}

/**
 * Leaves a delivery alone while the circuit of its target is open. An unclaimed delivery becomes due when its lease ends,
 * which costs no write. Later ones of its line wait for it.
 */
async function leave(ports: CarryPorts, delivery: Delivery, untilMs: number): Promise<void> {
  if (delivery.status !== 'pending') return makeDue(ports, delivery, untilMs);
  ports.targets.backlog.remember(waitingOf(delivery), delivery.dueMs ?? untilMs);
}

/** Makes a delivery due at a time; later ones of its line wait for it. */
export async function makeDue(ports: CarryPorts, delivery: Delivery, dueMs: number): Promise<void> {
  ports.targets.backlog.remember(waitingOf(delivery), dueMs);
  await postpone(ports, delivery, dueMs);
}

/** Claims a delivery for this process; undefined when another one was faster. */
export async function claim(ports: CarryPorts, delivery: Delivery): Promise<Delivery | undefined> {
  const dueMs = ports.services.clock() + ports.leaseMs;
  const next: Delivery = { ...delivery, status: 'running', dueMs, version: delivery.version + 1 };
  return (await ports.deliveries.save(next, delivery)) ? next : undefined;
}

/** A delivery in its turn, if this process still has it. Near the end of its lease it is claimed again. */
async function stillOurs(ports: CarryPorts, delivery: Delivery): Promise<Delivery | undefined> {
  const leftMs = (delivery.dueMs ?? 0) - ports.services.clock();
  return leftMs < attemptMsMax ? claim(ports, delivery) : delivery;
}

/** Notes how the target answered; when it answers again, its backlog goes on. */
function noteAnswer(
  ports: CarryPorts,
  delivery: Delivery,
  outcome: AttemptOutcome,
  isQuick: boolean,
): void {
  const { subject } = delivery;
  const { services, targets, report } = ports;
  const waiting = targets.note(subject, outcome, { isQuick, nowMs: services.clock() });
  if (waiting.length === 0) return;
  // In a queue of its own: it holds up no delivery, and `Queues.idle` waits for it.
  const entry = { ...trafficOf(delivery), target: `backlog of ${subject}`, line: subject };
  const work = () => release(ports, delivery, waiting).catch(report);
  targets.queues.enter({ ...entry, isProven: true }, work);
}

/** Takes on the backlog of a target that answers again, before its time, until the circuit opens. */
async function release(
  ports: CarryPorts,
  answered: Delivery,
  waiting: readonly WaitingDelivery[],
): Promise<void> {
  const { subject } = answered;
  const { targets } = ports;
  const at = { ...trafficOf(answered), target: subject };
  for (let start = 0; start < waiting.length; start += releasedCountMax) {
    while (targets.queues.countAt(at) >= releasedWaitingMax)
      await new Promise((resolve) => setTimeout(resolve, roomMs));
    if (targets.breaker.isOpen(subject) || ports.patienceMs() < 0) return;
    const nowMs = ports.services.clock();
    const names = waiting
      .slice(start, start + releasedCountMax)
      .map((one) => ({ ...one, dueMs: nowMs, isReplay: false }));
    const found = await ports.deliveries.readDue(names, nowMs, releasedMsMax);
    const free = found.filter((one) => one.status === 'pending' && !targets.holds(one));
    const claimed = await Promise.all(
      free.toSorted(byChange).map((delivery) => claim(ports, delivery)),
    );
    carry(
      ports,
      claimed.flatMap((one) => one ?? []),
    );
  }
}

/** The order of two deliveries in their line. */
export function byChange(left: Delivery, right: Delivery): number {
  const [a, b] = [placeOf(left), placeOf(right)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Attempts a delivery once; a retry is found due later. */
async function carryOne(ports: CarryPorts, first: Delivery): Promise<void> {
  const delivery = await stillOurs(ports, first);
  if (!delivery) return;
  const startMs = ports.services.clock();
  const after = await attempt(ports, delivery);
  if (!after) return;
  const { delivery: next, outcome } = after;
  const isQuick = ports.services.clock() - startMs <= quickMs;
  if (outcome) noteAnswer(ports, next, outcome, isQuick);
  // Later ones of its line wait for a retry that comes soon. Decision 17.
  const isAwaited = next.status === 'pending' || next.isSoon;
  if (isAwaited && next.dueMs !== undefined)
    ports.targets.backlog.remember(waitingOf(next), next.dueMs);
}
