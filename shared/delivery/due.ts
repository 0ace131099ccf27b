/**
 * Takes on due deliveries fairly: each ledger has its turns, and in it each target, however much waits for others. A
 * target with an open circuit costs only a look at the markers of its deliveries; after its time, one delivery probes
 * it. Rulings 57 and 61.
 */

import { timeOfLuid } from '../crypto/luid.ts';
import { waitsMs } from '../ledger/delivery.ts';
import {
  callIn,
  type Delivery,
  type DueDelivery,
  type DuePlaces,
  isRetryRequested,
} from '../port/deliveries.ts';
import { end, soonMs, unansweredTooLong, watch } from './attempt.ts';
import { callStateNow } from './call.ts';
import { byChange, type CarryPorts, carry, claim, isRetriedSoon, makeDue } from './carry.ts';
import { trafficOf } from './queues.ts';
import { type Targets, waitingOf } from './targets.ts';

/** The place up to which a process has looked through the due deliveries. */
export interface DueWalk {
  /** The begin of the next look; absent for the beginning. */
  from: DuePlaces | undefined;
  /** The targets that had their share: their later deliveries must not overtake the rest of them. */
  readonly full: Set<string>;
}

export interface DuePorts extends CarryPorts {
  readonly walk: DueWalk;
}

export interface DueLook {
  /** The number of deliveries that were attempted, postponed or given up. */
  readonly handledCount: number;
  /** True when it came to the end of what is due. */
  readonly isWhole: boolean;
  /** The time of the next delivery that is to be attempted on time; absent when there is none soon. */
  readonly nextMs?: number;
}

/** The number of due deliveries that one look takes on, and of those of one target. */
const lookCountMax = 400;
const shareMax = 100;
/** The number of deliveries of one ledger that run and wait before no more of it are taken on: each holds an event in memory. */
const ledgerShareMax = 400;
/** The number that is read and claimed at a time: each may have an event of hundreds of kilobytes. */
const chunkLengthMin = 50;
/** The time after its lease in which a delivery may be due that an earlier process postponed, in milliseconds. */
const postponedMsMax = 60_000;
/** The pause before the next look at a delivery that cannot be given up yet, in milliseconds. */
export const laterMs = 1_800_000;
/** The time from the first attempt of a delivery to its last, in milliseconds. Ruling 57. */
export const scheduleMs = waitsMs.reduce((sum, waitMs) => sum + waitMs, 0);

export function dueWalk(): DueWalk {
  return { from: undefined, full: new Set() };
}

/** Takes on the next part of the due deliveries, without those in a queue of this process. */
export async function carryDue(ports: DuePorts): Promise<DueLook> {
  const { walk, deliveries, services } = ports;
  const nowMs = services.clock();
  const { due: found, next } = await deliveries.due(nowMs + soonMs, walk.from);
  const due = found.filter(({ dueMs }) => dueMs <= nowMs);
  const soon = found.find(({ dueMs, isSoon }) => isSoon && dueMs > nowMs);
  const { chosen, left } = sharesOf(due.filter(isWanted(ports, nowMs)));
  if (next) for (const { subject } of left) walk.full.add(subject);
  else walk.full.clear();
  walk.from = next;
  let handledCount = 0;
  for (const chunk of chunksOf(chosen))
    handledCount += await takeOn(ports, await deliveries.readDue(chunk, nowMs));
  return { handledCount, isWhole: !next, ...(soon && { nextMs: soon.dueMs }) };
}

/**
 * Takes on what an earlier process left behind, without waiting for its leases to end, in the order of the changes.
 * What waits for a quick retry keeps its time, and later ones of its line wait for it. Only for the one process of a
 * deployment.
 */
export async function carryLeft(ports: CarryPorts): Promise<void> {
  const nowMs = ports.services.clock();
  const aheadMs = ports.leaseMs + postponedMsMax;
  const names: DueDelivery[] = [];
  let from: DuePlaces | undefined;
  do {
    const part = await ports.deliveries.due(nowMs + aheadMs, from);
    names.push(...part.due);
    from = part.next;
  } while (from);
  for (const chunk of chunksOf(names)) {
    const left = await ports.deliveries.readDue(chunk, nowMs, aheadMs);
    for (const one of left.filter(isRetriedSoon))
      ports.targets.backlog.remember(waitingOf(one), one.dueMs ?? nowMs);
    await takeOn(ports, left.filter(isLeftBehind(ports)));
  }
}

function isLeftBehind({ targets }: CarryPorts): (delivery: Delivery) => boolean {
  return (one) => !targets.holds(one) && one.status !== 'failed';
}

/**
 * Selects, by its marker, a delivery to take on now. Of a target with an open circuit that is one probe; a delivery
 * that was asked for again, and one to give up, are selected at any time.
 */
function isWanted({ targets, walk }: DuePorts, nowMs: number): (due: DueDelivery) => boolean {
  const probed = new Set<string>();
  return (due) => {
    const { subject } = due;
    // A target that is not through its last share gets no other.
    if (hasItsShare(targets, due)) walk.full.add(subject);
    if (targets.holds(due) || walk.full.has(subject)) return false;
    if (!targets.breaker.isOpen(subject) || due.isReplay || isOld(due, nowMs)) return true;
    const isRested = targets.breaker.openUntil(subject, nowMs) === 0 && !probed.has(subject);
    const isProbe = isRested || due.isSoon === true;
    if (isProbe) probed.add(subject);
    return isProbe;
  };
}

/** True when as many of a target, or of its ledger, run and wait here as may. */
function hasItsShare({ queues }: Targets, due: DueDelivery): boolean {
  const of = trafficOf(due);
  const ofTarget = queues.countAt({ ...of, target: due.subject });
  return ofTarget >= shareMax || queues.countIn(of) >= ledgerShareMax;
}

/** True for an event whose deliveries should have ended their schedule. */
function isOld({ luid }: Pick<Delivery, 'luid'>, nowMs: number): boolean {
  return nowMs - timeOfLuid(luid) > scheduleMs;
}

/** The share of each ledger and target of the due deliveries, in turns, and the rest. */
export function sharesOf(due: readonly DueDelivery[]): {
  readonly chosen: DueDelivery[];
  readonly left: DueDelivery[];
} {
  const ledgers = grouped(due, (one) => `${trafficOf(one).kind} ${one.scope}`).map((own) =>
    inTurns(grouped(own, ({ subject }) => subject).map((queue) => queue.slice(0, shareMax))),
  );
  const chosen = inTurns(ledgers).slice(0, lookCountMax);
  const taken = new Set(chosen);
  return { chosen, left: due.filter((one) => !taken.has(one)) };
}

function grouped(
  due: readonly DueDelivery[],
  nameOf: (one: DueDelivery) => string,
): DueDelivery[][] {
  const groups = new Map<string, DueDelivery[]>();
  for (const one of due) {
    const group = groups.get(nameOf(one));
    if (group) group.push(one);
    else groups.set(nameOf(one), [one]);
  }
  return [...groups.values()];
}

/** The first of each, then the second of each, and so on. */
function inTurns(queues: readonly (readonly DueDelivery[])[]): DueDelivery[] {
  const length = queues.reduce((most, queue) => Math.max(most, queue.length), 0);
  return Array.from({ length }, (_, turn) => queues.flatMap((queue) => queue[turn] ?? [])).flat();
}

/** Deliveries in the order of their events, in chunks; those of one millisecond stay together. */
export function* chunksOf(due: readonly DueDelivery[]): Generator<DueDelivery[]> {
  const sorted = due.toSorted((one, other) => (one.luid < other.luid ? -1 : 1));
  let chunk: DueDelivery[] = [];
  for (const one of sorted) {
    const last = chunk.at(-1);
    const isSplit = last && timeOfLuid(last.luid) !== timeOfLuid(one.luid);
    if (isSplit && chunk.length >= chunkLengthMin) {
      yield chunk;
      chunk = [];
    }
    chunk.push(one);
  }
  if (chunk.length > 0) yield chunk;
}

/** Claims and carries deliveries, or gives up those that waited too long; returns how many it handled. */
async function takeOn(ports: CarryPorts, deliveries: readonly Delivery[]): Promise<number> {
  const ordered = deliveries.toSorted(byChange);
  const probed = new Set<string>();
  const handled = await Promise.all(
    ordered.map(async (delivery) => {
      const isTaken = isRetryRequested(delivery) || mayBeAttempted(ports, delivery, probed);
      return isTaken ? claim(ports, delivery) : giveUp(ports, delivery);
    }),
  );
  const taken = handled.flatMap((one) => (typeof one === 'object' ? one : []));
  carry(ports, taken);
  return handled.filter(Boolean).length;
}

/** True when the target of a delivery may be asked; a target with an open circuit is asked by the first of them. */
function mayBeAttempted(
  { targets, services }: CarryPorts,
  delivery: Delivery,
  probed: Set<string>,
): boolean {
  const { subject } = delivery;
  if (!targets.breaker.isOpen(subject)) return true;
  if (isRetriedSoon(delivery)) {
    probed.add(subject);
    return true;
  }
  const nowMs = services.clock();
  // A call is not given up for its age, and may be the only probe.
  const isOver = isOld(delivery, nowMs) && !callIn(delivery);
  if (isOver || targets.breaker.openUntil(subject, nowMs) > 0) return false;
  if (probed.has(subject)) return false;
  probed.add(subject);
  return true;
}

/** Gives up a delivery that waited too long for an open circuit; true when it wrote something. */
async function giveUp(ports: CarryPorts, delivery: Delivery): Promise<boolean> {
  const nowMs = ports.services.clock();
  const call = callIn(delivery);
  // A call has its own time: its entry may have waited long for a decision.
  const isYoung = call && nowMs - Date.parse(delivery.moment) <= scheduleMs;
  if (isYoung || !isOld(delivery, nowMs)) return false;
  const source = call && (await callStateNow(ports, delivery, call));
  // A delivery that was asked for again began its schedule anew. Decision 17.
  const isOver = nowMs - startOf(delivery) > scheduleMs && !source?.isEndless;
  const verdict = source?.end ?? (isOver ? unansweredTooLong : undefined);
  if (!verdict) {
    if (source?.isEndless) watch(ports, delivery);
    await makeDue(ports, delivery, nowMs + laterMs);
    return true;
  }
  ports.targets.backlog.forget(waitingOf(delivery));
  await end(ports, delivery, verdict);
  return true;
}

/** The time at which a delivery was accepted or, after it was asked for again, last attempted, in milliseconds. */
function startOf({ moment, replay, proofs }: Delivery): number {
  const { moment: attempted } = proofs.at(-1)?.custom ?? {};
  return Date.parse(replay > 0 && typeof attempted === 'string' ? attempted : moment);
}
