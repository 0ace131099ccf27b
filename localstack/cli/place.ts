/** Finds the table that a command works on, whether its ledger runs or not. */
import { fileURLToPath } from 'node:url';
import { isFile } from '../../shared/store/client.ts';
import { addressOfFile } from '../engine/file-table.ts';
import {
  type DataFolder,
  databaseIn,
  endpointIn,
  holdsLedger,
  openData,
  openDatabaseOf,
} from '../runtime/data.ts';
import { asDamagedFile, onUncaughtDamage, openedClient } from '../runtime/database.ts';
import { ExitError, exitCodes, misused } from '../runtime/failing.ts';
import { optionalVariable } from '../runtime/variables.ts';

/** The time for the first answer of a database, in milliseconds. */
const answerMsMax = 5_000;

/** A database. It is live when other processes may write to it meanwhile. */
export interface DatabasePlace {
  readonly endpoint: string;
  readonly isLive: boolean;
  readonly close: () => Promise<void>;
  /** Closes it, and removes what was made for a database that was not there before. */
  readonly abandon: () => Promise<void>;
}

/** Finds the database of a folder: that of the running ledger, or the folder's own. */
export async function placeOf(folder: string): Promise<DatabasePlace> {
  const given = optionalVariable('DYNAMODB_ENDPOINT');
  if (given) return runningAt(given);
  if (!holdsLedger(folder))
    throw misused(
      `There is no ledger in ${folder}. Name the folder of one by --data or LEDGER_DATA.`,
    );
  let data: DataFolder;
  try {
    data = openData(folder);
  } catch (error) {
    const isTaken = error instanceof ExitError && error.code === exitCodes.taken;
    const announced = isTaken ? endpointIn(folder) : undefined;
    if (announced === undefined) throw error;
    // The ledger may know the folder by another path.
    if (isFile(announced)) return sharedIn(databaseIn(folder));
    return runningAt(announced);
  }
  return startedIn(data);
}

/** As `placeOf`; where there is no ledger, makes a folder with an empty database. */
export async function placeToFill(folder: string): Promise<DatabasePlace> {
  if (optionalVariable('DYNAMODB_ENDPOINT') || holdsLedger(folder)) return placeOf(folder);
  const data = openData(folder);
  return startedIn(data);
}

/** Refuses the folder that keeps nothing. */
export function assertKept(folder: string): void {
  if (folder === ':memory:' && !optionalVariable('DYNAMODB_ENDPOINT'))
    throw misused(':memory: keeps nothing: name a folder by --data or LEDGER_DATA.');
}

/** The error of a command, which names the table when that is missing. */
export function explained(error: unknown, tableName: string, endpoint: string): unknown {
  const isMissing = error instanceof Error && error.name === 'ResourceNotFoundException';
  if (!isMissing) return asDamagedFile(error, nameOf(endpoint));
  return misused(`There is no table '${tableName}' ${whereOf(endpoint)}.`, { cause: error });
}

/** The place of a table, in words. */
export function whereOf(endpoint: string): string {
  return isFile(endpoint) ? `in ${nameOf(endpoint)}` : `at ${endpoint}`;
}

/** A file by its path, and any other database by its address. */
function nameOf(endpoint: string): string {
  return isFile(endpoint) ? fileURLToPath(endpoint) : `at ${endpoint}`;
}

async function startedIn(data: DataFolder): Promise<DatabasePlace> {
  const database = await openDatabaseOf(data);
  const ignoreDamage = onUncaughtDamage(data.databasePath);
  const stop = async () => {
    await database.stop();
    ignoreDamage();
  };
  return {
    endpoint: database.endpoint,
    isLive: false,
    close: async () => {
      await stop();
      data.close();
    },
    abandon: async () => {
      await stop();
      data.abandon();
    },
  };
}

/** A file that other processes write to. */
function sharedIn(path: string): DatabasePlace {
  const endpoint = addressOfFile(path);
  const client = openedClient(endpoint, path);
  const ignoreDamage = onUncaughtDamage(path);
  const close = async () => {
    client.destroy();
    ignoreDamage();
  };
  return { ...sharedAt(endpoint), close, abandon: close };
}

/** A database that other processes write to. */
function sharedAt(endpoint: string): DatabasePlace {
  const close = async () => {};
  return { endpoint, isLive: true, close, abandon: close };
}

async function runningAt(endpoint: string): Promise<DatabasePlace> {
  await fetch(endpoint, { signal: AbortSignal.timeout(answerMsMax) }).catch((error: unknown) => {
    const text = `No database answers at ${endpoint}.`;
    throw new ExitError(exitCodes.unreachable, text, { cause: error });
  });
  return sharedAt(endpoint);
}
