/**
 * `npm start`: the ledger on this machine. The same handlers and the same table as on AWS, over the
 * embedded database. Needs Node and nothing else.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { availableParallelism } from 'node:os';
import { stage } from '../infra/topology.ts';
import { type DataFolder, openData } from './data.ts';
import { type Database, freePort, openDatabase } from './database.ts';
import { gateway } from './gateway.ts';
import { openPool } from './pool.ts';
import { makeTable } from './table.ts';
import { startWorkers } from './workers.ts';
import './quiet.ts';

/** How often to look whether the npm that started this process still lives, in milliseconds. */
const orphanPollMs = 200;
/** More of them than this only wait for the database. */
const threadCountMax = 4;
/** How long requests may finish after a stop was asked for, in milliseconds. */
const drainMsMax = 10_000;

async function main(): Promise<void> {
  const port = await portOf(process.env['PORT'] || '3000');
  const data = await openData(process.env['LEDGER_DATA'] || '.countersign');
  const database = await openDatabase(data.databasePath);
  data.announce(database.endpoint);
  const { server, ready } = await serve(port, data, database);
  const stopWorkers = startWorkers();
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    void shutDown(server, stopWorkers, database, data);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  stopWithNpm(stop);
  // Whoever reads this may ask it to stop at once.
  process.stdout.write(ready);
}

/** The port that was asked for; 0 takes a free one. */
async function portOf(text: string): Promise<number> {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new Error(`PORT must be a number from 0 to 65535, not '${text}'.`);
  return port === 0 ? freePort() : port;
}

/** Makes the table and the default ledger, and answers requests; `ready` is the line that says so. */
async function serve(
  port: number,
  data: DataFolder,
  database: Database,
): Promise<{ readonly server: Server; readonly ready: string }> {
  const tableName = process.env['TABLE_NAME'] || 'countersign';
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    DYNAMODB_ENDPOINT: database.endpoint,
    MASTER_KEY_FILE: data.masterKeyPath,
    LEDGER_HANDLE: process.env['LEDGER_HANDLE'] || 'main',
    OUTBOX_CHANNEL: 'outbox',
    DEAD_LETTERS: data.deadLettersPath ?? '',
    // Webhooks of this machine may be called, as nowhere else. Ruling 62.
    OUTGOING_INSIDE: 'true',
    SERVER_URLS: `http://127.0.0.1:${port}/${stage},http://localhost:${port}/${stage}`,
  });
  await makeTable(database.endpoint, tableName);
  // What reads the environment is imported once the environment is complete.
  const { found } = await import('../functions/found.ts');
  const ledger = await found();
  const pool = await openPool(threadCountOf(process.env['LEDGER_THREADS']));
  const server = gateway(pool.invoke).listen(port, '127.0.0.1');
  server.once('close', () => void pool.close());
  await once(server, 'listening');
  const address = `http://127.0.0.1:${port}/${stage}`;
  const whose = `ledger ${ledger.handle}, key ${ledger.key.public}, data ${data.name}`;
  return { server, ready: `Countersign is ready at ${address} (${whose})\n` };
}

/** How many threads answer requests: what the database and its clients leave over. */
function threadCountOf(text: string | undefined): number {
  if (!text) return Math.max(1, Math.min(threadCountMax, availableParallelism() - 2));
  if (!/^[1-9]\d?$/.test(text)) throw new Error(`LEDGER_THREADS must be 1 to 99, not '${text}'.`);
  return Number(text);
}

/** Lets requests finish, then ends the database. */
async function shutDown(
  server: Server,
  stopWorkers: () => Promise<void>,
  database: Database,
  data: DataFolder,
): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const hurry = setTimeout(() => server.closeAllConnections(), drainMsMax);
  await closed;
  clearTimeout(hurry);
  await stopWorkers();
  await database.stop();
  data.close();
  process.exit(0);
}

/** npm passes signals on, but a killed npm cannot: then this process is an orphan and stops. */
function stopWithNpm(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] !== 'start') return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, orphanPollMs).unref();
}

main().catch((error: unknown) => {
  const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${isTaken ? `The port is in use; choose another PORT. ${text}` : text}\n`);
  process.exit(1);
});
