/**
 * `npm run bench:export [-- --intents 100000]`: duration and peak memory of exporting a ledger, auditing the file, proving
 * it by a checkpoint, and importing it. Memory is measured on Linux only.
 */
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openData } from '../../localstack/runtime/data.ts';
import { openDatabase } from '../../localstack/runtime/database.ts';
import { makeTable } from '../../localstack/runtime/table.ts';
import { create } from '../../shared/action/create.ts';
import { masterKeyring } from '../../shared/keyring/local.ts';
import { checkpoints } from '../../shared/record/log-signer.ts';
import { tableClient } from '../../shared/store/client.ts';
import { dynamoLogs, dynamoStore } from '../../shared/store/store.ts';
import { newWorld } from '../fixture/audited.ts';

const { values } = parseArgs({ options: { intents: { type: 'string', default: '100000' } } });
const intentCount = Number(values.intents);
const walletCount = 200;
const atOnce = 16;
const pollMs = 20;
const root = fileURLToPath(new URL('../..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'countersign-bench-'));

/** Makes a ledger with the intents in a data folder. */
async function furnish(folder: string): Promise<void> {
  const data = await openData(folder);
  const database = await openDatabase(data.databasePath);
  await makeTable(database.endpoint, 'countersign');
  const client = tableClient({ endpoint: database.endpoint });
  const world = await newWorld(client, 'countersign', folder);
  await world.make(create('symbol'), { handle: 'usd', factor: 100 });
  for (let n = 0; n < walletCount; n += 1) await world.make(create('wallet'), { handle: `w${n}` });
  for (let n = 0; n < walletCount; n += 1)
    await world.settle(`i${n}`, { action: 'issue', target: `w${n}`, symbol: 'usd', amount: 1e6 });
  let next = walletCount;
  const pay = async (): Promise<void> => {
    for (let n = next++; n < intentCount; n = next++) {
      const [source, target] = [n % walletCount, (n * 7 + 1) % walletCount];
      const sides = { source: `w${source}`, target: `w${target === source ? target ^ 1 : target}` };
      await world.settle(`i${n}`, { action: 'transfer', ...sides, symbol: 'usd', amount: 1 });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, pay));
  client.destroy();
  await database.stop();
  data.close();
}

/** Signs a checkpoint of all that the log has; writes it to a file. */
async function sign(folder: string, path: string): Promise<void> {
  const data = await openData(folder);
  const database = await openDatabase(data.databasePath);
  const client = tableClient({ endpoint: database.endpoint });
  const at = { client, tableName: 'countersign' };
  const logs = dynamoLogs(at);
  const keyring = masterKeyring(join(folder, 'master.key'));
  await checkpoints({ logs, store: dynamoStore(at), keyring })('main');
  writeFileSync(path, (await logs.read('main'))?.checkpoint?.note ?? '');
  client.destroy();
  await database.stop();
  data.close();
}

/** Runs a command; prints its duration, its peak memory and its last line. */
async function measured(name: string, data: string, ...words: readonly string[]): Promise<void> {
  const startMs = Date.now();
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'localstack/command/main.ts', name, ...words],
    {
      cwd: root,
      env: { ...process.env, LEDGER_DATA: data },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let [said, peak]: [string, string] = ['', '0'];
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const poll = setInterval(() => {
    peak = peakOf(child.pid) ?? peak;
  }, pollMs);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(poll);
  const seconds = ((Date.now() - startMs) / 1000).toFixed(1);
  const last = said.trim().split('\n').at(-1);
  console.log(
    `${name.padEnd(8)} ${seconds.padStart(7)} s  ${peak.padStart(5)} MB at most  ${last}`,
  );
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${said}`);
}

/** Peak memory of a process so far, in megabytes. */
function peakOf(pid = 0): string | undefined {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes && String(Math.round(Number(kilobytes) / 1024));
  } catch {
    return undefined;
  }
}

try {
  const [from, to, file] = [join(work, 'from'), join(work, 'to'), join(work, 'ledger.ndjson')];
  const startMs = Date.now();
  await furnish(from);
  console.log(
    `${intentCount} intents were made in ${((Date.now() - startMs) / 1000).toFixed(0)} s.`,
  );
  await measured('reindex', from);
  const checkpoint = join(work, 'checkpoint');
  await sign(from, checkpoint);
  await measured('export', from, '--out', file);
  console.log(`The file has ${(statSync(file).size / 1024 ** 2).toFixed(0)} MB.`);
  await measured('audit', from, file);
  await measured('verify', from, file, '--checkpoint', checkpoint);
  mkdirSync(to);
  copyFileSync(join(from, 'master.key'), join(to, 'master.key'));
  await measured('import', to, file);
  await measured('audit', to);
} finally {
  rmSync(work, { recursive: true, force: true });
}
