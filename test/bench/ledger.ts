/** The offline runtime as a child process, as `npm start` runs it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface RunningLedger {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

const manifestPath = new URL('../../package.json', import.meta.url);
const commandPath = fileURLToPath(new URL('../../localstack/countersign.mjs', import.meta.url));

/** Starts a ledger with this data folder. */
export async function startLedger(folder: string): Promise<RunningLedger> {
  const { DYNAMODB_ENDPOINT: _, ...env } = process.env;
  // For profiling: `BENCH_LEDGER_OPTIONS='--cpu-prof'`.
  const options = [
    ...optionsOfStart(),
    ...(process.env['BENCH_LEDGER_OPTIONS'] ?? '').split(' ').filter(Boolean),
  ];
  const child = spawn(process.execPath, [...options, commandPath, 'start'], {
    // As a child of the npm script `start`, it stops by itself when its parent is gone.
    env: {
      ...env,
      PORT: '0',
      LEDGER_DATA: folder,
      LEDGER_LOG: 'none',
      npm_lifecycle_event: 'start',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await readyUrl(child);
  const stop = async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { url, pid: child.pid ?? 0, stop };
}

/** The options that `npm start` gives to Node. */
function optionsOfStart(): string[] {
  const { scripts } = JSON.parse(readFileSync(manifestPath, 'utf8')) as {
    scripts: { start: string };
  };
  const words = scripts.start.split(' ');
  return words.filter((word) => word.startsWith('--'));
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += String(chunk);
      const [, url] = /ready at (\S+)/.exec(said) ?? [];
      if (url) resolve(url);
    });
    child.once('exit', (code) => {
      reject(new Error(`The ledger did not start (exit code ${code}).`));
    });
  });
}
