/** Folders and files that belong to their owner alone. */
import { mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { syncFolder } from '../../shared/disk/whole-file.ts';
import { messageOf } from '../../shared/ledger/thrown.ts';
import { ExitError, exitCodes } from './failing.ts';

const othersMay = 0o077;
/** The errors of a file that is written where there is no room for it. */
const roomlessCodes: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

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

/** Names the folder for temporary files in an error of a file in it for which there is no room; any other error stays as it is. */
export function namedTemporary(error: unknown): unknown {
  return roomlessCodes.has((error as NodeJS.ErrnoException).code)
    ? temporaryUnusable(error)
    : error;
}

/** The error of a folder for temporary files that cannot be used. */
export function temporaryUnusable(error: unknown): ExitError {
  const why = `The folder for temporary files, ${tmpdir()}, cannot be used: ${messageOf(error)}. Set TMPDIR to another one.`;
  return new ExitError(exitCodes.unusable, why, { cause: error });
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
