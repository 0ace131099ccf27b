/** The data folder of the offline runtime, for its owner only; or a temporary one for `:memory:`. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeMasterKey, masterKeyring } from '../../shared/keyring/local.ts';
import { type Database, type DatabaseOptions, fileSuffix, openDatabase } from './database.ts';
import { ExitError, exitCodes } from './failing.ts';
import { isOpenToOthers, makeFolder } from './folder.ts';
import {
  beginFounding,
  endFounding,
  forgetFounded,
  foundingPathOf,
  isBeingFounded,
  isFilled,
  removeDrafts,
} from './founding.ts';
import { lock } from './lock.ts';
import { makeTemporaryFolder } from './temporary.ts';

export interface DataFolder {
  /** The value of `LEDGER_DATA`. */
  readonly name: string;
  readonly databasePath: string;
  /** True where nothing is kept. */
  readonly isFleeting: boolean;
  readonly masterKeyPath: string;
  /** The file of the dead letters; absent in memory. */
  readonly deadLettersPath?: string;
  /** Lines about a new ledger beside the master key of another one, and a master key that others may read. */
  readonly warnings: readonly string[];
  /** Writes the address of the database into the folder, for commands that read it by `endpointIn`. */
  readonly announce: (endpoint: string) => void;
  /** Removes the files that were made for a new database, which would look like a damaged one, and unlocks the folder. */
  readonly abandon: () => void;
  /** Unlocks the folder. */
  readonly close: () => void;
}

const inMemory = ':memory:';
const endpointFile = 'endpoint';
const databaseFile = `ledger${fileSuffix}`;
/** The file of release 0.2 and before, which SQLite writes. */
const earlierFile = 'ledger.db';

/** True when the folder has a database that is not empty; a file in its place is refused. */
export function holdsLedger(name: string): boolean {
  try {
    // Node 24 finds nothing in a file, where Node 22 refuses to look.
    if (statSync(name, { throwIfNoEntry: false })?.isFile()) throw new Error('it is a file');
    return isFilled(databaseIn(name));
  } catch (error) {
    throw cannotUse(name, error);
  }
}

/** The path of the database of a folder: that of an earlier release where it is. */
export function databaseIn(name: string): string {
  const earlier = join(name, earlierFile);
  return existsSync(earlier) ? earlier : join(name, databaseFile);
}

function cannotUse(name: string, error: unknown): ExitError {
  const why = `${name} cannot be used: ${(error as Error).message}`;
  return new ExitError(exitCodes.unusable, why, { cause: error });
}

/** Opens a data folder for this process alone, and makes it if needed; `:memory:` keeps nothing. */
export function openData(name: string): DataFolder {
  if (name === inMemory) return temporary();
  makeFolder(name, 'LEDGER_DATA');
  try {
    return openFolder(name);
  } catch (error) {
    if (error instanceof ExitError) throw error;
    throw cannotUse(name, error);
  }
}

function openFolder(name: string): DataFolder {
  assertOne(name);
  const databasePath = databaseIn(name);
  const masterKeyPath = join(name, 'master.key');
  const isEmbedded = !process.env['DYNAMODB_ENDPOINT'];
  if (isEmbedded) beginFounding(databasePath);
  else makeMasterKey(masterKeyPath);
  const unlock = lockOf(name, isEmbedded ? databasePath : masterKeyPath);
  const isNew = isEmbedded && isBeingFounded(databasePath);
  const begun = isNew ? [databasePath, `${databasePath}-lock`, foundingPathOf(databasePath)] : [];
  const abandon = (): void => {
    for (const path of begun) rmSync(path, { force: true });
    unlock();
  };
  try {
    if (isEmbedded) assertComplete(name, { databasePath, masterKeyPath, isNew });
    if (isNew) removeDrafts(databasePath);
    const warnings = isNew ? warningsOfNew(databasePath, masterKeyPath) : [];
    if (makeMasterKey(masterKeyPath) && isNew) begun.unshift(masterKeyPath);
    // Throws for an invalid key before anything is started.
    masterKeyring(masterKeyPath);
    // Not refused: a container may be given its secrets with modes of their own.
    if (isOpenToOthers(masterKeyPath))
      warnings.push(
        `Others may read the master key in ${masterKeyPath}. Forbid it: chmod 600 ${masterKeyPath}`,
      );
    const endpointPath = join(name, endpointFile);
    // That of a ledger that was killed.
    rmSync(endpointPath, { force: true });
    return {
      ...{ name, databasePath, isFleeting: false, masterKeyPath, warnings, abandon },
      deadLettersPath: join(name, 'dead-letters.jsonl'),
      announce: (endpoint) => writeFileSync(endpointPath, endpoint, { mode: 0o600 }),
      close: () => {
        rmSync(endpointPath, { force: true });
        unlock();
      },
    };
  } catch (error) {
    abandon();
    throw error;
  }
}

function lockOf(name: string, path: string): () => void {
  try {
    return lock(
      path,
      `Another process uses ${name}: a ledger, or a command such as audit. Wait for the command, or stop the ledger, or choose another LEDGER_DATA.`,
    );
  } finally {
    // Another process may have made its database before this one said that it is being made.
    forgetFounded(databaseIn(name));
  }
}

/** Opens the database of a folder, and makes it if needed. One that cannot be made leaves the folder as it was. */
export async function openDatabaseOf(
  { databasePath, isFleeting, abandon }: DataFolder,
  options: Pick<DatabaseOptions, 'onLost'> = {},
): Promise<Database> {
  try {
    const database = await openDatabase(databasePath, { ...options, isFleeting });
    endFounding(databasePath);
    return database;
  } catch (error) {
    abandon();
    throw error;
  }
}

/** Refuses a folder with two databases: a release before has been started on a folder of this one. */
function assertOne(name: string): void {
  if (![earlierFile, databaseFile].every((file) => isFilled(join(name, file)))) return;
  throw new ExitError(
    exitCodes.unusable,
    `There are two databases in ${name}, ${earlierFile} of an earlier release and ${databaseFile}. Move away the one that is not yours.`,
  );
}

/** Refuses a folder that lost the database or the master key: neither can be used without the other. */
function assertComplete(
  name: string,
  {
    databasePath,
    masterKeyPath,
    isNew,
  }: Pick<DataFolder, 'masterKeyPath'> & { databasePath: string; isNew: boolean },
): void {
  const [hasLedger, hasKey] = [holdsLedger(name), existsSync(masterKeyPath)];
  if (hasLedger && !hasKey)
    throw new ExitError(
      exitCodes.unusable,
      `${masterKeyPath} is missing: without it the ledgers in ${databasePath} cannot sign. Restore it, or choose another LEDGER_DATA.`,
    );
  // An emptied database must not pass for a new one.
  if (!isNew && !hasLedger && hasKey)
    throw new ExitError(
      exitCodes.unusable,
      `The database file ${databasePath} is damaged (it is empty, and there is a master.key). Replace it by a backup; if there never was a ledger, remove it.`,
    );
}

/** A key without its database is all that an import needs, and all that is left of a lost ledger. */
function warningsOfNew(databasePath: string, masterKeyPath: string): string[] {
  if (!existsSync(masterKeyPath)) return [];
  return [
    `There is ${masterKeyPath} and no ${databasePath}: this is a new ledger. If there was one, stop, remove the new file, and restore the one that was backed up.`,
  ];
}

function temporary(): DataFolder {
  const folder = makeTemporaryFolder();
  const masterKeyPath = join(folder, 'master.key');
  const close = () => rmSync(folder, { recursive: true, force: true });
  // Also after a start that failed: nothing may keep the master key.
  process.once('exit', close);
  makeMasterKey(masterKeyPath);
  const databasePath = join(folder, databaseFile);
  return {
    name: inMemory,
    databasePath,
    isFleeting: true,
    masterKeyPath,
    warnings: [],
    announce: () => {},
    abandon: close,
    close,
  };
}

/** The address of the database, when another process has opened the folder. */
export function endpointIn(name: string): string | undefined {
  const path = join(name, endpointFile);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
