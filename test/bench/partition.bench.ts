/**
 * `npm run bench:partitions`: the units that real workloads ask of each partition of the table, and the rates at which
 * the busiest one is full. AWS gives a partition 1,000 write and 3,000 read units a second. Workers run between requests,
 * as often as a ledger of that rate runs them. Nothing is asserted.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import '../../localstack/runtime/quiet.ts';
import { type Database, openDatabase } from '../../localstack/runtime/database.ts';
import { createSeed, privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { makeMasterKey } from '../../shared/keyring/local.ts';
import { spreadCounts } from '../../shared/store/keys.ts';
import { dynamoLayouts } from '../../shared/store/store.ts';
import { behindOf } from './behind.ts';
import { type LedgerHere, ledgerHere } from './here.ts';
import { type Meter, openMeter } from './meter.ts';
import { partitionText } from './partition-report.ts';
import { rehearsePayments } from './payment-rehearsal.ts';
import { pairsOf, settingOf, transferOf } from './scene.ts';

/**
 * Transfers between two runs of the relay: one in a quiet ledger, many in a busy one, a second's worth in a crowd; and in
 * one that has grown to the largest layout.
 */
const plays = { quiet: 1, busy: 25, crowd: 1_000, grown: 1_000 } as const;
const transferCounts = { quiet: 100, busy: 500, crowd: 2_000, grown: 4_000 } as const;
const paymentCount = 20;

type Metered = readonly [database: Database, masterKeyFile: string, meter: Meter];

/** Runs a workload in a table of its own, behind a meter. */
async function metered<Result>(work: (...args: Metered) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  delete process.env['DYNAMODB_ENDPOINT'];
  const database = await openDatabase(undefined);
  const meter = await openMeter(database.endpoint);
  const masterKeyFile = join(folder, 'master.key');
  makeMasterKey(masterKeyFile);
  try {
    return await work({ ...database, endpoint: meter.endpoint }, masterKeyFile, meter);
  } finally {
    meter.close();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets a ledger grow to its largest layout, as if that had been long ago. */
async function grow({ counting }: LedgerHere): Promise<void> {
  const layouts = dynamoLayouts(counting(() => {}));
  for (const _ of spreadCounts) await layouts.grow('main', await layouts.read('main'), 0);
}

async function prepare({ post }: LedgerHere, key: Parameters<typeof settingOf>[0]): Promise<void> {
  for (const posts of settingOf(key))
    await Promise.all(posts.map(({ path, body }) => post(path, body)));
}

async function transfersOf(name: keyof typeof plays): Promise<string> {
  return metered(async (database, masterKeyFile, meter) => {
    const ledger = await ledgerHere(database, masterKeyFile);
    const seed = createSeed();
    const key = { public: publicOf(seed), privateKey: privateKeyOf(seed) };
    const behind = behindOf(ledger);
    await prepare(ledger, key);
    await behind.work();
    if (name === 'grown') await grow(ledger);
    meter.clear();
    let number = 0;
    for (let done = 0; done < transferCounts[name]; done += plays[name]) {
      for (let each = 0; each < plays[name]; each += 1) {
        const pair = pairsOf.uniform[number % pairsOf.uniform.length];
        number += 1;
        if (pair) await ledger.post('/intents', transferOf(pair, number, key));
      }
      await behind.work();
    }
    ledger.close();
    const title = `A transfer (${name}), ${plays[name]} between two runs of the relay`;
    return partitionText(title, number, meter);
  });
}

async function payments(): Promise<string> {
  return metered(async (database, masterKeyFile, meter) => {
    await rehearsePayments(database, masterKeyFile, meter.clear);
    return partitionText('A payment between two bridges, one at a time', paymentCount, meter);
  });
}

/** Each workload runs in a process of its own, since a process has one table. */
async function main([workload]: readonly string[]): Promise<void> {
  if (workload === 'payments') return console.log(await payments());
  if (workload && workload in plays) {
    console.log(`${await transfersOf(workload as keyof typeof plays)}\n`);
    return;
  }
  const path = fileURLToPath(import.meta.url);
  for (const each of [...Object.keys(plays), 'payments']) {
    const child = fork(path, [each], { execArgv: ['--import', 'tsx'] });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`The workload ${each} failed.`);
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.stack : error);
    process.exit(1);
  },
);
