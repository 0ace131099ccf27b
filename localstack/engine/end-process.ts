/** The end of a process whose database file cannot be used any more. */
import { writeSync } from 'node:fs';

/** Ends the process at once, whatever its threads wait for. All that was answered is on the disk. */
export function endProcess(why: string): void {
  try {
    writeSync(2, `The database file cannot be used any more, and the process ends: ${why}\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}
