/** Seeded draws, so that a run can be repeated. */
import { randomOf } from '../simulation/scheduler.ts';
import type { Latency } from './parameters.ts';

export type Random = () => number;

export { randomOf };

/** The standard normal quantile of 99 %. */
const quantile99 = 2.3263;

/** A time in milliseconds, log-normal with these percentiles. */
export function drawn({ p50, p99 }: Latency, random: Random): number {
  // Box and Muller.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return p50 * Math.exp((Math.log(p99 / p50) / quantile99) * normal);
}

/** A time until the next of events that come independently of each other, in milliseconds. */
export function waitDrawn(perSecond: number, random: Random): number {
  return (-Math.log(1 - random()) * 1_000) / perSecond;
}
