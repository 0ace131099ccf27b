/** The cost of a million transfers, from the counts and the prices of AWS. */
import type { Consumed } from '../../shared/store/request.ts';
import { assumed, prices } from './prices.ts';
import { fixed, tableOf } from './print.ts';

const parts = ['request', 'relay', 'index', 'books', 'log', 'courier'] as const;
export type Part = (typeof parts)[number];

/** Measured transfers, with their counts. */
export interface Play {
  readonly transferCount: number;
  /** Number of runs of the relay. */
  readonly runCount: number;
  readonly consumed: Readonly<Record<Part, readonly Consumed[]>>;
  readonly eventBytes: readonly number[];
  /** Number of runs of the courier. */
  readonly courierCount: number;
}

type Units = Readonly<Record<'writeUnits' | 'readUnits', number>>;

/** Averages of one transfer. */
interface Taken {
  readonly units: Readonly<Record<Part, Units>>;
  readonly events: number;
  readonly eventKilobytes: number;
  readonly relayRuns: number;
  readonly courierRuns: number;
}

/** The counts, and the costs with their formula. */
export function costText(plays: Readonly<Record<string, Play>>): string {
  const taken = Object.entries(plays).map(([name, play]) => [name, takenOf(play)] as const);
  const names = taken.map(([name]) => name);
  const rowOf = (title: string, pick: (one: Taken) => number, decimals = 1) => [
    title,
    ...taken.map(([, one]) => fixed(pick(one), decimals)),
  ];
  const counts = [
    ...parts.flatMap((part) => [
      rowOf(`write units, ${part}`, ({ units }) => units[part].writeUnits),
      rowOf(`read units, ${part}`, ({ units }) => units[part].readUnits),
    ]),
    rowOf('write units, all', (one) => sumOf(one, 'writeUnits')),
    rowOf('read units, all', (one) => sumOf(one, 'readUnits')),
    rowOf('events', ({ events }) => events),
    rowOf('kilobytes of events', ({ eventKilobytes }) => eventKilobytes),
    rowOf('runs of the relay', ({ relayRuns }) => relayRuns, 2),
    rowOf('runs of the courier', ({ courierRuns }) => courierRuns, 2),
  ];
  const costs = taken.map(([, one]) => costsOf(one));
  const lines = (costs[0] ?? []).map(({ what, formula }, index) => [
    what,
    ...costs.map((list) => fixed(list[index]?.dollars ?? Number.NaN, 2)),
    formula,
  ]);
  const sums = costs.map((list) => list.reduce((sum, { dollars }) => sum + dollars, 0));
  return [
    'A transfer of one claim between wallets of the ledger, nobody subscribed: each takes',
    tableOf(['', ...names], counts),
    'A million of them, in US dollars: what was counted, by the prices and times of test/bench/prices.ts',
    tableOf(
      ['', ...names, 'formula'],
      [...lines, ['all', ...sums.map((sum) => fixed(sum, 2)), '']],
    ),
  ].join('\n\n');
}

function takenOf({ transferCount, runCount, courierCount, consumed, eventBytes }: Play): Taken {
  const each = (sum: number) => sum / transferCount;
  const unitsOf = (list: readonly Consumed[]): Units => ({
    writeUnits: each(list.reduce((sum, one) => sum + one.writeUnits, 0)),
    readUnits: each(list.reduce((sum, one) => sum + one.readUnits, 0)),
  });
  const units = Object.fromEntries(parts.map((part) => [part, unitsOf(consumed[part])]));
  return {
    units: units as Taken['units'],
    events: each(eventBytes.length),
    eventKilobytes: each(eventBytes.reduce((sum, bytes) => sum + bytes, 0)) / 1_000,
    relayRuns: each(runCount),
    courierRuns: each(courierCount),
  };
}

interface Cost {
  readonly what: string;
  readonly dollars: number;
  readonly formula: string;
}

function sumOf({ units }: Pick<Taken, 'units'>, name: keyof Units): number {
  return parts.reduce((total, part) => total + units[part][name], 0);
}

function costsOf({ units, events, eventKilobytes, relayRuns, courierRuns }: Taken): Cost[] {
  const sum = (name: keyof Units) => sumOf({ units }, name);
  const { endpointMs, relayMs, courierMs, loggedBytes } = assumed;
  const invocations = 1 + relayRuns + courierRuns;
  const seconds = (endpointMs + relayRuns * relayMs + courierRuns * courierMs) / 1_000;
  return [
    {
      what: 'API Gateway',
      dollars: prices.requests,
      formula: `1 × ${prices.requests}`,
    },
    {
      what: 'Lambda, invocations',
      dollars: invocations * prices.invocations,
      formula: `(1 + relay runs + courier runs) × ${prices.invocations}`,
    },
    {
      what: 'Lambda, time',
      dollars: seconds * prices.gigabyteSeconds,
      formula: `(${endpointMs} ms + relay runs × ${relayMs} ms + courier runs × ${courierMs} ms) × 1 GB × ${prices.gigabyteSeconds}`,
    },
    {
      what: 'DynamoDB, writes',
      dollars: sum('writeUnits') * prices.writeUnits,
      formula: `write units × ${prices.writeUnits}`,
    },
    {
      what: 'DynamoDB, reads',
      dollars: sum('readUnits') * prices.readUnits,
      formula: `read units × ${prices.readUnits}`,
    },
    {
      what: 'EventBridge',
      dollars: events * prices.events + eventKilobytes * prices.archivedGigabyte,
      formula: `events × ${prices.events} + GB × ${prices.archivedGigabyte} (archive)`,
    },
    {
      what: 'CloudWatch Logs',
      dollars: ((invocations * loggedBytes) / 1_000) * prices.loggedGigabyte,
      formula: `invocations × ${loggedBytes / 1_000} KB × ${prices.loggedGigabyte}`,
    },
  ];
}
