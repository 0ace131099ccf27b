/** Files that are there whole or as they were, whenever the process or the machine ends. */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Writes a text in place of what a file held; when it returns, the text is on the disk. Only its owner may read it. */
export function writeWhole(path: string, text: string): void {
  written(path, text, (whole) => renameSync(whole, path));
}

/** As `writeWhole`, for a file that is not there yet; false where one is, which stays as it is. */
export function makeWhole(path: string, content: string | Uint8Array): boolean {
  // Nothing has to be written then, which may be forbidden.
  if (existsSync(path)) return false;
  return written(path, content, (whole) => isNamed(whole, path));
}

/** Gives a file that is on the disk its name, for good. */
export function nameWhole(whole: string, path: string): void {
  renameSync(whole, path);
  syncFolder(dirname(path));
}

/** Brings the names in a folder to the disk: a new file is there for good once its folder is, too. */
export function syncFolder(path: string): void {
  // Windows has no such call, and needs none.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Writes to a file beside, and names it once it is on the disk. Nothing is left of one that gets no name. */
function written<Named>(
  path: string,
  content: string | Uint8Array,
  name: (whole: string) => Named,
): Named {
  // Another process may write the same file at that moment.
  const whole = `${path}.${randomUUID()}`;
  try {
    const file = openSync(whole, 'wx', 0o600);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    const named = name(whole);
    syncFolder(dirname(path));
    return named;
  } finally {
    rmSync(whole, { force: true });
  }
}

/** Names a file, unless another one has the name. */
function isNamed(whole: string, path: string): boolean {
  try {
    linkSync(whole, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // Not every file system has links.
    if (existsSync(path)) return false;
    renameSync(whole, path);
  }
  return true;
}
