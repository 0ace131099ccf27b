/**
 * The memory of a witness, on disk: a file for each log, with the last checkpoint. It is there before the cosignature
 * is answered. Beside them lies the evidence: what a log has signed that does not follow from it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../shared/disk/whole-file.ts';
import { checkpointOf } from '../../shared/log/checkpoint.ts';
import type { SeenTree } from '../../shared/log/path.ts';
import { ExitError, exitCodes } from '../runtime/failing.ts';
import { makeFolder } from '../runtime/folder.ts';

export interface WitnessMemory {
  readonly seen: (origin: string) => SeenTree | undefined;
  /** Keeps a checkpoint in place of the one before; when it returns, it is on the disk. */
  readonly keep: (origin: string, checkpoint: string) => void;
  /** Keeps a submission that contradicts the last checkpoint; returns the path, or undefined when there are too many. */
  readonly accuse: (origin: string, submission: string) => string | undefined;
}

const evidenceFolder = 'evidence';
/** A log that signs ever new contradictions must not fill the disk. */
const evidenceCountMax = 1_000;

/** Reads the folder; throws an `ExitError` for a file that cannot be read: forgetting a log is worse than not to start. */
export function memoryIn(folder: string): WitnessMemory {
  const last = new Map<string, { readonly tree: SeenTree; readonly text: string }>();
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.checkpoint')) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    const checkpoint = checkpointOf(text);
    if (!checkpoint || nameOf(checkpoint.origin) !== name)
      throw new ExitError(exitCodes.unusable, `${join(folder, name)} holds no checkpoint.`);
    last.set(checkpoint.origin, { tree: checkpoint, text });
  }
  return {
    seen: (origin) => last.get(origin)?.tree,
    keep: (origin, text) => {
      const tree = checkpointOf(text);
      if (!tree) throw new Error('Only a checkpoint is kept.');
      writeWhole(join(folder, nameOf(origin)), text);
      last.set(origin, { tree, text });
    },
    accuse: (origin, submission) => accused(folder, last.get(origin)?.text ?? '', submission),
  };
}

function accused(folder: string, before: string, submission: string): string | undefined {
  const place = join(folder, evidenceFolder);
  makeFolder(place, 'The folder of evidence');
  const text = `The last checkpoint that was cosigned:\n\n${before}\nWhat the log has submitted then:\n\n${submission}`;
  const path = join(place, `${digestOf(text)}.txt`);
  if (existsSync(path)) return path;
  if (readdirSync(place).length >= evidenceCountMax) return undefined;
  writeWhole(path, text);
  return path;
}

/** The file of a log: an origin may hold what no name of a file may. */
function nameOf(origin: string): string {
  return `${digestOf(origin)}.checkpoint`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
