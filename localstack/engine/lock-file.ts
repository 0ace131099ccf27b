/**
 * Makes the file beside one of LMDB in which threads and processes tell each other what they read. LMDB would make it
 * without its blocks, and touch them in memory: on a full disk that would end the process instead of being an error.
 */
import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, linkSync, rmSync, writeFileSync } from 'node:fs';

/** Space for about 190 readers, of 64 bytes each. */
const lockBytes = 12_288;

/** Makes the lock of a file, unless it is there. An empty one is set up by who opens the file first. */
export function reserveLock(path: string): void {
  const lock = `${path}-lock`;
  if (existsSync(lock)) {
    // One that cannot be opened would end the process.
    accessSync(lock, constants.R_OK | constants.W_OK);
    return;
  }
  const whole = `${lock}-${randomUUID()}`;
  try {
    writeFileSync(whole, Buffer.alloc(lockBytes), { mode: 0o600 });
    nameOnce(whole, lock);
  } finally {
    rmSync(whole, { force: true });
  }
}

/** Names a file once it is whole: another process may open it at that moment, or have made it. */
function nameOnce(whole: string, path: string): void {
  try {
    linkSync(whole, path);
  } catch {
    // LMDB makes it where it is not there: not every file system has links.
  }
}
