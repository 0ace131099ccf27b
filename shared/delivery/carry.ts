/**
 * Carrying deliveries: each in its lane, one attempt each time it is there. The next attempt is made by whoever finds
 * it due (`due.ts`), so that nobody's place is held while a delivery waits. What finds no place is put off; what meets
 * a silent target waits for its time, which costs nothing. A crash loses nothing: what was not saved as over is found
 * due again. Decision 85.
 */

import { type AttemptOutcome, isQuick } from '../ledger/delivery.ts';
import { type Delivery, isAsked, placeOf } from '../port/deliveries.ts';
import { attempt, putOff } from './attempt.ts';
import type { AttemptPorts } from './attempted.ts';
import type { WaitingDelivery } from './backlog.ts';
import { noPlace } from './place.ts';
import { trafficOf } from './queues.ts';
import { quickMs } from './room.ts';
import { type Targets, waitingOf } from './targets.ts';
import { tokenMsMax } from './tokens.ts';

export interface CarryPorts extends AttemptPorts {
  readonly targets: Targets;
  /** How long this process may still take on what is due, in milliseconds. */
  readonly patienceMs: () => number;
  /** How long a delivery that is attempted is kept from others, in milliseconds. */
  readonly leaseMs: number;
}

/** How long a delivery is put off that finds no place in its lane. */
const fullMs = 15_000;
/** How many are taken on at a time when a target is heard of again, and how long before their time. */
const releasedCountMax = 50;
const releasedMsMax = 120_000;
/** How many of them may wait in its lanes, and how often that is looked at, in milliseconds. */
const releasedWaitingMax = 100;
const roomMs = 20;
/** What an attempt may take of a lease, in milliseconds: the time of a token and of the call, and to save it. */
const attemptMsMax = tokenMsMax + 12_000;

/** Attempts deliveries; returns at once, see `Queues.idle`. */
export function carry(ports: CarryPorts, deliveries: readonly Delivery[]): void {
  for (const delivery of deliveries) {
    if (ports.targets.holds(delivery)) continue;
    const work = enter(ports, delivery);
    void work?.catch(ports.report);
  }
}

/** Lets a delivery into its lane, or puts it off: then it answers when that is stored. */
function enter(ports: CarryPorts, delivery: Delivery): Promise<unknown> | undefined {
  const nowMs = ports.services.clock();
  if (ports.room.isFull(trafficOf(delivery), nowMs)) return putOff(ports, delivery, nowMs, noPlace);
  // One that was attempted a moment ago keeps its times, whatever others hear of the target. Ruling 57.
  const isFree = isAsked(delivery) || isRetriedSoon(delivery);
  const asked = isFree ? undefined : ports.targets.breaker.ask(delivery.subject, nowMs);
  if (asked && !asked.isProbe && asked.untilMs > 0) return leave(ports, delivery, asked.untilMs);
  const isProbe = isFree || asked?.isProbe === true;
  const inTurn = () => takeTurn(ports, delivery, isProbe).catch(ports.report);
  const isIn = ports.targets.enter(delivery, inTurn);
  return isIn ? undefined : makeDue(ports, delivery, nowMs + fullMs);
}

/** Whether a delivery was attempted, and is to be attempted again in a moment. */
export function isRetriedSoon({ attempts }: Pick<Delivery, 'attempts'>): boolean {
  return attempts > 0 && isQuick(attempts);
}

/** Attempts a delivery whose turn has come, unless its target or its ledger may not be served any more. */
async function takeTurn(ports: CarryPorts, delivery: Delivery, isProbe: boolean): Promise<void> {
  const { services, targets, room } = ports;
  const nowMs = services.clock();
  // While it waited for its turn, the target may have gone silent, or an older one of its line may have failed.
  const silentMs = isProbe ? 0 : targets.breaker.openUntil(delivery.subject, nowMs);
  if (silentMs > 0) return leave(ports, delivery, silentMs);
  const olderMs = targets.backlog.olderUntil(waitingOf(delivery), nowMs);
  if (olderMs > 0) return makeDue(ports, delivery, olderMs + 1);
  if (room.isFull(trafficOf(delivery), nowMs)) {
    await putOff(ports, delivery, nowMs, noPlace);
    return;
  }
  await carryOne(ports, delivery);
}

/**
 * Leaves a delivery of a silent target alone until a time. One that nobody has claimed is found due
 * when its lease ends, which is soon enough and costs no write; later ones in its line wait for it.
 */
async function leave(ports: CarryPorts, delivery: Delivery, untilMs: number): Promise<void> {
  if (delivery.status !== 'pending') return makeDue(ports, delivery, untilMs);
  ports.targets.backlog.remember(waitingOf(delivery), delivery.dueMs ?? untilMs);
}

/** Makes a delivery due at a time, and lets later ones in its line wait for it. */
export async function makeDue(ports: CarryPorts, delivery: Delivery, dueMs: number): Promise<void> {
  ports.targets.backlog.remember(waitingOf(delivery), dueMs);
  await putOff(ports, delivery, dueMs);
}

/** Keeps others away from a delivery while it is attempted; undefined when another was faster. */
export async function claim(ports: CarryPorts, delivery: Delivery): Promise<Delivery | undefined> {
  const dueMs = ports.services.clock() + ports.leaseMs;
  const next: Delivery = { ...delivery, status: 'running', dueMs, version: delivery.version + 1 };
  return (await ports.deliveries.save(next, delivery)) ? next : undefined;
}

/**
 * A delivery whose turn has come, if nobody else may have taken it on: one that waited until its lease
 * is almost over is claimed again.
 */
async function stillOurs(ports: CarryPorts, delivery: Delivery): Promise<Delivery | undefined> {
  const leftMs = (delivery.dueMs ?? 0) - ports.services.clock();
  return leftMs < attemptMsMax ? claim(ports, delivery) : delivery;
}

/** Notes how the target answered; when it answers again, its backlog goes on. */
function listen(
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

/** Takes on what waits for a target that was heard of again, before its time comes; until it is silent. */
async function release(
  ports: CarryPorts,
  heard: Delivery,
  waiting: readonly WaitingDelivery[],
): Promise<void> {
  const { subject } = heard;
  const { targets } = ports;
  const at = { ...trafficOf(heard), target: subject };
  for (let start = 0; start < waiting.length; start += releasedCountMax) {
    while (targets.queues.countAt(at) >= releasedWaitingMax)
      await new Promise((resolve) => setTimeout(resolve, roomMs));
    if (targets.breaker.isOpen(subject) || ports.patienceMs() < 0) return;
    const nowMs = ports.services.clock();
    const names = waiting
      .slice(start, start + releasedCountMax)
      .map((one) => ({ ...one, dueMs: nowMs, isAsked: false }));
    const found = await ports.deliveries.readDue(names, nowMs + releasedMsMax);
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

/** By their places in the lines in which they wait. */
export function byChange(left: Delivery, right: Delivery): number {
  const [a, b] = [placeOf(left), placeOf(right)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Attempts a delivery once; what is left to do is found due. */
async function carryOne(ports: CarryPorts, first: Delivery): Promise<void> {
  const delivery = await stillOurs(ports, first);
  if (!delivery) return;
  const startMs = ports.services.clock();
  const after = await attempt(ports, delivery);
  if (!after) return;
  const { delivery: next, outcome } = after;
  const isQuick = ports.services.clock() - startMs <= quickMs;
  if (outcome) listen(ports, next, outcome, isQuick);
  // Later ones of its line wait for it, as long as it is tried again quickly. Decision 17.
  const isAwaited = next.status === 'pending' || next.isSoon;
  if (isAwaited && next.dueMs !== undefined)
    ports.targets.backlog.remember(waitingOf(next), next.dueMs);
}
