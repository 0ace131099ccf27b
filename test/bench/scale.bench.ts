/**
 * `npm run bench:scale`: the real endpoints, store and workers on a table that behaves as AWS documents it
 * (`test/cloud`), in virtual time. Each workload runs in a process of its own. `--rate` and `--seconds` set the load of
 * each, `--burst` gives partitions the unused capacity of five quiet minutes, `--lost` loses that part of all answers,
 * and names of workloads choose among them. Times are printed, never asserted.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import '../../localstack/runtime/quiet.ts';
import { VirtualClock } from '../cloud/clock.ts';
import { type CloudLedger, newLedger } from '../cloud/ledger.ts';
import { drive, type Outcome, setUp } from '../cloud/load.ts';
import { partition } from '../cloud/parameters.ts';
import { randomOf } from '../cloud/random.ts';
import { type Workload, workloads } from '../cloud/workload.ts';
import { formOf } from './partition-report.ts';
import { fixed, quantileOf } from './print.ts';

type Name = keyof typeof workloads;

const startMs = Date.parse('2060-01-01T00:00:00.000Z');
const seed = Number(process.env['SEED'] ?? 1);
/** Payouts write twenty times as much as transfers. */
const rateShare: Partial<Record<Name, number>> = { payouts: 0.1 };
/** The wallets of a load: enough that transfers between any of them seldom meet. */
const walletsPerRate = 2;
const settleMs = 120_000;
const frictionCountMax = 4;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '3' },
    lost: { type: 'string', default: '0' },
    burst: { type: 'boolean', default: false },
    one: { type: 'string' },
  },
});

/** Runs a workload, and prints what became of it. */
async function run(name: Name): Promise<void> {
  const realMs = performance.now();
  const perSecond = Number(options.rate) * (rateShare[name] ?? 1);
  const seconds = Number(options.seconds);
  const random = randomOf(seed);
  const clock = new VirtualClock(startMs, random);
  const savedSeconds = options.burst ? partition.burstSeconds : 0;
  const workload = workloads[name](Math.max(100, Number(options.rate) * walletsPerRate));
  const [ledger, outcome, virtualMs] = await clock.run(async () => {
    const lost = Number(options.lost);
    const handles = workload.ledgers;
    const made = await newLedger({ clock, random, savedSeconds, lost, handles });
    await setUp(made, workload);
    made.cloud.open();
    const loadMs = clock.now();
    const driven = await drive(made, workload, { perSecond, seconds, settleMs });
    return [made, driven, clock.now() - loadMs] as const;
  });
  const times = `${fixed(virtualMs / 1_000, 1)} virtual seconds in ${fixed((performance.now() - realMs) / 1_000)} real ones`;
  console.log(`${textOf(workload, perSecond, outcome, ledger)}\n  ${times}\n`);
}

function textOf(
  { title }: Workload,
  perSecond: number,
  { sent, storedMs, refused, tookMs, behindMs }: Outcome,
  { cloud, complaints, conflictCount }: CloudLedger,
): string {
  const { throttled, met, requests, lost } = cloud.friction;
  const percentiles = [0.5, 0.99].map((share) => fixed(quantileOf(storedMs, share)));
  const transactions = requests.get('TransactWriteCommand') ?? 0;
  const others = [...refused].map(([reason, count]) => `${count} × ${reason}`);
  return [
    `${title}, ${fixed(perSecond)} a second: ${sent} sent`,
    `  stored: ${storedMs.length}, ${fixed((storedMs.length * 1_000) / tookMs)} a second; p50 ${percentiles[0]} ms, p99 ${percentiles[1]} ms`,
    ...(others.length > 0 ? [`  refused: ${others.join(', ')}`] : []),
    `  transactions: ${transactions}, with those of workers; rejected for conflicts: ${conflictCount()}; answers lost: ${lost()}`,
    `  workers: ${behindMs === undefined ? `not done ${fixed(settleMs / 1_000)} s` : `done ${fixed(behindMs / 1_000, 1)} s`} after the last answer${complaints.length > 0 ? `; ${complaints.length} complaints, such as ${complaints[0]}` : ''}`,
    `  partitions that were throttled: ${mostOf(throttled)}`,
    `  items that transactions met on: ${mostOf(met)}`,
  ].join('\n');
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

async function main(): Promise<void> {
  const { one } = options;
  if (one !== undefined) return run(one as Name);
  const names = positionals.length > 0 ? positionals : Object.keys(workloads);
  const unknown = names.find((name) => !(name in workloads));
  if (unknown)
    throw new Error(`There is no workload ${unknown}: ${Object.keys(workloads).join(', ')}.`);
  const path = fileURLToPath(import.meta.url);
  const given = process.argv.slice(2).filter((argument) => !names.includes(argument));
  for (const name of names) {
    const child = fork(path, [...given, '--one', name], { execArgv: ['--import', 'tsx'] });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`The workload ${name} failed.`);
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.stack : error);
    process.exit(1);
  },
);
