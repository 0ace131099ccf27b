/**
 * What is due is taken on fairly: each ledger gets its turns, and each target of it, however much waits for others. A
 * target that is silent costs no more than a look at the markers of what waits for it; once its silence is over, one
 * delivery finds out whether it is there again. Rulings 57 and 61.
 */

import { timeOfLuid } from '../crypto/luid.ts';
import { waitsMs } from '../ledger/delivery.ts';
import {
  callIn,
  type Delivery,
  type DueDelivery,
  type DuePlaces,
  isAsked,
} from '../port/deliveries.ts';
import { end, silentTooLong, soonMs, watch } from './attempt.ts';
import { standingNow } from './call.ts';
import { byChange, type CarryPorts, carry, claim, isRetriedSoon, makeDue } from './carry.ts';
import { trafficOf } from './queues.ts';
import { type Targets, waitingOf } from './targets.ts';

/** How far a process has looked through what is due. */
export interface DueWalk {
  /** Where the next look begins; absent for the beginning. */
  from: DuePlaces | undefined;
  /** The targets that had their share: their later deliveries must not overtake what they left. */
  readonly full: Set<string>;
}

export interface DuePorts extends CarryPorts {
  readonly walk: DueWalk;
}

/** What came of a look. */
export interface DueLook {
  /** How many deliveries were attempted, put off or given up. */
  readonly handledCount: number;
  /** Whether it came to the end of what is due. */
  readonly isWhole: boolean;
  /** When the next one is due that is to be attempted at its time, in milliseconds; absent when none is soon. */
  readonly nextMs?: number;
}

/** How many due deliveries one look takes on, and how many of one target. */
const lookCountMax = 400;
const shareMax = 100;
/** How many of one ledger may run and wait before no more of it are taken on: each holds what it brings. */
const ledgerShareMax = 400;
/** How many are read and claimed at a time: each may bring an event of hundreds of kilobytes. */
const chunkLengthMin = 50;
/** How far ahead whatever an earlier process put off may lie beyond its lease, in milliseconds. */
const putOffMsMax = 60_000;
/** How long a delivery goes on that cannot be given up yet, before it is looked at again. */
export const laterMs = 1_800_000;
/** How long a delivery is attempted from its first attempt to its last one, in milliseconds. Ruling 57. */
export const scheduleMs = waitsMs.reduce((sum, waitMs) => sum + waitMs, 0);

/** A walk that has not begun. */
export function dueWalk(): DueWalk {
  return { from: undefined, full: new Set() };
}

/** Takes on a part of what is due, the part after the last one; what waits in a lane is not taken twice. */
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
 * Takes on what an earlier process left behind when it ended, without waiting for its lease to end and
 * in the order of the changes. Only for a process that knows itself to be the only one.
 */
export async function carryLeft(ports: CarryPorts): Promise<void> {
  const untilMs = ports.services.clock() + ports.leaseMs + putOffMsMax;
  const names: DueDelivery[] = [];
  let from: DuePlaces | undefined;
  do {
    const part = await ports.deliveries.due(untilMs, from);
    names.push(...part.due);
    from = part.next;
  } while (from);
  for (const chunk of chunksOf(names)) {
    const left = await ports.deliveries.readDue(chunk, untilMs);
    await takeOn(ports, left.filter(isNew(ports)));
  }
}

function isNew({ targets }: CarryPorts): (delivery: Delivery) => boolean {
  return (one) => !targets.holds(one) && one.status !== 'failed';
}

/**
 * Whether a delivery is to be taken on now, by its marker. Of a target that was not heard of since its
 * silence that is one, to find out; and at any time what somebody asked for, and what is to be given up.
 */
function isWanted({ targets, walk }: DuePorts, nowMs: number): (due: DueDelivery) => boolean {
  const probed = new Set<string>();
  return (due) => {
    const { subject } = due;
    // One that has not yet got through its last share is not given another.
    if (hasItsShare(targets, due)) walk.full.add(subject);
    if (targets.holds(due) || walk.full.has(subject)) return false;
    if (!targets.breaker.isOpen(subject) || due.isAsked || isOld(due, nowMs)) return true;
    const isRested = targets.breaker.openUntil(subject, nowMs) === 0 && !probed.has(subject);
    const isProbe = isRested || due.isSoon === true;
    if (isProbe) probed.add(subject);
    return isProbe;
  };
}

/** Whether as many of a target, or of its ledger, run and wait here as may. */
function hasItsShare({ queues }: Targets, due: DueDelivery): boolean {
  const of = trafficOf(due);
  const ofTarget = queues.countAt({ ...of, target: due.subject });
  return ofTarget >= shareMax || queues.countIn(of) >= ledgerShareMax;
}

/** Whether an event happened so long ago that its deliveries should have been attempted to the end. */
function isOld({ luid }: Pick<Delivery, 'luid'>, nowMs: number): boolean {
  return nowMs - timeOfLuid(luid) > scheduleMs;
}

/** The share of each ledger and target of what is due, in turns, and what is left of it. */
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

/** Deliveries in the order of their events, some at a time; those of one millisecond stay together. */
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

/** Claims deliveries and carries them, or gives up what waited too long; answers how many it handled. */
async function takeOn(ports: CarryPorts, deliveries: readonly Delivery[]): Promise<number> {
  const ordered = deliveries.toSorted(byChange);
  const probed = new Set<string>();
  const handled = await Promise.all(
    ordered.map(async (delivery) => {
      const isTaken = isAsked(delivery) || mayBeAsked(ports, delivery, probed);
      return isTaken ? claim(ports, delivery) : settle(ports, delivery);
    }),
  );
  const taken = handled.flatMap((one) => (typeof one === 'object' ? one : []));
  carry(ports, taken);
  return handled.filter(Boolean).length;
}

/** Whether the target of a delivery may be asked; one that is in doubt is asked by the first of them. */
function mayBeAsked(
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
  // A call is not given up for its age, and may be the only one who finds out.
  const isOver = isOld(delivery, nowMs) && !callIn(delivery);
  if (isOver || targets.breaker.openUntil(subject, nowMs) > 0) return false;
  if (probed.has(subject)) return false;
  probed.add(subject);
  return true;
}

/** Gives up a delivery that waited too long for a silent target; whether anything was done. */
async function settle(ports: CarryPorts, delivery: Delivery): Promise<boolean> {
  const nowMs = ports.services.clock();
  const asks = callIn(delivery);
  // A call has the time of its entry, which may have waited long for a decision.
  const isYoung = asks && nowMs - Date.parse(delivery.moment) <= scheduleMs;
  if (isYoung || !isOld(delivery, nowMs)) return false;
  const standing = asks && (await standingNow(ports, delivery, asks));
  // What was asked for again has begun its schedule anew. Decision 17.
  const isOver = nowMs - startOf(delivery) > scheduleMs && !standing?.isEndless;
  const verdict = standing?.end ?? (isOver ? silentTooLong : undefined);
  if (!verdict) {
    if (standing?.isEndless) watch(ports, delivery);
    await makeDue(ports, delivery, nowMs + laterMs);
    return true;
  }
  ports.targets.backlog.forget(waitingOf(delivery));
  await end(ports, delivery, verdict);
  return true;
}

/** When a delivery was accepted or, once it was asked for again, last attempted; in milliseconds. */
function startOf({ moment, replay, proofs }: Delivery): number {
  const { moment: attempted } = proofs.at(-1)?.custom ?? {};
  return Date.parse(replay > 0 && typeof attempted === 'string' ? attempted : moment);
}
