/** `countersign start`: the ledger on this machine, with the handlers and the table of AWS, over the embedded database. */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import type { Server } from 'node:http';
import { availableParallelism } from 'node:os';
import { stage } from '../../infra/topology.ts';
import { messageOf, stackOf } from '../../shared/ledger/thrown.ts';
import { closeFiles } from '../engine/file-table.ts';
import { backlogGauges } from '../telemetry/backlog-gauges.ts';
import type { Measurement } from '../telemetry/metrics.ts';
import { openRecorder, type Recorder } from '../telemetry/recorder.ts';
import { assertInstalled } from '../telemetry/sdk.ts';
import { isExported } from '../telemetry/settings.ts';
import { type DataFolder, openData, openDatabaseOf } from './data.ts';
import { asDamagedFile, type Database, freePort } from './database.ts';
import { ExitError, exitCodes } from './failing.ts';
import { gateway } from './gateway.ts';
import { letHeapsGrow } from './heap.ts';
import { addressAt, listen, warningOf } from './listen.ts';
import { metricsPage } from './metrics-page.ts';
import { ownNames } from './own-name.ts';
import { parent } from './parent.ts';
import { laterFunctions, openPool, type Pool } from './pool.ts';
import { stopSignal } from './stop-signal.ts';
import { logOutput } from './streams.ts';
import { makeTable } from './table.ts';
import { assertVariables, optionalVariable, telemetryVariables, variable } from './variables.ts';
import { startWorkers, type Workers } from './workers.ts';

/** The variables that this command reads. */
const ownVariables = [
  ...(['PORT', 'LEDGER_DATA', 'LEDGER_HANDLE', 'LEDGER_OWNER', 'LEDGER_THREADS'] as const),
  ...(['LEDGER_HOST', 'LEDGER_URLS', 'DYNOXIDE_PATH', 'LEDGER_LOG', 'LEDGER_LOG_FORMAT'] as const),
  ...['LEDGER_METRICS' as const, ...telemetryVariables],
  ...(['OUTGOING_HOSTS', 'ALLOWED_ORIGINS', 'EFFECTS_PER_SIGNAL'] as const),
  ...(['SENT_BYTES_PER_SECOND', 'REPORT_DELAY_MS', 'TABLE_NAME'] as const),
  'DYNAMODB_ENDPOINT',
] as const;
/** Interval of the check that the parent npm is alive, in milliseconds. */
const orphanPollMs = 200;
/** More threads would only wait for each other's writes. */
const threadCountMax = 4;
/** Time to stop, with open requests and running deliveries, in milliseconds. */
const stopMsMax = 30_000;
/** Time for the threads to end after an error, in milliseconds. */
const haltMsMax = 8_000;
/** Time for open requests to finish after a signal to stop, in milliseconds. */
const drainMsMax = 10_000;

/**
 * Runs the ledger until it is asked to stop, by SIGTERM, SIGHUP, Ctrl-C or the end of the npm that started it. Throws an
 * `ExitError` when it cannot start, or loses its database.
 */
export async function start(): Promise<void> {
  logOutput();
  assertVariables(...ownVariables);
  const stopped = Promise.race([stopSignal(), new Promise<void>(stopWithNpm)]);
  let isStarting = true;
  // Nothing is under way yet, and a ledger in memory removes its folder as the process exits.
  void stopped.then(() => isStarting && process.exit(exitCodes.done));
  letHeapsGrow();
  await assertInstalled();
  const port = Number(variable('PORT')) || (await freePort());
  const data = openData(variable('LEDGER_DATA'));
  for (const warning of data.warnings) process.stderr.write(`${warning}\n`);
  let lose: (error: unknown) => void = () => {};
  const lost = new Promise<never>((_, reject) => {
    lose = reject;
  });
  const onLost = (error: ExitError): void => {
    // Open requests cannot be answered any more.
    data.close();
    lose(error);
  };
  const database = await openDatabaseOf(data, { onLost });
  // Awaited below; a thread may fail before.
  lost.catch(() => {});
  announce(data, database.endpoint);
  const loseThread = (error: Error): void => lose(unexpected(error));
  const served = await serve(port, data, database, loseThread).catch((error: unknown) => {
    throw asDamagedFile(error, data.databasePath);
  });
  isStarting = false;
  // An error that no request caught leaves this process in an unknown state. Decision 137.
  process.on('uncaughtException', (error: unknown) => lose(unexpected(error)));
  const workers = startWorkers(served.recorder, loseThread);
  // Records that are written before the workers listen would lose their trace.
  if (isExported('TRACES')) await Promise.race([workers.ready, lost]);
  process.stdout.write(served.ready);
  try {
    await Promise.race([stopped, lost]);
    endIn(stopMsMax, 'The ledger did not stop in time');
    await Promise.race([shutDown(served, workers), lost]);
  } catch (error) {
    endIn(haltMsMax, messageOf(error));
    await Promise.all([served.pool.close(), workers.stop(), closeFiles()]);
    throw error;
  }
  await closeFiles();
  await database.stop();
  data.close();
}

/** Tells commands where the database is; a ledger that cannot, as on a full disk, is read as before. */
function announce(data: DataFolder, endpoint: string): void {
  try {
    data.announce(endpoint);
  } catch (error) {
    process.stderr.write(
      `Commands will not find the running ledger in ${data.name}: ${messageOf(error)}\n`,
    );
  }
}

/**
 * Ends the process by the kernel, unless it has ended by then: a thread that does not end by itself may be in the middle
 * of a write, and would keep the process from its end.
 */
function endIn(ms: number, why: string): void {
  const end = (): void => {
    try {
      writeSync(2, `${why}\n`);
    } finally {
      process.kill(process.pid, 'SIGKILL');
    }
  };
  setTimeout(end, ms).unref();
}

/** A ledger that serves requests. */
interface Served {
  readonly server: Server;
  readonly pool: Pool;
  readonly recorder: Recorder;
  /** The line to print. */
  readonly ready: string;
}

/** Makes the table and the default ledger, and serves requests. */
async function serve(
  port: number,
  data: DataFolder,
  database: Database,
  onLost: (error: Error) => void,
): Promise<Served> {
  const tableName = variable('TABLE_NAME');
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    DYNAMODB_ENDPOINT: database.endpoint,
    MASTER_KEY_FILE: data.masterKeyPath,
    LEDGER_HANDLE: variable('LEDGER_HANDLE'),
    LEDGER_LOG: variable('LEDGER_LOG'),
    LEDGER_LOG_FORMAT: optionalVariable('LEDGER_LOG_FORMAT') ?? usualFormat(),
    OUTBOX_CHANNEL: 'outbox',
    DEAD_LETTERS: data.deadLettersPath ?? '',
    // Only here may webhooks use http and loopback addresses. Ruling 62.
    OUTGOING_INSIDE: 'true',
    SERVER_URLS: serverUrls(port).join(','),
  });
  await makeTable(database.endpoint, tableName);
  const recorder = await openRecorder(await gaugesOf());
  const functions = laterFunctions();
  const served = { metrics: metricsPage(recorder), isOwnName: ownNames() };
  const server = gateway(functions.invoke, served);
  // Before the ledger is made, which would be there already, and open, when a start that failed is repeated with an owner.
  await listen(server, port);
  // This module reads the environment when it is imported, so the environment must be complete.
  const { found, isFoundOpen } = await import('../../functions/found.ts');
  const { handle, key } = await found();
  const warning = warningOf(handle, port);
  if (warning && (await isFoundOpen())) process.stderr.write(`${warning}\n`);
  const pool = await openPool(threadCount(), recorder, onLost);
  functions.begin(pool.invoke);
  const whose = `ledger ${handle}, key ${key.public}, data ${data.name}`;
  const ready = `Countersign is ready at ${addressAt(port)} (${whose})\n`;
  return { server, pool, recorder, ready };
}

/** Reads the backlogs as metrics; a table that does not answer leaves them out. */
async function gaugesOf(): Promise<() => Promise<Measurement[]>> {
  const { signing } = await import('../../functions/signing.ts');
  const { backlogs, outbox, complain } = signing;
  return () =>
    backlogGauges(backlogs, outbox, Date.now()).catch((error: unknown) => {
      complain('backlogs', error);
      return [];
    });
}

/** Lines for people where a person reads them. The threads cannot see that by themselves. */
function usualFormat(): 'json' | 'text' {
  return process.stdout.isTTY ? 'text' : 'json';
}

/** The base addresses that tokens may name: those of this machine, and those that its users give it. Ruling 26. */
function serverUrls(port: number): string[] {
  const own = ['127.0.0.1', 'localhost'].map((host) => `http://${host}:${port}/${stage}`);
  return [
    ...new Set([...own, addressAt(port)]),
    ...(optionalVariable('LEDGER_URLS')?.split(',') ?? []),
  ];
}

/**
 * The number of threads for requests: the cores without two, which the workers and the clients use. One is this thread.
 */
function threadCount(): number {
  const usual = Math.max(1, Math.min(threadCountMax, availableParallelism() - 2));
  return Number(optionalVariable('LEDGER_THREADS') ?? usual);
}

/** Waits for open requests, then ends all threads. */
async function shutDown({ server, pool, recorder }: Served, workers: Workers): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const hurry = setTimeout(() => server.closeAllConnections(), drainMsMax);
  await closed;
  clearTimeout(hurry);
  await Promise.all([pool.close(), workers.stop()]);
  await recorder.close();
}

/** Stops when npm was killed: npm forwards signals, but cannot forward SIGKILL. */
function stopWithNpm(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] !== 'start') return;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, orphanPollMs).unref();
}

/** The error that ends the runtime after one that no request caught, with the lines of its stack. */
function unexpected(error: unknown): Error {
  const [what, ...advice] = stackOf(error).split('\n');
  const why = `The ledger failed and ends. All that it has answered is stored: ${what}`;
  return new ExitError(exitCodes.failed, why, { advice });
}
