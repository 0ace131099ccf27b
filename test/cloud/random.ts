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

/** The times of so many events within some time, in order: they come independently of each other, and none is missing. */
export function timesDrawn(count: number, withinMs: number, random: Random): number[] {
  const times = Array.from({ length: count }, () => random() * withinMs);
  return times.toSorted((one, other) => one - other);
}
