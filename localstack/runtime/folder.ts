/** Folders that belong to their owner alone. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Ending, endCodes } from './failing.ts';

/** Makes a folder with all that it lies in, where it is not there; `what` says who asked for it. */
export function makeFolder(path: string, what: string): void {
  try {
    make(resolve(path));
  } catch (error) {
    throw new Ending(
      endCodes.unusable,
      `${what} is '${path}', which can be no folder: ${(error as Error).message}. Name one that is there or can be made.`,
      { cause: error },
    );
  }
}

/** One by one: in a place like /proc, where nothing can be made, `recursive` would ask for ever. */
function make(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) throw new Error('it is a file');
  make(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Somebody else has made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
