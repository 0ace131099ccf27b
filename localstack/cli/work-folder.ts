/** A folder for the temporary files of a command. They hold private records, so none of them may stay. */
import { rmSync } from 'node:fs';
import { makeTemporaryFolder } from '../runtime/temporary.ts';

/** The exit codes of shells: 128 and the number of the signal. */
const codes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Makes a folder that is removed when this process ends, also by a signal. */
export function newWorkFolder(name: string): string {
  const path = makeTemporaryFolder(name);
  process.once('exit', () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  for (const [signal, code] of Object.entries(codes))
    process.once(signal, () => process.exit(code));
  return path;
}
