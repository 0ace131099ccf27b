/** Counts and measurements, as tables for people and as data for programs. */
import type { Measured } from './load.ts';
import { fixed, medianOf, quantileOf, rangeOf, tableOf } from './print.ts';
import type { Transfer } from './rehearsal.ts';
import type { Workload } from './scene.ts';
import { storedItemsOf } from './stored.ts';

const roundTripGoal = 2;
const writeUnitGoal = 12;

export interface Level {
  readonly workload: Workload;
  readonly clients: number;
}

/** The turns of floor and ledger at one level, in their order. */
export interface Round {
  readonly level: Level;
  readonly floor: readonly Measured[];
  readonly ledger: readonly Measured[];
}

type Counts = ReturnType<typeof countsOf>;
export type Rates = ReturnType<typeof ratesOf>;

/** Requests of each transfer to the database. */
export function countsOf(transfers: readonly Transfer[]) {
  const unitsOf = (name: 'readUnits' | 'writeUnits') =>
    transfers.map(({ consumed }) => consumed.reduce((sum, one) => sum + one[name], 0));
  const stored = transfers.map(storedItemsOf);
  const items = (stored[0] ?? []).map(({ name }, index) => ({
    name,
    bytes: stored.map((items) => items[index]?.bytes ?? Number.NaN),
    writeUnits: stored.map((items) => items[index]?.writeUnits ?? Number.NaN),
  }));
  return {
    operations: transfers[0]?.consumed.map(({ operation }) => operation) ?? [],
    roundTrips: transfers.map(({ consumed }) => consumed.length),
    writeUnits: unitsOf('writeUnits'),
    readUnits: unitsOf('readUnits'),
    items,
  };
}

/** The counts as text. */
export function countsText({
  operations,
  roundTrips,
  writeUnits,
  readUnits,
  items,
}: Counts): string {
  const verdict = (values: readonly number[], goal: number) => [
    `≤ ${goal}`,
    Math.max(...values) <= goal ? 'met' : 'MISSED',
  ];
  return [
    `A transfer of one claim, by consumed capacity (${roundTrips.length} transfers)`,
    tableOf(
      ['', 'each', 'goal', ''],
      [
        ['round trips', rangeOf(roundTrips), ...verdict(roundTrips, roundTripGoal)],
        ['write units', rangeOf(writeUnits), ...verdict(writeUnits, writeUnitGoal)],
        ['read units', rangeOf(readUnits), '', ''],
      ],
    ),
    `What it sends: ${operations.join(', ')}. What it writes:`,
    tableOf(
      ['item', 'bytes', 'write units'],
      items.map(({ name, ...item }) => [name, rangeOf(item.bytes), rangeOf(item.writeUnits)]),
    ),
  ].join('\n\n');
}

/** The counts as data; the greatest value where transfers differ. */
export function countsData({ operations, roundTrips, writeUnits, readUnits, items }: Counts) {
  const greatest = (values: readonly number[]) => Math.max(...values);
  return {
    operations,
    roundTrips: greatest(roundTrips),
    writeUnits: greatest(writeUnits),
    readUnits: greatest(readUnits),
    items: items.map(({ name, ...item }) => ({
      name,
      bytes: greatest(item.bytes),
      writeUnits: greatest(item.writeUnits),
    })),
  };
}

/** The results of a level: rates by turn, latency of all turns together. */
export function ratesOf({ level, floor, ledger }: Round) {
  const ratios = ledger.map((one, index) => rateOf(one) / rateOf(floor[index] as Measured));
  return { ...level, floor: sideOf(floor), ledger: sideOf(ledger), ratios };
}

function sideOf(measured: readonly Measured[]) {
  const latencies = measured.flatMap(({ latenciesMs }) => latenciesMs);
  return {
    rates: measured.map(rateOf),
    p50Ms: quantileOf(latencies, 0.5),
    p99Ms: quantileOf(latencies, 0.99),
    cpuMs: medianOf(measured.map((one) => one.cpuMs.own / one.completed)),
    /** CPUs that other processes used. */
    others: medianOf(measured.map((one) => one.cpuMs.others / one.seconds / 1000)),
    failed: measured.reduce((sum, one) => sum + one.failed, 0),
    firstFailure: measured.map((one) => one.firstFailure).find((text) => text !== '') ?? '',
  };
}

function rateOf({ completed, seconds }: Measured): number {
  return completed / seconds;
}

/** The rates as text. */
export function ratesText(rows: readonly Rates[]): string {
  const span = (values: readonly number[], decimals = 0) =>
    `${fixed(medianOf(values), decimals)} (${rangeOf(values, decimals)})`;
  const latency = ({ p50Ms, p99Ms }: Rates['floor']) => `${fixed(p50Ms, 1)} / ${fixed(p99Ms, 1)}`;
  const rates = rows.map(({ workload, clients, floor, ledger, ratios }) => [
    workload,
    clients,
    span(floor.rates),
    latency(floor),
    span(ledger.rates),
    latency(ledger),
    span(ratios, 2),
  ]);
  const cpu = rows.map(({ workload, clients, floor, ledger }) => [
    workload,
    clients,
    fixed(ledger.cpuMs, 2),
    fixed(floor.cpuMs, 2),
    fixed(Math.max(floor.others, ledger.others), 1),
  ]);
  const latencyColumn = 'p50 / p99 ms';
  return [
    'Completed transfers a second: median of the turns (least–greatest)',
    tableOf(
      [...['wallets', 'clients', 'floor/s', latencyColumn, 'ledger/s', latencyColumn, 'ratio']],
      rates,
    ),
    'CPU time of one transfer in milliseconds, with the database; and how many CPUs something else was busy on',
    tableOf(['wallets', 'clients', 'ledger', 'floor, with its clients', 'something else'], cpu),
  ].join('\n\n');
}
