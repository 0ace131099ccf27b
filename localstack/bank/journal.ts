/**
 * The journal: an append-only file with a line of JSON for each step. A step counts once its line is on the disk, so
 * that `kill -9` or a power cut loses nothing that was answered. One process reads the whole file; a real bank has a
 * database.
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
import { syncFolder } from '../../shared/disk/whole-file.ts';

export interface Journal<Line> {
  /** Appends a line; when it returns, the line is on the disk. */
  readonly append: (line: Line) => void;
  readonly close: () => void;
}

const newline = 0x0a;

/** Opens or creates the journal at a path, and passes every line to `read`. */
export function openJournal<Line>(path: string, read: (line: Line) => void): Journal<Line> {
  const file = openSync(path, 'a+', 0o600);
  const bytes = readFileSync(path);
  // An incomplete last line was being written when the process ended, before any answer.
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
      // After a failed write the line may be incomplete, and nothing may be written behind it.
      state = 'broken';
      const text = Buffer.from(`${JSON.stringify(line)}\n`);
      if (writeSync(file, text) < text.length)
        throw new Error(`The disk has no space for ${path}.`);
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
    throw new Error(
      `${place} is damaged. Restore the file from a backup: a bank must not forget an entry.`,
    );
  }
}
