/** Where the offline runtime keeps its data: a folder for its owner only, or nothing at all. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeMasterKey } from '../shared/keyring/local.ts';
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

/** Opens a data folder for this process alone, or makes one; `:memory:` keeps nothing. */
export async function openData(name: string): Promise<DataFolder> {
  if (name === inMemory) return temporary();
  mkdirSync(name, { recursive: true, mode: 0o700 });
  const unlock = await lock(
    name,
    `Another ledger is running on ${name}. Stop it, or choose another LEDGER_DATA.`,
  );
  const databasePath = join(name, 'ledger.db');
  const masterKeyPath = join(name, 'master.key');
  if (existsSync(databasePath) && !existsSync(masterKeyPath))
    throw new Error(
      `${masterKeyPath} is missing: without it the ledgers in ${databasePath} cannot sign. Restore it, or choose another LEDGER_DATA.`,
    );
  makeMasterKey(masterKeyPath);
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
