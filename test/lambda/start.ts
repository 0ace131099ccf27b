/**
 * `npm run lambda`: the ledger on this machine as on AWS, with each bundle behind the Lambda runtime API. It stores
 * nothing after its end.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ExitError } from '../../localstack/runtime/failing.ts';
import { assertVariables, variable } from '../../localstack/runtime/variables.ts';
import { messageOf } from '../../shared/ledger/thrown.ts';
import { optionsOf, UsageError, usage } from './options.ts';
import '../../localstack/runtime/quiet.ts';

/** Interval of the check that the parent npm is alive, in milliseconds. */
const orphanPollMs = 200;

async function main(): Promise<void> {
  assertVariables('PORT', 'LEDGER_LOG');
  const options = await optionsOf(process.argv.slice(2), process.env);
  await assertFree(options.port);
  // Imported late: it loads CDK and a compiler, which an invalid option should not wait for.
  const { startEmulator } = await import('./emulator.ts');
  const { address, ledger, key, stop } = await startEmulator({
    ...options,
    onLine: (name, line) => {
      if (isSaid(line)) process.stdout.write(`${name}: ${line}\n`);
    },
  });
  let isStopping = false;
  const end = (): void => {
    if (isStopping) return;
    isStopping = true;
    stop().then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', end).on('SIGINT', end);
  stopWithNpm(end);
  process.stdout.write(
    `Countersign is ready at ${address} (ledger ${ledger}, key ${key}, data :memory:)\n`,
  );
}

/** Throws for a port in use at once; the port itself is opened only after the functions are made. */
async function assertFree(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

/** Selects log lines by `LEDGER_LOG`: `info` shows all of them, else only errors. */
function isSaid(line: string): boolean {
  return variable('LEDGER_LOG') === 'info' || !/^\{"(_aws|level":"(info|warn)")/.test(line);
}

/** Stops when npm was killed: npm forwards signals, but cannot forward SIGKILL. */
function stopWithNpm(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, orphanPollMs).unref();
}

function fail(error: unknown): void {
  const { code, name } = error as NodeJS.ErrnoException;
  const why = messageOf(error);
  const before = code === 'EADDRINUSE' ? 'The port is in use; choose another --port. ' : '';
  const after = error instanceof UsageError ? `\n${usage}` : '';
  process.stderr.write(`${before}${why}${after}\n`);
  if (error instanceof ExitError) process.exit(error.code);
  process.exit(error instanceof UsageError || name === 'ParameterError' ? 2 : 1);
}

main().catch(fail);
