/**
 * `npm run bench:payments`: the cost of a payment between two bridges, in the requests of client and bridges and in the
 * workers, and the payments a second of the offline runtime. `BENCH_SECONDS` is the duration of all load; `--json` adds a
 * last line for programs. Times are printed, never asserted.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { stackOf } from '../../shared/ledger/thrown.ts';
import '../../localstack/runtime/quiet.ts';
import { makeMasterKey } from '../../shared/keyring/local.ts';
import { type PaidLedger, type PaymentLevel, startPaidLedger } from './payment-load.ts';
import { rehearsePayments } from './payment-rehearsal.ts';
import {
  type PaymentRates,
  paymentCountsData,
  paymentCountsOf,
  paymentCountsText,
  paymentRatesOf,
  paymentRatesText,
} from './payment-report.ts';
import { fixed } from './print.ts';

/** At the idle level, all events are published before the next payment. */
const levels: readonly PaymentLevel[] = [
  { workload: 'uniform', atOnce: 1, restMs: 300 },
  { workload: 'uniform', atOnce: 16 },
  { workload: 'uniform', atOnce: 64 },
  { workload: 'hot', atOnce: 16 },
];
const secondsDefault = 60;
/** Time for V8 to compile hot code, and to open all balances. */
const warmUpSeconds = 5;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  // The embedded database is measured, not another.
  delete process.env['DYNAMODB_ENDPOINT'];
  const masterKeyFile = join(folder, 'master.key');
  makeMasterKey(masterKeyFile);
  const counts = paymentCountsOf(
    await rehearsePayments(join(folder, 'rehearsal.mdb'), masterKeyFile),
  );
  console.log(paymentCountsText(counts));

  const ledger = await startPaidLedger(join(folder, 'ledger'));
  const seconds = Number(process.env['BENCH_SECONDS'] || secondsDefault) / levels.length;
  await ledger.run({ workload: 'uniform', atOnce: 16 }, warmUpSeconds);
  const stretches = [];
  for (const level of levels) stretches.push(await ledger.run(level, seconds));
  const rates = paymentRatesOf(stretches);
  console.log(`\n${paymentRatesText(rates)}\n\n${await checksText(ledger, rates)}`);
  await ledger.stop();
  if (process.argv.includes('--json'))
    console.log(JSON.stringify({ counts: paymentCountsData(counts), rates }));
}

/** Checks the load: no request failed, and no money was created, lost or left reserved. */
async function checksText(ledger: PaidLedger, rates: PaymentRates): Promise<string> {
  const failed = rates.reduce((sum, one) => sum + one.failed, 0);
  const failure = rates.map(({ firstFailure }) => firstFailure).find((text) => text !== '');
  const { total, reserved } = await ledger.left();
  const kept = total === 0 && reserved === 0 ? 'none made, lost or left reserved' : 'WRONG';
  return [
    `payments that failed: ${failed}${failure ? ` (${failure})` : ''}`,
    `all balances together: ${total}, of it reserved ${reserved}: ${kept}`,
    `load of this machine, over its cores: ${fixed((loadavg()[0] ?? 0) / cpus().length, 2)}`,
    `on: Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`,
    'closed loop; clients and bridges are one process, the ledger with its database is another',
  ]
    .map((line) => `  ${line}`)
    .join('\n');
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(stackOf(error));
    process.exit(1);
  },
);
