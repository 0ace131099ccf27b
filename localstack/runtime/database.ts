/**
 * The embedded database: a file of LMDB, which the threads of this process and other processes open themselves. Folders
 * of release 0.2 and before have a SQLite file, which a native binary keeps that speaks DynamoDB. It runs as a child process and
 * ends with its parent, however that ends. When it ends alone it is restarted at the same address, as everything that it
 * has answered is in its file. A database in memory is lost.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { messageOf } from '../../shared/ledger/thrown.ts';
import type { FileClient } from '../../shared/store/client.ts';
import { damagedPattern } from '../../shared/store/retry.ts';
import '../engine/provide.ts';
import { syncFolder } from '../../shared/disk/whole-file.ts';
import { addressOfFile, fileClient } from '../engine/file-table.ts';
import { binaryPath } from './binary.ts';
import { ExitError, exitCodes, exitWith } from './failing.ts';
import { endTied, spawnTied } from './tie.ts';
import { optionalVariable } from './variables.ts';

/** The time for the first answer of the database, in milliseconds. */
const startMsMax = 10_000;
/** Delays before the restarts of a database that ended alone, in milliseconds. */
const againMs: readonly number[] = [0, 250, 1_000, 2_000, 4_000];
/** After so many milliseconds without an end, all restarts are available again. */
const steadyMs = 600_000;
/** The most characters of standard error that an error message quotes. */
const complaintLengthMax = 2_000;
const notStarted = 'The embedded database did not start: ';

export interface Database {
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
}

export interface DatabaseOptions {
  /** Called when the native binary is gone for good. */
  readonly onLost?: (error: ExitError) => void;
  /** True for a file that nobody needs after a failure of the machine. */
  readonly isFleeting?: boolean;
}

/** The end of the names of files of LMDB. */
export const fileSuffix = '.mdb';

/**
 * Uses the database of `DYNAMODB_ENDPOINT`, or opens a file of LMDB; for a file of another name, or none, starts the
 * native binary.
 */
export async function openDatabase(
  path: string | undefined,
  { onLost = exitWith(exitCodes.databaseLost), isFleeting = false }: DatabaseOptions = {},
): Promise<Database> {
  const endpoint = optionalVariable('DYNAMODB_ENDPOINT');
  if (endpoint) return { endpoint, stop: async () => {} };
  if (path?.endsWith(fileSuffix)) return openFile(path, isFleeting);
  return keepUp({ binary: binaryPath(), port: await freePort(), path }, onLost);
}

/** Opens a file of LMDB, and makes it if needed. */
function openFile(path: string, isFleeting: boolean): Database {
  const endpoint = addressOfFile(path, { isFleeting });
  const client = openedClient(endpoint, path);
  // A new file is there for good once its folder is on the disk.
  if (!isFleeting) syncFolder(dirname(path));
  return { endpoint, stop: async () => client.destroy() };
}

/** Opens a file of LMDB; throws an `ExitError` that names the file where it cannot be used. */
export function openedClient(endpoint: string, path: string): FileClient {
  try {
    return fileClient(endpoint);
  } catch (error) {
    const named = asDamagedFile(error, path);
    if (named !== error) throw named;
    const why = `${path} cannot be used: ${(error as Error).message}.`;
    throw new ExitError(exitCodes.unusable, why, { cause: error });
  }
}

/** An error that names the damaged file, when the database reports one; else the same error. */
export function asDamagedFile(error: unknown, which: string): unknown {
  const text = messageOf(error);
  if (!damagedPattern.test(text)) return error;
  return damagedFile(error, which);
}

function damagedFile(error: unknown, which: string): ExitError {
  const [why] = messageOf(error).split('. ');
  return new ExitError(
    exitCodes.unusable,
    `The database file ${which} is damaged (${why}). Replace it by a backup, or choose another LEDGER_DATA.`,
    { cause: error },
  );
}

/** The package of LMDB in a stack. */
const inPackage = /[\\/]node_modules[\\/]lmdb[\\/]/;

/**
 * Names a damaged file also where the package of LMDB throws while it undoes a write, out of every promise, and ends the process
 * with `end`. Other errors that nobody catches end it as ever. Returns what ends this.
 */
export function onUncaughtDamage(path: string, end = exitWith(exitCodes.unusable)): () => void {
  const onUncaught = (error: unknown): void => {
    if (!(error instanceof Error && inPackage.test(error.stack ?? ''))) return;
    // LMDB has begun a line.
    process.stderr.write('\n');
    end(damagedFile(error, path));
  };
  process.on('uncaughtExceptionMonitor', onUncaught);
  return () => process.off('uncaughtExceptionMonitor', onUncaught);
}

interface Embedded {
  readonly binary: string;
  readonly port: number;
  /** The file; undefined for a database in memory. */
  readonly path: string | undefined;
}

/** Starts the database, and restarts it at the same address, so that retries of its clients succeed. */
async function keepUp(embedded: Embedded, onLost: (error: ExitError) => void): Promise<Database> {
  let isStopping = false;
  let child = await start(embedded);
  let [startCount, startedMs] = [0, performance.now()];

  const follow = (): void => {
    child.once('exit', (code) => {
      if (!isStopping) void revive(`ended (${endOf(code)})`);
    });
  };
  const revive = async (why: string): Promise<void> => {
    if (performance.now() - startedMs >= steadyMs) startCount = 0;
    const waitMs = againMs[startCount];
    if (embedded.path === undefined || waitMs === undefined)
      return onLost(lostOf(embedded.path, why));
    process.stderr.write(`The embedded database ${why} and is restarted.\n`);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    startCount += 1;
    if (isStopping) return;
    try {
      child = await start(embedded);
      startedMs = performance.now();
      follow();
    } catch (error) {
      await revive(`did not restart (${whyOf(error)})`);
    }
  };

  follow();
  const stop = async (): Promise<void> => {
    isStopping = true;
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.stdin?.end();
    await ended;
  };
  return { endpoint: `http://127.0.0.1:${embedded.port}`, stop };
}

/** The error for a database that cannot be restarted. */
function lostOf(path: string | undefined, why: string): ExitError {
  const what =
    path === undefined
      ? 'all that it held in memory is lost'
      : `it was restarted too often; all that was answered is in ${path}`;
  return new ExitError(exitCodes.databaseLost, `The embedded database ${why}, and ${what}.`);
}

/** The message of an error, without the words that the database did not start. */
function whyOf(error: unknown): string {
  return messageOf(error).replace(notStarted, '').replace(/\.$/, '');
}

/** Joins lines of output, without the `Killed` that the shell prints for a killed child. */
function inOneLine(said: string): string {
  const lines = said.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && line !== 'Killed').join('; ');
}

/** Names the end of a process. The shell adds 128 to the number of a signal. */
function endOf(code: number | null): string {
  return code !== null && code > 128 ? `signal ${code - 128}` : `exit code ${code}`;
}

/** Starts the database, and waits until it answers. */
async function start({ binary, port, path }: Embedded): Promise<ChildProcess> {
  const options = ['serve', '--host', '127.0.0.1', '--port', String(port)];
  const child = spawnTied(binary, path === undefined ? options : [...options, '--db-path', path]);
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints = `${complaints}${chunk}`.slice(-complaintLengthMax);
  });
  // If the shell or process that ties it ends first, the database is ended too, so that it does not keep the port.
  child.once('exit', () => endTied(child));
  const closed = once(child, 'close');
  if (await isAnswered(`http://127.0.0.1:${port}`, child)) return child;
  endTied(child);
  await closed;
  const why = inOneLine(complaints).replace(/^error: (Internal error: )?/i, '');
  const error = asDamagedFile(why, path ?? 'in memory');
  if (error instanceof Error) throw error;
  const how = child.exitCode === null ? 'no answer' : endOf(child.exitCode);
  throw new Error(`${notStarted}${[how, why].filter(Boolean).join(', ')}.`);
}

/** A free port on the loopback address. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}

/** True once the database answers; false when it ends first, or takes too long. */
async function isAnswered(endpoint: string, child: ChildProcess): Promise<boolean> {
  const untilMs = performance.now() + startMsMax;
  while (performance.now() < untilMs && child.exitCode === null) {
    try {
      await fetch(endpoint);
      // The answer may come from another process that has taken the port; then this child ends.
      return child.exitCode === null;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  return false;
}
