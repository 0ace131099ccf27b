/** Where the offline runtime keeps its data: a folder for its owner only, or nothing at all. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localKeyring, makeMasterKey } from '../../shared/keyring/local.ts';
import { Ending, endCodes } from './failing.ts';
import { makeFolder } from './folder.ts';
import { lock } from './lock.ts';

export interface DataFolder {
  /** As it was asked for. */
  readonly name: string;
  /** The database file; absent when nothing is kept. */
  readonly databasePath?: string;
  readonly masterKeyPath: string;
  /** Where events are kept that nobody took; absent when nothing is kept. */
  readonly deadLettersPath?: string;
  /** Leaves word of where the database answers, for whoever may read the folder (`endpointIn`). */
  readonly announce: (endpoint: string) => void;
  /** Lets go of the folder. */
  readonly close: () => void;
}

const inMemory = ':memory:';
const endpointFile = 'endpoint';
const databaseFile = 'ledger.db';

/** Whether there is a ledger in a folder: a database that is not still empty. */
export function holdsLedger(name: string): boolean {
  return (statSync(join(name, databaseFile), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Opens a data folder for this process alone, or makes one; `:memory:` keeps nothing. */
export function openData(name: string): DataFolder {
  if (name === inMemory) return temporary();
  makeFolder(name, 'LEDGER_DATA');
  try {
    return openFolder(name);
  } catch (error) {
    if (error instanceof Ending) throw error;
    const why = `${name} cannot be used: ${(error as Error).message}`;
    throw new Ending(endCodes.unusable, why, { cause: error });
  }
}

function openFolder(name: string): DataFolder {
  const databasePath = join(name, databaseFile);
  const masterKeyPath = join(name, 'master.key');
  const wasThere = existsSync(databasePath);
  const isEmbedded = !process.env['DYNAMODB_ENDPOINT'];
  if (!isEmbedded) makeMasterKey(masterKeyPath);
  const unlock = lock(
    isEmbedded ? databasePath : masterKeyPath,
    `Another ledger is running on ${name}. Stop it, or choose another LEDGER_DATA.`,
  );
  if (isEmbedded) assertComplete(name, { databasePath, masterKeyPath, wasThere });
  makeMasterKey(masterKeyPath);
  // A key that cannot be one is told of before anything is started.
  localKeyring(masterKeyPath);
  const endpointPath = join(name, endpointFile);
  return {
    name,
    databasePath,
    masterKeyPath,
    deadLettersPath: join(name, 'dead-letters.jsonl'),
    announce: (endpoint) => writeFileSync(endpointPath, endpoint, { mode: 0o600 }),
    close: () => {
      rmSync(endpointPath, { force: true });
      unlock();
    },
  };
}

/** Refuses a folder that has lost one of the two files without which the other is worth nothing. */
function assertComplete(
  name: string,
  {
    databasePath,
    masterKeyPath,
    wasThere,
  }: Pick<DataFolder, 'masterKeyPath'> & { databasePath: string; wasThere: boolean },
): void {
  const [hasLedger, hasKey] = [holdsLedger(name), existsSync(masterKeyPath)];
  if (hasLedger && !hasKey)
    throw new Ending(
      endCodes.unusable,
      `${masterKeyPath} is missing: without it the ledgers in ${databasePath} cannot sign. Restore it, or choose another LEDGER_DATA.`,
    );
  // A ledger that has lost all must not look like one that is new.
  if (wasThere && !hasLedger && hasKey)
    throw new Ending(
      endCodes.unusable,
      `The database file ${databasePath} is damaged (it is empty, and there is a master.key). Put a backup of it in its place; if there never was a ledger, remove it.`,
    );
}

function temporary(): DataFolder {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  const masterKeyPath = join(folder, 'master.key');
  makeMasterKey(masterKeyPath);
  const close = () => rmSync(folder, { recursive: true });
  return { name: inMemory, masterKeyPath, announce: () => {}, close };
}

/** Where the database of a folder answers that another process has opened. */
export function endpointIn(name: string): string | undefined {
  const path = join(name, endpointFile);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
