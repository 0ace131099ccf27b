/** What became of a load on the model of the cloud, and what it was that held it up. */

import type { Gauge } from '../cloud/gauge.ts';
import type { CloudLedger } from '../cloud/ledger.ts';
import type { Outcome } from '../cloud/load.ts';
import { courierCount, partition } from '../cloud/parameters.ts';
import type { Workload } from '../cloud/workload.ts';
import { formOf } from './partition-report.ts';
import { fixed, quantileOf } from './print.ts';

/** A load that was driven to its end. */
export interface Driven {
  readonly work: Workload;
  readonly perSecond: number;
  readonly seconds: number;
  readonly outcome: Outcome;
  readonly ledger: CloudLedger;
  /** That of the wallet that runs dry. */
  readonly gauge?: Gauge | undefined;
  /** The real time of the processor, in milliseconds: of the product and of the model. */
  readonly cpuMs: number;
}

const frictionCountMax = 4;
/** A load is held up when less than this part of it is done, or a unit of it collides so often. */
const doneMin = 0.99;
const meetsMax = 0.2;
/** Workers that are busy for this part of the time are what limits. */
const busyMax = 0.9;

export function scaleText(driven: Driven): string {
  const { work, perSecond, outcome, ledger, gauge, cpuMs } = driven;
  const { sent, doneMs, doneInSecond, rejectedMs, refused, tookMs, behindMs } = outcome;
  const { friction, complaints, conflictCount, done } = ledger;
  const transactions = friction.requests.get('TransactWriteCommand') ?? 0;
  const others = [...refused].map(([reason, count]) => `${count} × ${reason}`);
  const units = [...friction.asked.values()].reduce((sum, one) => sum + one.writeUnits, 0);
  const each = (count: number, decimals = 1) => fixed(count / Math.max(1, doneMs.length), decimals);
  const { relay, courier } = done;
  return [
    `${work.title}, ${fixed(perSecond)} a second: ${sent} sent`,
    `  done: ${doneMs.length}, ${fixed((doneMs.length * 1_000) / Math.max(1, tookMs))} a second; ${timesOf(doneMs)}`,
    `  done in each second: ${doneInSecond.join(' ')}`,
    ...(others.length > 0 ? [`  not done: ${others.join(', ')}`] : []),
    ...(rejectedMs.length > 0 ? [`  rejected: ${rejectedMs.length}; ${timesOf(rejectedMs)}`] : []),
    ...(gauge
      ? [
          `  the hot wallet has ${gauge.sum()} in the end, had ${gauge.least()} at least, and no shard less than ${gauge.leastShard()}`,
        ]
      : []),
    `  limits: ${limitOf(driven)}`,
    `  for each done: ${each(units)} write units, ${each(transactions, 2)} transactions, ${each(conflictCount(), 2)} rejected for conflicts, ${each(cpuMs, 2)} ms of this machine's CPU, the model's among it`,
    `  relay: ${relay.count} runs of ${meanOf(relay)} ms; couriers: ${courier.count} runs of ${meanOf(courier)} ms, up to ${courier.waitingMax} waited; sweeper: ${done.sweeper.count} runs`,
    `  workers: ${behindMs === undefined ? 'not done yet when the run ended' : `done ${fixed(behindMs / 1_000, 1)} s after the last answer`}; answers lost: ${friction.lost()}${complaints.length > 0 ? `; ${complaints.length} complaints, such as ${complaints[0]}` : ''}`,
    `  partitions that were throttled: ${mostOf(friction.throttled)}`,
    `  items that transactions met on: ${mostOf(friction.met)}`,
  ].join('\n');
}

/** The partition, the item or the workers that the load waits for, or what would be next. */
function limitOf({ outcome, ledger: { friction, done }, seconds }: Driven): string {
  const answered = outcome.doneMs.length + outcome.rejectedMs.length;
  const isHeldUp = answered < outcome.sent * doneMin;
  const activeSeconds = Math.max(seconds, outcome.tookMs / 1_000);
  const [pk, throttles = 0] = greatestOf(friction.throttled);
  const [item, meets = 0] = greatestOf(friction.met);
  if (isHeldUp && throttles > meets)
    return `the partition ${pk}: ${loadOf(friction, pk, activeSeconds)}`;
  if (isHeldUp && meets > 0) return `the item ${item}: ${meets} transactions met another one there`;
  const busy = done.courier.ms / (courierCount * activeSeconds * 1_000);
  if (busy > busyMax)
    return `the couriers: all ${courierCount} places were busy for ${fixed(busy * 100)} % of the time`;
  if (meets > outcome.sent * meetsMax)
    return `nothing is held up; most waits are for the item ${item}, where ${meets} transactions met another one`;
  if (throttles > 0)
    return `nothing is held up; most waits are for the partition ${pk}: ${loadOf(friction, pk, activeSeconds)}`;
  const [next] = [...friction.asked].toSorted(
    ([, one], [, other]) => shareOf(other) - shareOf(one),
  );
  return `nothing; the first partition to be full is ${next?.[0]}: ${loadOf(friction, next?.[0], activeSeconds)}`;
}

function loadOf(
  { asked }: CloudLedger['friction'],
  pk: string | undefined,
  seconds: number,
): string {
  const { writeUnits = 0, readUnits = 0 } = asked.get(pk ?? '') ?? {};
  const { writeUnitsPerSecond, readUnitsPerSecond } = partition;
  return `asked for ${fixed(writeUnits / seconds)} of ${writeUnitsPerSecond} write units and ${fixed(readUnits / seconds)} of ${readUnitsPerSecond} read units a second`;
}

function shareOf({ writeUnits, readUnits }: { writeUnits: number; readUnits: number }): number {
  return Math.max(
    writeUnits / partition.writeUnitsPerSecond,
    readUnits / partition.readUnitsPerSecond,
  );
}

function greatestOf(counts: ReadonlyMap<string, number>): readonly [string?, number?] {
  return [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [];
}

/** The times of those that came to an end. */
function timesOf(ms: readonly number[]): string {
  const [median, most] = [0.5, 0.99].map((share) => fixed(quantileOf(ms, share)));
  return `p50 ${median} ms, p99 ${most} ms`;
}

function meanOf({ count, ms }: { readonly count: number; readonly ms: number }): string {
  return fixed(ms / Math.max(1, count));
}

/** The names with the highest counts; those of one form are counted together. */
function mostOf(counts: ReadonlyMap<string, number>): string {
  const forms = new Map<string, { readonly names: Set<string>; count: number }>();
  for (const [name, count] of counts) {
    const form = formOf(name);
    const known = forms.get(form) ?? { names: new Set<string>(), count: 0 };
    known.names.add(name);
    known.count += count;
    forms.set(form, known);
  }
  const shown = [...forms]
    .toSorted(([, one], [, other]) => other.count - one.count)
    .slice(0, frictionCountMax)
    .map(([form, { names, count }]) => {
      const [only] = names;
      return `${names.size === 1 ? only : `${names.size} of ${form}`} ${count} times`;
    });
  return shown.join(', ') || 'none';
}
