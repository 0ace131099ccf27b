/**
 * The journal: what the bank has done, a line of JSON for each step, in a file that only grows. A step
 * counts once its line is on the disk, so that after a `kill -9`, or a power cut, nothing is lost that
 * was answered. It is one file for one process and is read as a whole: a real bank has a database.
 */
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface Journal<Line> {
  /** Keeps a line; when it returns, the line is on the disk. */
  readonly append: (line: Line) => void;
  readonly close: () => void;
}

const newline = 0x0a;

/** Opens the journal at a path, or begins it, and reads back every line that was kept. */
export function openJournal<Line>(path: string, read: (line: Line) => void): Journal<Line> {
  const file = openSync(path, 'a+', 0o600);
  const bytes = readFileSync(path);
  // What comes after the last line's end was being written when the process ended: nobody was answered.
  const length = bytes.lastIndexOf(newline) + 1;
  if (length < bytes.length) ftruncateSync(file, length);
  for (const [index, text] of bytes
    .subarray(0, length)
    .toString()
    .split('\n')
    .slice(0, -1)
    .entries())
    read(parsed<Line>(text, `${path}:${index + 1}`));
  fsyncSync(file);
  syncFolder(dirname(path));
  let state: 'open' | 'broken' | 'closed' = 'open';
  return {
    append: (line) => {
      if (state !== 'open') throw new Error(`${path} is ${state}; start the bridge again.`);
      // Until it is known that the line is there as a whole, nothing may be written behind it.
      state = 'broken';
      const text = Buffer.from(`${JSON.stringify(line)}\n`);
      if (writeSync(file, text) < text.length) throw new Error(`There is no room for ${path}.`);
      fdatasyncSync(file);
      state = 'open';
    },
    close: () => {
      if (state !== 'closed') closeSync(file);
      state = 'closed';
    },
  };
}

function parsed<Line>(text: string, place: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    throw new Error(`${place} is damaged. Restore the file: no entry may be forgotten.`);
  }
}

/** A new file is there for good once its folder is on the disk as well. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
