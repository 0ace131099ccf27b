/**
 * Folders for temporary files. They hold private records and master keys, so each is removed with its process, and one
 * that was left by a process that was killed is removed by the next. On Linux: elsewhere it stays.
 */
import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryUnusable } from './folder.ts';
import { lock } from './lock.ts';

const prefix = 'countersign-';
/** The names that `makeTemporaryFolder` gives. */
const ownName = /^countersign-(?:[a-z]+-)?[A-Za-z0-9]{6}$/;
/** The file in a folder that its process keeps locked. */
const heldFile = 'countersign.held';
const othersMay = 0o077;

/** Makes a folder in that of the system for temporary files, whose name may say its purpose. */
export function makeTemporaryFolder(purpose?: string): string {
  removeLeft();
  let path: string;
  try {
    path = mkdtempSync(join(tmpdir(), purpose === undefined ? prefix : `${prefix}${purpose}-`));
  } catch (error) {
    throw temporaryUnusable(error);
  }
  hold(path);
  return path;
}

/** Locks a file in the folder until the process ends, however it ends. It gets its name once it is locked. */
function hold(folder: string): void {
  if (process.platform !== 'linux') return;
  const path = join(folder, heldFile);
  try {
    lock(`${path}.new`, 'Nobody else knows the file.');
    renameSync(`${path}.new`, path);
  } catch {
    // Without the file, the folder stays if this process is killed.
  }
}

/** Removes the folders of processes that are gone. */
function removeLeft(): void {
  if (process.platform !== 'linux') return;
  const names = tried(() => readdirSync(tmpdir())) ?? [];
  for (const name of names) if (ownName.test(name)) tried(() => removeIfLeft(join(tmpdir(), name)));
}

/** Removes a folder that this user has made by this program, if the lock in it is free. */
function removeIfLeft(folder: string): void {
  const held = join(folder, heldFile);
  const [stat, heldStat] = [lstatSync(folder), lstatSync(held)];
  const isOwn = [stat, heldStat].every(({ uid }) => uid === process.getuid?.());
  const isPrivate = (stat.mode & othersMay) === 0;
  if (!stat.isDirectory() || !heldStat.isFile() || !isOwn || !isPrivate) return;
  const release = lock(held, 'Its process runs.');
  try {
    rmSync(folder, { recursive: true });
  } finally {
    release();
  }
}

/** The result of what may fail, as where another process removes the same folder. */
function tried<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
