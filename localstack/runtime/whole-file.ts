/** Files that are there whole or as they were, whenever the process or the machine ends. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a text in place of what a file held; when it returns, the text is on the disk. Only its owner may read it. */
export function writeWhole(path: string, text: string): void {
  const next = `${path}.next`;
  const file = openSync(next, 'w', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
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
