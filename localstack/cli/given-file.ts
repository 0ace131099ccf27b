/** Files that a command is given, to read or to write. */
import { accessSync, constants, statSync } from 'node:fs';
import { messageOf } from '../../shared/ledger/thrown.ts';
import { ExitError, exitCodes } from '../runtime/failing.ts';

/** True for a file, false for what is none or is not there; throws an `ExitError` for one that cannot be read. */
export function isReadable(path: string): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    const why = `${path} cannot be read: ${messageOf(error)}`;
    throw new ExitError(exitCodes.unusable, why, { cause: error });
  }
}

/** True when both paths lead to one file, as by a link; false also where that cannot be seen. */
export function isSameFile(path: string, other: string): boolean {
  const [one, two] = [path, other].map((name) => {
    try {
      return statSync(name, { bigint: true });
    } catch {
      return undefined;
    }
  });
  return one?.isFile() === true && one.ino === two?.ino && one.dev === two.dev;
}

const fileCodes = new Set('EACCES EPERM EROFS ENOENT ENOTDIR EISDIR ENOSPC EDQUOT'.split(' '));

/** The error of a file that cannot be written; undefined for any other. */
export function unwritable(error: unknown, path: string): ExitError | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (!fileCodes.has(code)) return undefined;
  const why = `${path} cannot be written: ${message}`;
  return new ExitError(exitCodes.unusable, why, { cause: error });
}
