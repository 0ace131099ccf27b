/**
 * Carrying deliveries: each in its lane, with the quick retries in place and the later ones left to
 * whoever finds them due (`due.ts`). What finds no place is put off; what meets a silent target waits
 * for its time, which costs nothing. A crash loses nothing: what was not saved as over is found due again.
 */
import { callIn, type Delivery, isAsked, lineOf } from '../action/deliveries.ts';
import { type AttemptOutcome, isQuick } from '../ledger/delivery.ts';
import { type After, attempt } from './attempt.ts';
import type { AttemptPorts } from './attempted.ts';
import type { Lanes } from './lanes.ts';
import type { PutOffs, Waiting } from './put-off.ts';
import type { Silences } from './silence.ts';
import { tokenMsMax } from './tokens.ts';

export interface CarryPorts extends AttemptPorts {
  readonly lanes: Lanes;
  /** How long this process may still wait for retries, in milliseconds. */
  readonly patienceMs: () => number;
  /** How long a delivery that is attempted is kept from others, in milliseconds. */
  readonly leaseMs: number;
  /** The deliveries that are in a lane of this process, by luid. */
  readonly held: Set<string>;
  readonly silences: Silences;
  readonly putOffs: PutOffs;
}

/** A target that asks for more patience than this is not waited for in place: it would hold its lane. */
const waitMsMax = 5_000;
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
/** How often a delivery that comes too early is looked at again in its lane. */
const earlyCountMax = 3;

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
    const nowMs = ports.services.clock();
    const asked = ports.silences.ask(delivery.subject, nowMs);
    const isProbe = asked.isProbe || isAsked(delivery);
    const untilMs = isProbe ? 0 : asked.untilMs;
    const isIn = untilMs === 0 && enterLane(ports, delivery, isProbe);
    if (isIn) continue;
    const work =
      untilMs > 0 ? leave(ports, delivery, untilMs) : makeDue(ports, delivery, nowMs + fullMs);
    void work.catch(ports.report);
  }
}

function enterLane(ports: CarryPorts, delivery: Delivery, isProbe: boolean): boolean {
  const { luid, subject } = delivery;
  const { held, lanes, report, services, silences } = ports;
  const carryToEnd = async (): Promise<void> => {
    // While it waited for its turn, the target may have gone silent.
    const silentMs = isProbe ? 0 : silences.peek(subject, services.clock());
    const work = silentMs > 0 ? leave(ports, delivery, silentMs) : carryOne(ports, delivery);
    await work.catch(report);
    held.delete(luid);
  };
  const isIn = lanes.enter(subject, lineOf(delivery), carryToEnd);
  if (isIn) {
    held.add(luid);
    ports.putOffs.forget(waitingOf(delivery));
  }
  return isIn;
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
  const version = delivery.version + 1;
  await ports.deliveries.save({ ...delivery, status: 'pending', dueMs, version }, delivery);
}

export function waitingOf(delivery: Delivery): Waiting {
  const { scope, subject, luid } = delivery;
  return { scope, subject, luid, line: lineOf(delivery) };
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
function listen(ports: CarryPorts, { subject }: Delivery, outcome: AttemptOutcome): void {
  const { services, silences, putOffs, lanes, report } = ports;
  const nowMs = services.clock();
  if (outcome.kind === 'unreachable') silences.missed(subject, outcome.why === 'timeout', nowMs);
  else if (silences.heard(subject)) {
    const waiting = putOffs.goOn(subject, nowMs);
    // In a lane of its own: it holds up nothing, and whoever waits for the lanes waits for it.
    const work = () => release(ports, subject, waiting).catch(report);
    if (waiting.length > 0) lanes.enter(`waiting for ${subject}`, subject, work);
  }
}

/** Takes on what waits for a target that was heard of again, before its time comes; until it is silent. */
async function release(
  ports: CarryPorts,
  subject: string,
  waiting: readonly Waiting[],
): Promise<void> {
  for (let start = 0; start < waiting.length; start += releasedCountMax) {
    while (ports.lanes.countAt(subject) >= releasedWaitingMax)
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

/** Events by the moment of their change, and within it by its number; calls as they were accepted. */
export function byChange(left: Delivery, right: Delivery): number {
  const [a, b] = [placeOf(left), placeOf(right)];
  if (a.moment === b.moment) return a.number - b.number;
  return a.moment < b.moment ? -1 : 1;
}

/** Of calls that were accepted at once, what prepares comes first. */
function placeOf(delivery: Delivery): { readonly moment: string; readonly number: number } {
  const asks = callIn(delivery);
  if (asks) return { moment: delivery.moment, number: asks.action === 'prepare' ? 0 : 1 };
  const { moment, change } = delivery.data.record.data;
  return { moment: String(moment), number: Number(change) };
}

async function carryOne(ports: CarryPorts, first: Delivery): Promise<void> {
  let delivery = await stillOurs(ports, first);
  let earlyCount = 0;
  while (delivery) {
    const after = await attempt(ports, delivery);
    if (after?.outcome) listen(ports, after.delivery, after.outcome);
    if (after?.isEarly) earlyCount += 1;
    const waitMs = after && earlyCount <= earlyCountMax ? waitInPlace(ports, after) : undefined;
    if (!after || waitMs === undefined) return;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    delivery = await claim(ports, after.delivery);
  }
}

/** How long a delivery waits for its next attempt here; undefined when others make that. */
function waitInPlace(ports: CarryPorts, { delivery }: After): number | undefined {
  const { dueMs, attempts } = delivery;
  if (dueMs === undefined || !isQuick(attempts)) return undefined;
  const waitMs = dueMs - ports.services.clock();
  return waitMs > Math.min(waitMsMax, ports.patienceMs()) ? undefined : Math.max(0, waitMs);
}
