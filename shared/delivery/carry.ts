/**
 * Carrying deliveries: each in its lane, with the quick retries in place and the later ones left to
 * whoever finds them due. A crash loses nothing: what was not saved as over is found due again.
 */
import type { Delivery } from '../action/deliveries.ts';
import { isQuick } from '../ledger/delivery.ts';
import { type AttemptPorts, attempt } from './attempt.ts';
import { leaseMs } from './courier.ts';
import type { Lanes } from './lanes.ts';

export interface CarryPorts extends AttemptPorts {
  readonly lanes: Lanes;
  /** How long this process may still wait for retries, in milliseconds. */
  readonly patienceMs: () => number;
  /** The deliveries that are in a lane of this process, by luid. */
  readonly held: Set<string>;
  /** Until when a target that did not answer in time is left alone, in milliseconds, by subject. */
  readonly silences: Map<string, number>;
  /** Told of what went wrong on our side; the delivery is found due again. */
  readonly report: (error: unknown) => void;
}

/** A target that asks for more patience than this is not waited for in place: it would hold its lane. */
const waitMsMax = 5_000;

/** How long a target that did not answer in time is left alone by those who come anew, in ms. */
const silenceMs = 15_000;
/** How many due deliveries one sweep takes on. */
const sweepCountMax = 200;
/** How many deliveries of an earlier process are taken on at once; the rest when their lease ends. */
const leftCountMax = 5_000;
/** How many deliveries are claimed at a time. */
const claimCountMax = 50;

/** Attempts deliveries; returns at once, see `Lanes.idle`. Those that find no place stay due. */
export function carry(ports: CarryPorts, deliveries: readonly Delivery[]): void {
  const nowMs = ports.services.clock();
  for (const delivery of deliveries) {
    const { subject } = delivery;
    // Its deliveries would each wait as long again, here and at everyone else's expense.
    const isSilent = (ports.silences.get(subject) ?? 0) > nowMs;
    if (!isSilent && !ports.held.has(delivery.luid)) enterLane(ports, delivery);
  }
}

function enterLane(ports: CarryPorts, delivery: Delivery): void {
  const { luid, subject, data } = delivery;
  const { held, lanes, report } = ports;
  const carryToEnd = async (): Promise<void> => {
    await carryOne(ports, delivery).catch(report);
    held.delete(luid);
  };
  if (lanes.enter(subject, data.linked, carryToEnd)) held.add(luid);
}

/** Takes on what is due; answers how many. What waits in a lane of this process is not taken twice. */
export async function carryDue(ports: CarryPorts): Promise<number> {
  const due = await ports.deliveries.due(ports.services.clock(), sweepCountMax);
  return takeOn(
    ports,
    due.filter(({ luid }) => !ports.held.has(luid)),
  );
}

/**
 * Takes on what an earlier process left behind when it ended, without waiting for its lease to end and
 * in the order of the changes. Only for a process that knows itself to be the only one.
 */
export async function carryLeft(ports: CarryPorts): Promise<number> {
  const leased = await ports.deliveries.due(ports.services.clock() + leaseMs, leftCountMax);
  const left = leased.filter(({ status }) => status === 'pending' || status === 'running');
  return takeOn(ports, left.sort(byChange));
}

async function takeOn(ports: CarryPorts, deliveries: readonly Delivery[]): Promise<number> {
  let takenCount = 0;
  for (let start = 0; start < deliveries.length; start += claimCountMax) {
    const chunk = deliveries.slice(start, start + claimCountMax);
    const claimed = await Promise.all(chunk.map((delivery) => claim(ports, delivery)));
    const taken = claimed.flatMap((delivery) => delivery ?? []);
    carry(ports, taken);
    takenCount += taken.length;
  }
  return takenCount;
}

/** Events by the moment of their change, and within it by its number. */
function byChange({ data: left }: Delivery, { data: right }: Delivery): number {
  const [a, b] = [left.record.data, right.record.data];
  const isSame = a['moment'] === b['moment'];
  if (isSame) return Number(a['change']) - Number(b['change']);
  return String(a['moment']) < String(b['moment']) ? -1 : 1;
}

/** Keeps others away from a delivery while it is attempted; undefined when another was faster. */
async function claim(ports: CarryPorts, delivery: Delivery): Promise<Delivery | undefined> {
  const dueMs = ports.services.clock() + leaseMs;
  const next: Delivery = { ...delivery, status: 'running', dueMs, version: delivery.version + 1 };
  return (await ports.deliveries.save(next, delivery)) ? next : undefined;
}

/** Notes whether the target answered in time. */
function listen({ services, silences }: CarryPorts, { subject, output }: Delivery): void {
  if (output?.['detail'] === 'timeout') silences.set(subject, services.clock() + silenceMs);
  else silences.delete(subject);
}

async function carryOne(ports: CarryPorts, first: Delivery): Promise<void> {
  let delivery: Delivery | undefined = first;
  while (delivery) {
    delivery = await attempt(ports, delivery);
    if (delivery) listen(ports, delivery);
    if (delivery?.dueMs === undefined || !isQuick(delivery.attempts)) return;
    const waitMs = delivery.dueMs - ports.services.clock();
    if (waitMs > Math.min(waitMsMax, ports.patienceMs())) return;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, waitMs)));
    delivery = await claim(ports, delivery);
  }
}
