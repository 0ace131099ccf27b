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

/** Attempts deliveries; resolves at once, see `Lanes.idle`. Those that find no place stay due. */
export function carry(ports: CarryPorts, deliveries: readonly Delivery[]): void {
  const nowMs = ports.services.clock();
  for (const delivery of deliveries) {
    const { subject, data } = delivery;
    // Its deliveries would each wait as long again, here and at everyone else's expense.
    if ((ports.silences.get(subject) ?? 0) > nowMs) continue;
    ports.lanes.enter(subject, data.linked, () => carryOne(ports, delivery).catch(ports.report));
  }
}

/** Takes on what is due; answers how many. */
export async function carryDue(ports: CarryPorts): Promise<number> {
  const nowMs = ports.services.clock();
  const due = await ports.deliveries.due(nowMs, sweepCountMax);
  const claimed = await Promise.all(due.map((delivery) => claim(ports, delivery)));
  const taken = claimed.flatMap((delivery) => delivery ?? []);
  carry(ports, taken);
  return taken.length;
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
