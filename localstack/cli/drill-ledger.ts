/** The ledgers and the commands of a drill, as processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ownCommand } from '../runtime/own-command.ts';

export interface Running {
  readonly url: string;
  /** Ends it as a power cut does, and waits until all of its processes are gone. */
  readonly kill: () => Promise<void>;
  /** Stops it by SIGTERM, and waits. */
  readonly stop: () => Promise<void>;
}

const ready = /ready at (\S+)/;
/** Variables of the user's own ledger, of which a drill uses nothing. */
const foreign = new Set([
  'DYNAMODB_ENDPOINT',
  'TABLE_NAME',
  'MASTER_KEY_FILE',
  'KMS_KEY_ID',
  'LEDGER_OWNER',
  'LEDGER_HOST',
  'LEDGER_URLS',
  'ALLOWED_ORIGINS',
]);
/** The time that a process beside the ledger may take to notice that it is gone, in milliseconds. */
const settleMs = 500;

/** Starts a ledger on a folder; resolves when it is ready. */
export async function startLedger(folder: string, port: string): Promise<Running> {
  // It stops by itself when the process that started it is gone.
  const own = { PORT: port, LEDGER_LOG: 'none', npm_lifecycle_event: 'start' };
  const child = run('start', folder, [], own);
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer): void => {
      said += chunk;
      const [, found] = ready.exec(said) ?? [];
      if (found) resolve(found);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', hear);
    child.once('exit', (code) => reject(new Error(`The ledger did not start (${code}). ${said}`)));
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  const kill = async (): Promise<void> => {
    await end('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, settleMs));
  };
  return { url, kill, stop: () => end('SIGTERM') };
}

/** Runs a command on a folder to its end; returns its code and its output. */
export async function command(
  name: 'audit' | 'export' | 'import',
  folder: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = run(name, folder, args);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said: said.trim() };
}

function run(
  name: string,
  folder: string,
  args: readonly string[],
  own: Readonly<Record<string, string>> = {},
): ChildProcess {
  const kept = Object.entries(process.env).filter(([one]) => !foreign.has(one));
  const environment = Object.fromEntries(kept);
  const child = spawn(process.execPath, ownCommand(name, ...args), {
    env: { ...environment, LEDGER_DATA: folder, LEDGER_HANDLE: 'main', ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A drill that is ended takes what it has started with it, before it removes its folder.
  const kill = () => child.kill('SIGKILL');
  process.prependOnceListener('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}
