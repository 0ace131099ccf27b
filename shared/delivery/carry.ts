/**
 * Carrying deliveries: each in its lane, with the quick retries in place and the later ones left to
 * whoever finds them due. What finds no place, or whose target is silent, is put off. A crash loses
 * nothing: what was not saved as over is found due again.
 */
import type { Delivery } from '../action/deliveries.ts';
import { isQuick } from '../ledger/delivery.ts';
import { type AttemptPorts, attempt } from './attempt.ts';
import type { Lanes } from './lanes.ts';
import type { PutOffs, Waiting } from './put-off.ts';
import type { Silences } from './silence.ts';

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
  /** Told of what went wrong on our side; the delivery is found due again. */
  readonly report: (error: unknown) => void;
}

/** A target that asks for more patience than this is not waited for in place: it would hold its lane. */
const waitMsMax = 5_000;
/** How long a delivery is put off that finds no place in its lane. */
const fullMs = 15_000;
/** How many due deliveries one sweep takes on. */
const sweepCountMax = 400;
/** How many deliveries of an earlier process are read, and how many are claimed, at a time. */
const leftCountMax = 2_000;
const claimCountMax = 50;
/** The longest time that a delivery is put off at once. */
const putOffMsMax = 1_800_000;

/**
 * Until when a new delivery is put off; undefined when it may be attempted. An event whose record has
 * an older one put off waits behind it.
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

/** Attempts deliveries; returns at once, see `Lanes.idle`. What finds no place is put off. */
export function carry(ports: CarryPorts, deliveries: readonly Delivery[]): void {
  for (const delivery of deliveries) {
    if (ports.held.has(delivery.luid)) continue;
    const nowMs = ports.services.clock();
    const asked = ports.silences.ask(delivery.subject, nowMs);
    const isProbe = asked.isProbe || isWanted(delivery);
    const untilMs = isProbe ? 0 : asked.untilMs;
    const isIn = untilMs === 0 && enterLane(ports, delivery, isProbe);
    if (isIn) continue;
    const work =
      untilMs > 0 ? putDown(ports, delivery, untilMs) : makeDue(ports, delivery, nowMs + fullMs);
    void work.catch(ports.report);
  }
}

function enterLane(ports: CarryPorts, delivery: Delivery, isProbe: boolean): boolean {
  const { luid, subject, data } = delivery;
  const { held, lanes, report, services, silences } = ports;
  const carryToEnd = async (): Promise<void> => {
    // While it waited for its turn, the target may have gone silent.
    const silentMs = isProbe ? 0 : silences.peek(subject, services.clock());
    const work = silentMs > 0 ? putDown(ports, delivery, silentMs) : carryOne(ports, delivery);
    await work.catch(report);
    held.delete(luid);
  };
  const isIn = lanes.enter(subject, data.linked, carryToEnd);
  if (isIn) held.add(luid);
  return isIn;
}

/** Whether somebody asked to send it again and it was not attempted since: a silence is no answer. */
function isWanted({ replay, attempts }: Delivery): boolean {
  return replay > 0 && attempts === 0;
}

/** Makes a delivery of a silent target due later, each time for twice as long as it waits already. */
async function putDown(ports: CarryPorts, delivery: Delivery, untilMs: number): Promise<void> {
  const nowMs = ports.services.clock();
  const ageMs = nowMs - Date.parse(delivery.moment);
  const isNew = delivery.version <= 2;
  const laterMs = isNew ? untilMs : Math.max(untilMs, nowMs + Math.min(ageMs, putOffMsMax));
  await makeDue(ports, delivery, laterMs);
}

/** Makes a delivery due at a time, and lets later events of its record wait for it. */
async function makeDue(ports: CarryPorts, delivery: Delivery, dueMs: number): Promise<void> {
  const { scope, subject, luid, data, version } = delivery;
  ports.putOffs.remember({ scope, subject, luid, linked: data.linked }, dueMs);
  await ports.deliveries.save(
    { ...delivery, status: 'pending', dueMs, version: version + 1 },
    delivery,
  );
}

/** Takes on what is due; answers how many. What waits in a lane of this process is not taken twice. */
export async function carryDue(ports: CarryPorts): Promise<number> {
  const due = await ports.deliveries.due(ports.services.clock(), sweepCountMax);
  return takeOn(ports, due.filter(isFree(ports)).sort(byChange));
}

/**
 * Takes on what an earlier process left behind when it ended, without waiting for its lease to end and
 * in the order of the changes. Only for a process that knows itself to be the only one.
 */
export async function carryLeft(ports: CarryPorts): Promise<void> {
  const untilMs = ports.services.clock() + ports.leaseMs;
  for (;;) {
    const leased = await ports.deliveries.due(untilMs, leftCountMax);
    const left = leased.filter(isFree(ports)).filter(({ status }) => status !== 'failed');
    await takeOn(ports, left.sort(byChange));
    if (leased.length < leftCountMax || left.length === 0) return;
  }
}

function isFree({ held }: CarryPorts): (delivery: Delivery) => boolean {
  return ({ luid }) => !held.has(luid);
}

/** Claims deliveries and carries them; those of a silent target are put off without being claimed. */
async function takeOn(ports: CarryPorts, deliveries: readonly Delivery[]): Promise<number> {
  let takenCount = 0;
  for (let start = 0; start < deliveries.length; start += claimCountMax) {
    const chunk = deliveries.slice(start, start + claimCountMax);
    const claimed = await Promise.all(chunk.map((delivery) => claimOrPutDown(ports, delivery)));
    const taken = claimed.flatMap((delivery) => delivery ?? []);
    carry(ports, taken);
    takenCount += taken.length;
  }
  return takenCount;
}

async function claimOrPutDown(
  ports: CarryPorts,
  delivery: Delivery,
): Promise<Delivery | undefined> {
  const silentMs = ports.silences.peek(delivery.subject, ports.services.clock());
  if (silentMs === 0 || isWanted(delivery)) return claim(ports, delivery);
  await putDown(ports, delivery, silentMs);
  return undefined;
}

/** Events by the moment of their change, and within it by its number. */
function byChange({ data: left }: Delivery, { data: right }: Delivery): number {
  const [a, b] = [left.record.data, right.record.data];
  if (a['moment'] === b['moment']) return Number(a['change']) - Number(b['change']);
  return String(a['moment']) < String(b['moment']) ? -1 : 1;
}

/** Keeps others away from a delivery while it is attempted; undefined when another was faster. */
async function claim(ports: CarryPorts, delivery: Delivery): Promise<Delivery | undefined> {
  const dueMs = ports.services.clock() + ports.leaseMs;
  const next: Delivery = { ...delivery, status: 'running', dueMs, version: delivery.version + 1 };
  return (await ports.deliveries.save(next, delivery)) ? next : undefined;
}

/** Notes whether the target could be reached; when it can again, what was put off goes on. */
async function listen(ports: CarryPorts, { subject, output }: Delivery): Promise<void> {
  const nowMs = ports.services.clock();
  const isMissed = output?.['reason'] === 'delivery.target-unreachable';
  if (isMissed) ports.silences.missed(subject, output['detail'] === 'timeout', nowMs);
  else if (ports.silences.heard(subject))
    await ports.putOffs.release(ports.deliveries, subject, nowMs);
}

async function carryOne(ports: CarryPorts, first: Delivery): Promise<void> {
  let delivery: Delivery | undefined = first;
  while (delivery) {
    delivery = await attempt(ports, delivery);
    if (delivery) await listen(ports, delivery);
    if (delivery?.dueMs === undefined || !isQuick(delivery.attempts)) return;
    const waitMs = delivery.dueMs - ports.services.clock();
    if (waitMs > Math.min(waitMsMax, ports.patienceMs())) return;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, waitMs)));
    delivery = await claim(ports, delivery);
  }
}
