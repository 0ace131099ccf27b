/**
 * `npm run bench:scale`: the real endpoints, store and workers on a table that behaves as AWS documents it
 * (`test/cloud`), in virtual time. Each workload runs in a process of its own. Names of workloads choose among them:
 * `spread`, `source`, `target`, `both`, `dry`, `ebb`, `payouts`, `payments`, `till`, `dry-till`, `batches`, `ledgers`, `wallets`. `--rate` and
 * `--seconds` set the load of each, in intents, or in new wallets; `--burst` gives partitions the unused capacity of five quiet minutes; `--lost` loses that part of
 * all answers; `--warm` is the time for which the load runs before it is measured, in which a ledger's layout grows;
 * `--full` runs ten seconds of 5,000 a second after five of warming up, each workload some minutes. Payments get a fifth
 * of the rate, payouts a tenth, and a hot wallet at most 1,000 a second. `--wallets` is their number. Times are printed,
 * never asserted.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stackOf } from '../../shared/ledger/thrown.ts';
import '../../localstack/runtime/quiet.ts';
import { VirtualClock } from '../cloud/clock.ts';
import { newGauge } from '../cloud/gauge.ts';
import { drive, openLedger } from '../cloud/load.ts';
import { partition } from '../cloud/parameters.ts';
import { randomOf } from '../cloud/random.ts';
import { workloads } from '../cloud/workload.ts';
import { fixed } from './print.ts';
import { scaleText } from './scale-report.ts';

type Name = keyof typeof workloads;

const startMs = Date.parse('2060-01-01T00:00:00.000Z');
const seed = Number(process.env['SEED'] ?? 1);
/** The parts of the rate of those that write more than a transfer, or that all want one wallet. */
const rateShare: Partial<Record<Name, number>> = {
  payouts: 0.1,
  payments: 0.2,
  till: 0.2,
  'dry-till': 0.2,
};
/** The workloads of one wallet, and the most for it. */
const hot: readonly Name[] = ['source', 'target', 'both', 'dry', 'ebb'];
const hotMax = 1_000;
/** The wallets of a load: enough that transfers between any of them seldom meet. */
const walletsPerRate = 2;
const settleMs = 120_000;
/** A run makes much garbage that is young. */
const execArgv = ['--import', 'tsx', '--max-semi-space-size=128', '--max-old-space-size=12000'];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: 'string' },
    seconds: { type: 'string' },
    warm: { type: 'string' },
    wallets: { type: 'string' },
    lost: { type: 'string', default: '0' },
    burst: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    one: { type: 'string' },
  },
});
const rate = Number(options.rate ?? (options.full ? 5_000 : 1_000));
const seconds = Number(options.seconds ?? (options.full ? 10 : 3));
const warmSeconds = Number(options.warm ?? (options.full ? 5 : 2));
/** The number of the first request that is measured. */
const first = 1_000_000;

/** Runs a workload, and prints what became of it. */
async function run(name: Name): Promise<void> {
  // Conflicts are errors: of a million of them nobody needs to know the stack.
  Error.stackTraceLimit = 0;
  const realMs = performance.now();
  const perSecond = Math.min(hot.includes(name) ? hotMax : rate, rate * (rateShare[name] ?? 1));
  const random = randomOf(seed);
  const clock = new VirtualClock(startMs, random);
  const savedSeconds = options.burst ? partition.burstSeconds : 0;
  const wallets = Number(options.wallets ?? Math.max(100, rate * walletsPerRate));
  const funds = (perSecond * seconds) / 2;
  const work = workloads[name](wallets, funds);
  const lost = Number(options.lost);
  const [text, virtualMs] = await clock.run(async () => {
    const ledger = await openLedger(work, { clock, random, savedSeconds, lost });
    const { dry, warmedBy: requestOf } = work;
    const gauge = dry && newGauge(ledger, dry.wallet, dry.funds);
    ledger.open();
    const warming = { ...work, ...(requestOf && { requestOf }) };
    await drive(ledger, warming, { perSecond, seconds: warmSeconds, settleMs });
    ledger.clear();
    const loadMs = clock.now();
    const cpu = process.cpuUsage();
    const outcome = await drive(ledger, work, { perSecond, seconds, settleMs, first });
    const { user, system } = process.cpuUsage(cpu);
    const cpuMs = (user + system) / 1_000;
    const driven = { work, perSecond, seconds, outcome, ledger, gauge, cpuMs };
    return [scaleText(driven), clock.now() - loadMs];
  });
  const times = `${fixed(Number(virtualMs) / 1_000, 1)} virtual seconds in ${fixed((performance.now() - realMs) / 1_000)} real ones, with the set-up`;
  console.log(`${text}\n  ${times}\n`);
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
    const child = fork(path, [...given, '--one', name], { execArgv });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`The workload ${name} failed.`);
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(stackOf(error));
    process.exit(1);
  },
);
