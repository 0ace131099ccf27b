/**
 * `npm run bench:transfers`: the cost of a transfer, and the transfers a second of the offline runtime, compared with the
 * floor: the same transactions, straight to a file of the same database. Floor and ledger take turns, so that other load of the
 * machine affects both. `BENCH_SECONDS` is the duration of all load; `--json` adds a last line for programs. Times are
 * printed, never asserted.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stackOf } from '../../shared/ledger/thrown.ts';
import '../../localstack/runtime/quiet.ts';
import { connect } from '../../shared/client/client.ts';
import { createSeed, privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import type { SigningKey } from '../../shared/crypto/proof.ts';
import { makeMasterKey } from '../../shared/keyring/local.ts';
import { newAgent, post } from './banks.ts';
import { processesBelow } from './cpu.ts';
import { startLedger } from './ledger.ts';
import type { Measured, Setting, Stretch, Template } from './load.ts';
import { rehearse, type Transfer } from './rehearsal.ts';
import {
  countsData,
  countsOf,
  countsText,
  type Level,
  type Rates,
  type Round,
  ratesOf,
  ratesText,
} from './report.ts';
import { issuedTotal, pairsOf, settingOf, wallets } from './scene.ts';
import { transactionOf } from './stored.ts';

const levels: readonly Level[] = [
  { workload: 'uniform', clients: 1 },
  { workload: 'uniform', clients: 16 },
  { workload: 'uniform', clients: 64 },
  { workload: 'hot', clients: 16 },
];
const turnCount = 3;
const secondsDefault = 45;
/** Time for V8 to compile hot code, most of which is in the ledger. */
const warmUpSeconds = { floor: 1, ledger: 5 } as const;
/** Bodies a second to prepare while no rate is known. */
const rateGuess = 1000;

type Side = Stretch['side'];
type Run = (side: Side, level: Level, seconds: number) => Promise<Measured>;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  // The embedded database is measured, not another.
  delete process.env['DYNAMODB_ENDPOINT'];
  const seed = createSeed();
  const key = { public: publicOf(seed), privateKey: privateKeyOf(seed) };

  const floorPath = join(folder, 'floor.mdb');
  const masterKeyFile = join(folder, 'master.key');
  makeMasterKey(masterKeyFile);
  const rehearsed = await rehearse(floorPath, masterKeyFile, key);
  const counts = countsOf(rehearsed.uniform);
  console.log(countsText(counts));

  const ledger = await startLedger(join(folder, 'ledger'));
  await makeScene(ledger.url, key);
  const clients = startClients({
    public: key.public,
    seed,
    ledgerUrl: ledger.url,
    ledgerProcesses: [ledger.pid, ...processesBelow(ledger.pid)],
    floorPath,
    pairs: pairsOf,
    templates: {
      uniform: rehearsed.uniform.map(templateOf),
      hot: rehearsed.hot.map(templateOf),
    },
  });
  const rounds = await measured(runner(clients));
  const rates = rounds.map(ratesOf);
  console.log(`\n${ratesText(rates)}\n\n${await checksText(ledger.url, rates)}`);
  clients.kill();
  await ledger.stop();
  if (process.argv.includes('--json'))
    console.log(JSON.stringify({ counts: countsData(counts), rates }));
}

async function makeScene(url: string, key: SigningKey): Promise<void> {
  const line = { ledgerUrl: url, agent: newAgent() };
  for (const posts of settingOf(key))
    await Promise.all(posts.map(({ path, body }) => post(line, path, body)));
  line.agent.destroy();
}

/** The transaction of a transfer, without `ReturnConsumedCapacity`. */
function templateOf({ luid, handle, exchanges }: Transfer): Template {
  const write = transactionOf({ exchanges });
  if (!write) throw new Error('A transfer ends with a transaction.');
  const { ReturnConsumedCapacity: _, ClientRequestToken: token = '', ...input } = write.input;
  return { luid, handle, token, input };
}

function startClients(setting: Setting): ChildProcess {
  const path = fileURLToPath(new URL('./load.ts', import.meta.url));
  const clients = fork(path, { execArgv: ['--import', 'tsx'], serialization: 'advanced' });
  clients.once('exit', (code) => {
    if (code) process.exit(code);
  });
  clients.send(setting);
  return clients;
}

/** Runs one period of the clients at a time. */
function runner(clients: ChildProcess): Run {
  const rates = { floor: rateGuess, ledger: rateGuess };
  return async (side, level, seconds) => {
    // Twice as many as last time, in case that was slow; a period without bodies ends early.
    const bodies = Math.ceil(rates[side] * seconds * 2) + level.clients;
    const stretch: Stretch = { ...level, side, seconds, bodies };
    clients.send(stretch);
    const [result] = (await once(clients, 'message')) as [Measured];
    rates[side] = Math.max(rates[side] / 2, result.completed / result.seconds);
    return result;
  };
}

/** Measures floor and ledger in turns, level by level. */
async function measured(run: Run): Promise<Round[]> {
  const secondsInAll = Number(process.env['BENCH_SECONDS'] || secondsDefault);
  const seconds = secondsInAll / (levels.length * turnCount * 2);
  for (const side of ['floor', 'ledger'] as const)
    await run(side, { workload: 'uniform', clients: 16 }, warmUpSeconds[side]);
  const rounds: Round[] = [];
  for (const level of levels) {
    const floor: Measured[] = [];
    const ledger: Measured[] = [];
    for (let turn = 0; turn < turnCount; turn += 1) {
      floor.push(await run('floor', level, seconds));
      ledger.push(await run('ledger', level, seconds));
    }
    rounds.push({ level, floor, ledger });
  }
  return rounds;
}

/** Checks the load: no request failed, and no money was created or lost. */
async function checksText(url: string, rates: readonly Rates[]): Promise<string> {
  const sides = rates.flatMap(({ floor, ledger }) => [floor, ledger]);
  const failed = sides.reduce((sum, side) => sum + side.failed, 0);
  const failure = sides.map(({ firstFailure }) => firstFailure).find((text) => text !== '');
  const ledger = await connect(url);
  let total = 0;
  for (const wallet of wallets) {
    const { data } = await ledger.get('/wallets/{id}/balances', { path: { id: wallet } });
    for (const row of data) total += Number(row.data.amount);
  }
  const kept = total === issuedTotal ? 'as issued' : `${total} instead of ${issuedTotal}: WRONG`;
  return [
    `requests that failed: ${failed}${failure ? ` (${failure})` : ''}`,
    `all balances together: ${kept}`,
    `on: Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`,
    'closed loop; the clients, with the floor, and the ledger are two processes on one machine',
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
