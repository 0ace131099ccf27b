/**
 * `npm run lambda`: the ledger on this machine as it runs on AWS, bundle by bundle behind the Lambda runtime
 * API. It keeps nothing.
 */
import { parseArgs } from 'node:util';
import { ParameterError } from '../../infra/parameters.ts';
import { freePort } from '../database.ts';
import { type EmulatorOptions, startEmulator } from './emulator.ts';
import '../quiet.ts';

const usage = `npm run lambda -- [--port 3000] [--inside] [--instances 4] [--tick 1] [-c parameter=value …]`;
/** How often to look whether the npm that started this process still lives, in milliseconds. */
const orphanPollMs = 200;

const text = { type: 'string' } as const;
const flags = {
  port: text,
  inside: { type: 'boolean' },
  instances: text,
  tick: text,
  context: { type: 'string', short: 'c', multiple: true },
} as const;

/** What was asked for is not to be had. */
class UsageError extends Error {}

async function optionsOf(words: string[]): Promise<EmulatorOptions> {
  const { values } = wordsOf(words);
  const port = numberOf('port', values.port ?? process.env['PORT'] ?? '3000', 0, 65_535);
  return {
    port: port === 0 ? await freePort() : port,
    instances: numberOf('instances', values.instances ?? '4', 1, 100),
    tickSeconds: numberOf('tick', values.tick ?? '1', 1, 3_600),
    isInside: values.inside ?? false,
    parameters: Object.fromEntries((values.context ?? []).map(parameterOf)),
    onLine: (name, line) => {
      if (isSaid(line)) process.stdout.write(`${name}: ${line}\n`);
    },
  };
}

function wordsOf(words: string[]) {
  try {
    return parseArgs({ args: words, options: flags });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${name} must be a number from ${least} to ${most}, not '${text}'.`);
}

function parameterOf(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`A parameter is told as name=value, not as '${text}'.`);
  return [name, value];
}

/** Lines of the log as `LEDGER_LOG` asks for them: `info` all of them, `error` only what went wrong. */
function isSaid(line: string): boolean {
  return process.env['LEDGER_LOG'] !== 'error' || !/^\{"(_aws|level":"info")/.test(line);
}

async function main(): Promise<void> {
  const emulator = await startEmulator(await optionsOf(process.argv.slice(2)));
  const { address, ledger, key, stop } = emulator;
  let isStopping = false;
  const end = (): void => {
    if (isStopping) return;
    isStopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', end).on('SIGINT', end);
  stopWithNpm(end);
  process.stdout.write(
    `Countersign is ready at ${address} (ledger ${ledger}, key ${key}, data :memory:)\n`,
  );
}

/** npm passes signals on, but a killed npm cannot: then this process is an orphan and stops. */
function stopWithNpm(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, orphanPollMs).unref();
}

function fail(error: unknown): void {
  const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const why = error instanceof Error ? error.message : String(error);
  const more = error instanceof UsageError ? `\n${usage}` : '';
  process.stderr.write(
    `${isTaken ? 'The port is in use; choose another --port. ' : ''}${why}${more}\n`,
  );
  process.exit(error instanceof UsageError || error instanceof ParameterError ? 2 : 1);
}

main().catch(fail);
