/** Folders and files that belong to their owner alone. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { syncFolder } from '../../shared/disk/whole-file.ts';
import { ExitError, exitCodes } from './failing.ts';

const othersMay = 0o077;

/** True for a file that others than its owner may read or write. On Windows, its mode says nothing about that. */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & othersMay) !== 0;
}

/** Makes a folder, with its parents, if it is missing; `what` names its purpose in the error. */
export function makeFolder(path: string, what: string): void {
  try {
    make(resolve(path));
  } catch (error) {
    throw new ExitError(
      exitCodes.unusable,
      `${what} is '${path}', which cannot be a folder: ${(error as Error).message}. Name an existing folder, or one that can be made.`,
      { cause: error },
    );
  }
}

/** Makes the folders one by one: in a place like /proc, `recursive` of Node would never return. */
function make(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) throw new Error('it is a file');
  make(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
    syncFolder(dirname(path));
  } catch (error) {
    // Another process has made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
