/**
 * The founding of a database: a file beside it says that it is being made. So the start after one that was ended at any
 * moment goes on, and a database that was emptied later never passes for a new one.
 */
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeWhole, syncFolder } from '../../shared/disk/whole-file.ts';

const mark = 'founding';
/** The first files of a folder that were not named, as their process was ended. */
const draftName =
  /^(master\.key|founding|ledger\.mdb(-lock)?)[.-][0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The path of the file. */
export function foundingPathOf(databasePath: string): string {
  return join(dirname(databasePath), mark);
}

/** Says that a database is being made, where there is none. Called before the lock, which makes an empty file. */
export function beginFounding(databasePath: string): void {
  if (!existsSync(databasePath)) makeWhole(foundingPathOf(databasePath), '');
}

/** True while a database is being made. */
export function isBeingFounded(databasePath: string): boolean {
  return existsSync(foundingPathOf(databasePath)) && !isFilled(databasePath);
}

/** Removes what says that a database is being made, where it is made already. */
export function forgetFounded(databasePath: string): void {
  if (isFilled(databasePath)) rmSync(foundingPathOf(databasePath), { force: true });
}

/** Says that a database is made, once its head is on the disk. */
export function endFounding(databasePath: string): void {
  const path = foundingPathOf(databasePath);
  if (!existsSync(path) || !isFilled(databasePath)) return;
  const file = openSync(databasePath, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  // A start that found the folder taken may have removed it just now.
  rmSync(path, { force: true });
  syncFolder(dirname(path));
}

/** Removes what a founding that was ended has left of its files, such as a master key. */
export function removeDrafts(databasePath: string): void {
  const folder = dirname(databasePath);
  for (const name of readdirSync(folder)) if (draftName.test(name)) rmSync(join(folder, name));
}

/** True for a file that is there and not empty. */
export function isFilled(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
