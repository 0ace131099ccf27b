/**
 * Carrying deliveries: each in its lane, one attempt each time it is there. The next attempt is made by whoever finds
 * it due (`due.ts`), so that nobody's place is held while a delivery waits. What finds no place is put off; what meets
 * a silent target waits for its time, which costs nothing. A crash loses nothing: what was not saved as over is found
 * due again. Decision 85.
 */

import { type AttemptOutcome, isQuick } from '../ledger/delivery.ts';
import { type Delivery, isAsked, lineOf, placeOf } from '../port/deliveries.ts';
import { attempt, putOff } from './attempt.ts';
import type { AttemptPorts } from './attempted.ts';
import type { Lanes } from './lanes.ts';
import { guestOf, noPlace } from './place.ts';
import type { PutOffs, Waiting } from './put-off.ts';
import { quickMs } from './room.ts';
import type { Silences } from './silence.ts';
import { tokenMsMax } from './tokens.ts';

export interface CarryPorts extends AttemptPorts {
  readonly lanes: Lanes;
  /** How long this process may still take on what is due, in milliseconds. */
  readonly patienceMs: () => number;
  /** How long a delivery that is attempted is kept from others, in milliseconds. */
  readonly leaseMs: number;
  /** The deliveries that are in a lane of this process, by luid. */
  readonly held: Set<string>;
  readonly silences: Silences;
  readonly putOffs: PutOffs;
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

/**
 * Until when a new delivery is put off; undefined when it may be attempted. One in whose line an older
 * one is put off waits behind that.
 */
export function putOffUntil(
  { silences, putOffs }: Pick<CarryPorts, 'silences' | 'putOffs'>,
  of: Waiting,
  nowMs: number,
): number | undefined {
  const before = putOffs.until(of, nowMs);
  const untilMs = Math.max(silences.peek(of.subject, nowMs), before > 0 ? before + 1 : 0);
  if (untilMs === 0) return undefined;
  putOffs.remember(of, untilMs);
  return untilMs;
}

/** Attempts deliveries; returns at once, see `Lanes.idle`. */
export function carry(ports: CarryPorts, deliveries: readonly Delivery[]): void {
  for (const delivery of deliveries) {
    if (ports.held.has(delivery.luid)) continue;
    const work = enter(ports, delivery);
    void work?.catch(ports.report);
  }
}

/** Lets a delivery into its lane, or puts it off: then it answers when that is stored. */
function enter(ports: CarryPorts, delivery: Delivery): Promise<unknown> | undefined {
  const nowMs = ports.services.clock();
  const of = guestOf(delivery);
  if (ports.room.isFull(of, nowMs)) return putOff(ports, delivery, nowMs, noPlace);
  // One that was attempted a moment ago keeps its times, whatever others hear of the target. Ruling 57.
  const isFree = isAsked(delivery) || isRetriedSoon(delivery);
  const asked = isFree ? undefined : ports.silences.ask(delivery.subject, nowMs);
  if (asked && !asked.isProbe && asked.untilMs > 0) return leave(ports, delivery, asked.untilMs);
  const isIn = enterLane(ports, delivery, isFree || asked?.isProbe === true);
  return isIn ? undefined : makeDue(ports, delivery, nowMs + fullMs);
}

/** Whether a delivery was attempted, and is to be attempted again in a moment. */
export function isRetriedSoon({ attempts }: Pick<Delivery, 'attempts'>): boolean {
  return attempts > 0 && isQuick(attempts);
}

function enterLane(ports: CarryPorts, delivery: Delivery, isProbe: boolean): boolean {
  const { luid, subject: target } = delivery;
  const { held, lanes, report, silences } = ports;
  const carryToEnd = async (): Promise<void> => {
    await takeTurn(ports, delivery, isProbe).catch(report);
    held.delete(luid);
  };
  const stay = { ...guestOf(delivery), target, line: lineOf(delivery) };
  const isIn = lanes.enter({ ...stay, isProven: silences.isProven(target) }, carryToEnd);
  if (isIn) {
    held.add(luid);
    ports.putOffs.forget(waitingOf(delivery));
  }
  return isIn;
}

/** Attempts a delivery whose turn has come, unless its target or its ledger may not be served any more. */
async function takeTurn(ports: CarryPorts, delivery: Delivery, isProbe: boolean): Promise<void> {
  const { services, silences, putOffs, room } = ports;
  const nowMs = services.clock();
  // While it waited for its turn, the target may have gone silent, or an older one of its line may have failed.
  const silentMs = isProbe ? 0 : silences.peek(delivery.subject, nowMs);
  if (silentMs > 0) return leave(ports, delivery, silentMs);
  const olderMs = putOffs.olderUntil(waitingOf(delivery), nowMs);
  if (olderMs > 0) return makeDue(ports, delivery, olderMs + 1);
  if (room.isFull(guestOf(delivery), nowMs)) {
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
  ports.putOffs.remember(waitingOf(delivery), delivery.dueMs ?? untilMs);
}

/** Makes a delivery due at a time, and lets later ones in its line wait for it. */
export async function makeDue(ports: CarryPorts, delivery: Delivery, dueMs: number): Promise<void> {
  ports.putOffs.remember(waitingOf(delivery), dueMs);
  await putOff(ports, delivery, dueMs);
}

export function waitingOf(delivery: Delivery): Waiting {
  const { scope, subject, luid } = delivery;
  return { scope, subject, luid, line: lineOf(delivery), place: placeOf(delivery) };
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

/** Notes whether the target could be reached; when it can again, what waits for it goes on. */
function listen(
  ports: CarryPorts,
  delivery: Delivery,
  outcome: AttemptOutcome,
  isQuickly: boolean,
): void {
  const { subject } = delivery;
  const { services, silences, putOffs, lanes, report } = ports;
  const nowMs = services.clock();
  if (outcome.kind === 'unreachable') silences.missed(subject, outcome.why === 'timeout', nowMs);
  else if (silences.heard(subject, isQuickly)) {
    const waiting = putOffs.goOn(subject, nowMs);
    // In a lane of its own: it holds up nothing, and whoever waits for the lanes waits for it.
    const work = () => release(ports, delivery, waiting).catch(report);
    const stay = { ...guestOf(delivery), target: `waiting for ${subject}`, line: subject };
    if (waiting.length > 0) lanes.enter({ ...stay, isProven: true }, work);
  }
}

/** Takes on what waits for a target that was heard of again, before its time comes; until it is silent. */
async function release(
  ports: CarryPorts,
  heard: Delivery,
  waiting: readonly Waiting[],
): Promise<void> {
  const { subject } = heard;
  const at = { ...guestOf(heard), target: subject };
  for (let start = 0; start < waiting.length; start += releasedCountMax) {
    while (ports.lanes.countAt(at) >= releasedWaitingMax)
      await new Promise((resolve) => setTimeout(resolve, roomMs));
    if (ports.silences.isDoubted(subject) || ports.patienceMs() < 0) return;
    const nowMs = ports.services.clock();
    const names = waiting
      .slice(start, start + releasedCountMax)
      .map((one) => ({ ...one, dueMs: nowMs, isAsked: false }));
    const found = await ports.deliveries.readDue(names, nowMs + releasedMsMax);
    const free = found.filter(({ luid, status }) => status === 'pending' && !ports.held.has(luid));
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
  const isQuickly = ports.services.clock() - startMs <= quickMs;
  if (outcome) listen(ports, next, outcome, isQuickly);
  // Later ones of its line wait for it, as long as it is tried again quickly. Decision 17.
  const isAwaited = next.status === 'pending' || next.isSoon;
  if (isAwaited && next.dueMs !== undefined) ports.putOffs.remember(waitingOf(next), next.dueMs);
}
