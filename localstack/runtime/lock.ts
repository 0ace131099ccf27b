/** What a process keeps to itself: a file, by whatever path and from whatever container another one comes to it. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Ending, endCodes } from './failing.ts';

/** What `flock` ends with when somebody else has the file. flock(1) */
const takenStatus = 1;

/**
 * Takes a file, which is made when there is none, or says that another process has it. The kernel keeps the lock
 * with the file itself and with what is open here: so it holds on each path to the file, also by a bind mount, in
 * each namespace, and ends with this process, however that ends. Node cannot ask for it; `flock` does, by the
 * descriptor that it is lent. Elsewhere than on Linux there is no lock, nor an embedded database.
 */
export function lock(path: string, isTaken: string): () => void {
  if (process.platform !== 'linux') return () => {};
  // For writing: a file of a lower layer of an overlay would else be another one than the file that is written.
  const file = openSync(path, 'a', 0o600);
  const { status, error, stderr } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', file],
    encoding: 'utf8',
  });
  if (status === 0) return once(() => closeSync(file));
  closeSync(file);
  if (status === takenStatus && stderr === '') throw new Ending(endCodes.taken, isTaken);
  const why = error ? `there is no command flock here (${error.message})` : stderr.trim();
  throw new Ending(endCodes.unusable, `${path} cannot be locked: ${why}.`);
}

/** Let go twice, the number of the descriptor might be that of another file by then. */
function once(release: () => void): () => void {
  let isHeld = true;
  return () => {
    if (isHeld) release();
    isHeld = false;
  };
}
