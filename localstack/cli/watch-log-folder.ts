/**
 * The folder of a watcher: the last checkpoint that was in order, the key that it trusts, and the evidence of what was
 * not. A file is whole or as it was, and a checkpoint is only replaced by one that follows from it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalOf } from '../../shared/crypto/canonical.ts';
import { writeWhole } from '../../shared/disk/whole-file.ts';
import { isPlain } from '../../shared/ledger/compare.ts';
import { ExitError, exitCodes } from '../runtime/failing.ts';
import { makeFolder } from '../runtime/folder.ts';
import { lock } from '../runtime/lock.ts';

/** The log that is watched, and the keys that are trusted since the first run. */
export interface WatchedLog {
  readonly origin: string;
  /** The public key of the ledger, which signs that of the log. */
  readonly ledgerKey: string;
  /** Keys that another one has followed. None of them is trusted again. */
  readonly earlierKeys?: readonly string[];
}

export interface WatchFolder {
  /** The log of the runs before; undefined at the first. */
  readonly log: WatchedLog | undefined;
  /** The last checkpoint that was in order. */
  readonly checkpoint: string | undefined;
  /** Keeps whom this run trusts, before the first checkpoint. */
  readonly trust: (log: WatchedLog) => void;
  readonly keep: (checkpoint: string) => void;
  /** Keeps evidence; the same is kept once. Returns the path. */
  readonly accuse: (evidence: Readonly<Record<string, unknown>>) => string;
  readonly close: () => void;
}

/** Opens the folder for this process alone. Throws an `ExitError` where it cannot be used, or another process has it. */
export function openWatchFolder(path: string): WatchFolder {
  makeFolder(path, 'The folder of the watcher');
  const close = lock(join(path, 'lock'), `Another watcher uses the folder ${path}.`);
  const trustPath = join(path, 'trust.json');
  const checkpointPath = join(path, 'checkpoint');
  try {
    const log = logIn(trustPath, textIn(trustPath));
    return {
      log,
      checkpoint: log && textIn(checkpointPath),
      trust: (next) => written(trustPath, `${canonicalOf(next)}\n`),
      keep: (text) => written(checkpointPath, text),
      accuse: (evidence) => {
        const text = `${canonicalOf(evidence)}\n`;
        const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
        const evidencePath = join(path, `evidence-${name}.json`);
        written(evidencePath, text);
        return evidencePath;
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, (error as Error).message);
  }
}

function logIn(path: string, text: string | undefined): WatchedLog | undefined {
  if (text === undefined) return undefined;
  try {
    const said: unknown = JSON.parse(text);
    const { origin, ledgerKey, earlierKeys } = isPlain(said) ? said : {};
    const isWhole = earlierKeys === undefined || isTexts(earlierKeys);
    if (typeof origin === 'string' && typeof ledgerKey === 'string' && isWhole)
      return { origin, ledgerKey, ...(earlierKeys && { earlierKeys }) };
  } catch {
    // Refused below, as any other text that names no log.
  }
  throw unusable(path, 'it names no log');
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function written(path: string, text: string): void {
  try {
    writeWhole(path, text);
  } catch (error) {
    throw unusable(path, (error as Error).message);
  }
}

function unusable(path: string, why: string): ExitError {
  return new ExitError(exitCodes.unusable, `${path} cannot be used: ${why}.`);
}
