/** A file that a command is given. */
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
