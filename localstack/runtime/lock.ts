/** A lock on a file, which holds for every path to the file and in every container. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { ExitError, exitCodes } from './failing.ts';

/** The exit code of `flock` when another process has the lock. flock(1) */
const takenStatus = 1;

/**
 * Locks a file, which is made if it is missing; throws with the message `isTaken` when another process has the lock.
 * Returns the release. The kernel binds the lock to the file and to the open descriptor. So it holds for each path, bind
 * mount and namespace, and ends with this process, however that ends. Node has no call for it, so `flock` inherits the
 * descriptor and locks it. Off Linux there is no lock, and no embedded database either.
 */
export function lock(path: string, isTaken: string): () => void {
  if (process.platform !== 'linux') return () => {};
  // Opened for writing: on an overlay, a reader may hold the file of the lower layer, which no writer uses.
  const file = openSync(path, 'a', 0o600);
  const { status, error, stderr } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', file],
    encoding: 'utf8',
  });
  if (status === 0) return once(() => closeSync(file));
  closeSync(file);
  if (status === takenStatus && stderr === '') throw new ExitError(exitCodes.taken, isTaken);
  const why = error ? `there is no command flock here (${error.message})` : stderr.trim();
  throw new ExitError(exitCodes.unusable, `${path} cannot be locked: ${why}.`);
}

/** Releases once: after the first time, another file may have the number of the descriptor. */
function once(release: () => void): () => void {
  let isHeld = true;
  return () => {
    if (isHeld) release();
    isHeld = false;
  };
}
