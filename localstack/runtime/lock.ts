/** A lock on a file, which holds for every path to the file and in every container. */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { ExitError, exitCodes } from './failing.ts';

/** The exit code of `flock` when another process has the lock. flock(1) */
const takenStatus = 1;
/** `UV_FS_O_EXLOCK` of libuv, which `constants` of Node does not have. */
const exclusiveFlag = process.platform === 'win32' ? 0x1000_0000 : 0x20;
/** The errors of opening a file that another process has locked: macOS, Windows. */
const takenCodes: readonly string[] = ['EAGAIN', 'EWOULDBLOCK', 'EBUSY'];

/**
 * Locks a file, which is made if it is missing; throws with the message `isTaken` when another process has the lock.
 * Returns the release. The kernel binds the lock to the file and to the open descriptor. So it holds for each path, bind
 * mount and namespace, and ends with this process, however that ends.
 */
export function lock(path: string, isTaken: string): () => void {
  return process.platform === 'linux' ? flocked(path, isTaken) : openedAlone(path, isTaken);
}

/** Node has no call for it on Linux, so `flock` inherits the descriptor and locks it. */
function flocked(path: string, isTaken: string): () => void {
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
  throw unlockable(path, why);
}

/**
 * macOS and Windows lock a file as it is opened. There it is a file of its own beside `path`, since the lock would keep
 * the database out of its file. libuv: `UV_FS_O_EXLOCK`.
 */
function openedAlone(path: string, isTaken: string): () => void {
  const { O_CREAT, O_WRONLY, O_NONBLOCK = 0 } = constants;
  const lockPath = `${path}.lock`;
  try {
    const file = openSync(lockPath, O_WRONLY | O_CREAT | O_NONBLOCK | exclusiveFlag, 0o600);
    return once(() => closeSync(file));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (takenCodes.includes(code)) throw new ExitError(exitCodes.taken, isTaken);
    throw unlockable(lockPath, message);
  }
}

function unlockable(path: string, why: string): ExitError {
  return new ExitError(exitCodes.unusable, `${path} cannot be locked: ${why}.`);
}

/** Releases once: after the first time, another file may have the number of the descriptor. */
function once(release: () => void): () => void {
  let isHeld = true;
  return () => {
    if (isHeld) release();
    isHeld = false;
  };
}
