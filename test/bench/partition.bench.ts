/**
 * `npm run bench:partitions`: the units that real workloads ask of each partition of the table, and the rates at which
 * the busiest one is full. AWS gives a partition 1,000 write and 3,000 read units a second. Workers run between requests,
 * as often as a ledger of that rate runs them. `--all` shows every kind of partition, not only the busiest ones; names
 * choose among the workloads. Nothing is asserted.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { stackOf } from '../../shared/ledger/thrown.ts';
import { pass } from './paced.ts';
import '../../localstack/runtime/quiet.ts';
import { spreadCounts } from '../../shared/store/keys.ts';
import { dynamoLayouts } from '../../shared/store/store.ts';
import { randomOf } from '../cloud/random.ts';
import { type Workload, workloads } from '../cloud/workload.ts';
import type { Body } from '../fixture/client.ts';
import { behindOf } from './behind.ts';
import type { LedgerHere } from './here.ts';
import type { Meter } from './meter.ts';
import { metered } from './metered.ts';
import { type Goal, goalText, type Metered, partitionText } from './partition-report.ts';
import { outsideOf, saidTo } from './payment-rehearsal.ts';
import { banks } from './payment-scene.ts';

/** Of a load: how many units of work come between two runs of the relay, and how many there are. */
interface Play {
  readonly together: number;
  readonly count: number;
  /** The time between two units of work, in milliseconds; that of the machine where there is none. */
  readonly everyMs?: number;
  /** How often the ledger has grown before. */
  readonly growths?: number;
}

const growthsMost = spreadCounts.length - 1;

/**
 * One at a time in a quiet ledger, many in a busy one, and a second's worth in a crowd; and in a ledger that has grown to
 * the largest layout. One that has grown once stands for many of them: where a marker lies depends on the luid of its
 * intent, and on whether the ledger has grown, not on the ledger.
 */
const transferPlays = {
  quiet: { together: 1, count: 100, everyMs: 1_000 },
  busy: { together: 25, count: 500, everyMs: 10 },
  crowd: { together: 1_000, count: 2_000, everyMs: 1 },
  grown: { together: 1_000, count: 4_000, everyMs: 1, growths: growthsMost },
} as const satisfies Record<string, Play>;
const paymentPlays = {
  payments: { together: 1, count: 20 },
  'busy-payments': { together: 200, count: 400 },
  'small-payments': { together: 200, count: 400, growths: 1 },
  'grown-payments': { together: 200, count: 400, growths: growthsMost },
} as const satisfies Record<string, Play>;
const walletCount = 1_000;
/** Those before the count, so that balances are open and caches are full. */
const warmCount = 20;
const path = fileURLToPath(import.meta.url);

/** Creates the records of a workload; returns the luids of its bridges. */
async function setUp(ledger: LedgerHere, { setting }: Workload): Promise<string[]> {
  const bridges: string[] = [];
  for (const posts of setting)
    for (const { path: at, body } of posts) {
      const { luid = '' } = await ledger.post(at, body as Body);
      if (at === '/bridges') bridges.push(luid);
    }
  return bridges;
}

/** Lets a ledger grow so often, as if that had been long ago. */
async function grow({ counting }: LedgerHere, growths: number): Promise<void> {
  const layouts = dynamoLayouts(counting(() => {}));
  for (let count = 0; count < growths; count += 1)
    await layouts.grow('main', await layouts.read('main'), 0);
}

/** Does units of work, with the workers in between; counts from when it is warm. */
async function play(
  { ledger, meter, work, behind }: Scene,
  { together, count, everyMs, growths = 0 }: Play,
): Promise<Pick<Metered, 'count' | 'requestUnits' | 'meter'>> {
  const random = randomOf(1);
  let [number, requestUnits] = [0, 0];
  const some = async (length: number): Promise<void> => {
    for (let done = 0; done < length; done += 1) {
      const { path: at, body } = work.requestOf(number, random);
      number += 1;
      if (everyMs !== undefined) pass(everyMs);
      await ledger.post(at, body as Body);
    }
    await behind();
    for (const { writeUnits } of ledger.heard().consumed) requestUnits += writeUnits;
  };
  await grow(ledger, growths);
  await some(warmCount);
  meter.clear();
  requestUnits = 0;
  for (let done = 0; done < count; done += together) await some(together);
  return { count, requestUnits, meter };
}

interface Scene {
  readonly ledger: LedgerHere;
  readonly meter: Meter;
  readonly work: Workload;
  /** Does what follows until nothing is left. */
  readonly behind: () => Promise<void>;
}

function transfersOf(name: keyof typeof transferPlays): Promise<Metered> {
  return metered(async (ledger, meter) => {
    const work = workloads.spread(walletCount);
    await setUp(ledger, work);
    const { work: behind } = behindOf(ledger);
    await behind();
    const played = await play(
      { ledger, meter, work, behind: async () => void (await behind()) },
      transferPlays[name],
    );
    const title = `A transfer, ${transferPlays[name].together} between two runs of the relay (${name})`;
    return { title, bridges: [], ...played };
  });
}

function paymentsOf(name: keyof typeof paymentPlays): Promise<Metered> {
  return metered(async (ledger, meter) => {
    const work = workloads.payments(walletCount);
    const luids = await setUp(ledger, work);
    const outside = outsideOf(ledger);
    await outside.work();
    /** The banks hear their calls and report, until nobody is called any more. */
    const behind = async (): Promise<void> => {
      for (let calls = await outside.work(); calls.length > 0; calls = await outside.work())
        for (const call of calls) {
          const said = saidTo(call);
          if (said) await ledger.post(said.path, said.proof);
        }
    };
    const played = await play({ ledger, meter, work, behind }, paymentPlays[name]);
    const title = `A payment between two bridges, ${paymentPlays[name].together} between two runs of the relay (${name})`;
    return { title, bridges: [...luids, ...banks.map((bank) => bank.name)], ...played };
  });
}

/** The goals that a workload shows. */
const goals: Readonly<Record<string, readonly Goal[]>> = {
  grown: [{ goal: 5_000, what: 'transfers for a ledger', of: 'ledger' }],
  'small-payments': [
    {
      goal: 5_000,
      what: 'bridged payments for the markers of many small ledgers',
      of: 'everybody',
    },
  ],
  'grown-payments': [
    { goal: 1_000, what: 'bridged payments for a ledger', of: 'ledger' },
    { goal: 500, what: 'bridged payments for one bridge', of: 'bridge' },
    { goal: 5_000, what: "bridged payments for all ledgers' markers", of: 'everybody' },
  ],
};

async function run(name: string, isWhole: boolean): Promise<void> {
  const done = await (name in transferPlays
    ? transfersOf(name as keyof typeof transferPlays)
    : paymentsOf(name as keyof typeof paymentPlays));
  console.log(`${partitionText(done, isWhole)}\n`);
  for (const goal of goals[name] ?? []) console.log(goalText(goal, done));
  if (goals[name]) console.log();
}

/** Each workload runs in a process of its own, since a process has one table. */
async function main(args: readonly string[]): Promise<void> {
  const all = [...Object.keys(transferPlays), ...Object.keys(paymentPlays)];
  const isWhole = args.includes('--all');
  const names = args.filter((one) => !one.startsWith('--'));
  const unknown = names.find((name) => !all.includes(name));
  if (unknown) throw new Error(`There is no workload ${unknown}: ${all.join(', ')}.`);
  if (args.includes('--one')) return run(names[0] ?? '', isWhole);
  for (const name of names.length > 0 ? names : all) {
    const options = ['--one', ...(isWhole ? ['--all'] : [])];
    const child = fork(path, [name, ...options], { execArgv: ['--import', 'tsx'] });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`The workload ${name} failed.`);
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(stackOf(error));
    process.exit(1);
  },
);
