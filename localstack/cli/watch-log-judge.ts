/** The judgement of a watcher over two checkpoints of a log. */
import { isSignedBytes } from '../../shared/crypto/proof.ts';
import { isSameBytes, toBase64 } from '../../shared/log/bytes.ts';
import { type Checkpoint, checkpointOf } from '../../shared/log/checkpoint.ts';
import { isSignedBy, type Note, type VerifyBytes } from '../../shared/log/note.ts';
import { isConsistent } from '../../shared/log/path.ts';
import { hashOfText } from '../../shared/log/proof-text.ts';
import { ExitError, exitCodes } from '../runtime/failing.ts';

export type ReadCheckpoint = Checkpoint & { readonly note: Note };

/** The order of two checkpoints of a log. */
export type LogCourse = 'same' | 'grown' | 'forked' | 'rolled-back';

/** Reads the answer of the ledger for the proof that one tree is the beginning of another. */
export type AskConsistency = (from: number, to: number) => Promise<unknown>;

export interface CourseOfLog {
  readonly course: LogCourse;
  /** The answer with the proof, where one was asked for. */
  readonly proof?: unknown;
}

export const verifyNote: VerifyBytes = (bytes, signature, { public: key }) =>
  isSignedBytes(bytes, signature, toBase64(key));

/** The checkpoint in a text, by a log of this origin and one of these keys. Throws an `ExitError` for any other. */
export function signedCheckpoint(
  text: string,
  origin: string,
  keys: readonly string[],
): ReadCheckpoint {
  const read = checkpointOf(text);
  if (!read) throw untrusted('What the ledger answers is no checkpoint.');
  if (read.origin !== origin)
    throw untrusted(`The checkpoint is of the log ${read.origin}, and not of ${origin}.`);
  const isSigned = keys.some((key) =>
    isSignedBy(read.note, { name: origin, public: Buffer.from(key, 'base64') }, verifyNote),
  );
  if (!isSigned)
    throw untrusted(`The checkpoint is not signed by the log, whose key is ${keys.join(' or ')}.`);
  return read;
}

/** The checkpoint that was kept. Throws an `ExitError` when the file holds none of this log, or by another key. */
export function keptCheckpoint(
  text: string,
  origin: string,
  keys: readonly string[],
): ReadCheckpoint {
  if (checkpointOf(text)?.origin !== origin)
    throw new ExitError(
      exitCodes.unusable,
      `The checkpoint that was kept cannot be used: it is none of the log ${origin}.`,
    );
  try {
    return signedCheckpoint(text, origin, keys);
  } catch (error) {
    throw untrusted(
      `The log has another key than the one that signed the kept checkpoint: ${keys.join(', ')}.`,
      error,
    );
  }
}

/** Tells if a log has gone on from one checkpoint to the next. */
export async function courseOf(
  before: Checkpoint,
  now: Checkpoint,
  ask: AskConsistency,
): Promise<CourseOfLog> {
  if (now.size < before.size) return { course: 'rolled-back' };
  if (now.size === before.size)
    return { course: isSameBytes(now.root, before.root) ? 'same' : 'forked' };
  const proof = await ask(before.size, now.size);
  const path = pathIn(proof);
  const isProven = path !== undefined && isConsistent(before, now, path);
  return { course: isProven ? 'grown' : 'forked', proof };
}

/** The hashes of a proof; undefined for an answer that has none. */
function pathIn(answer: unknown): Uint8Array[] | undefined {
  const { path } = Object((Object(answer) as { data?: unknown }).data) as { path?: unknown };
  if (!Array.isArray(path)) return undefined;
  const hashes = path.flatMap((text) => hashOfText(String(text)) ?? []);
  return hashes.length === path.length ? hashes : undefined;
}

function untrusted(text: string, cause?: unknown): ExitError {
  return new ExitError(exitCodes.untrusted, text, { cause });
}
