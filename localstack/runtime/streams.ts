/** Standard output and standard error, which a full disk or a reader that has gone must not end. */
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { exitCodes } from './failing.ts';

type NoteError = (error: NodeJS.ErrnoException) => void;

let isLog = false;
let lost: NodeJS.ErrnoException | undefined;
let lose: () => void = () => {};
const losing = new Promise<void>((resolve) => {
  lose = resolve;
});

/**
 * Has this process go on where it cannot write what it prints. A log tries again with its next line; the output of a
 * command ends there.
 */
export function guardStreams(): void {
  guard(process.stderr, () => {});
  guard(process.stdout, (error) => {
    if (isLog) return;
    lost ??= error;
    lose();
    process.stdout.write = dropped;
  });
}

/** Says that the output of this process is a log, without which it goes on. */
export function logOutput(): void {
  isLog = true;
}

/** Resolves when nobody reads the output any more, or it cannot be written. */
export function outputLost(): Promise<void> {
  return losing;
}

/** The exit code of a command that ended with `code`: another one, and a line, where its output is cut off. */
export function endCode(code: number): number {
  // A reader that has seen enough closes the pipe, as `head` does.
  if (!lost || lost.code === 'EPIPE') return code;
  process.stderr.write(`The output is cut off: ${lost.message}\n`);
  return exitCodes.unusable;
}

/** Takes the errors of a stream before it knows them: streams of threads that lead to it would part from it. */
function guard(stream: Writable, note: NoteError): void {
  const noting = (done: (error?: Error | null) => void) => (error?: Error | null) => {
    if (error) note(error);
    done();
  };
  const write = stream instanceof Socket ? stream._write.bind(stream) : writeFile(stream);
  const writev = stream._writev?.bind(stream);
  stream._write = (chunk, encoding, done) => write(chunk, encoding, noting(done));
  // Of a socket that is closed from the other side.
  stream.on('error', note);
  if (writev) stream._writev = (chunks, done) => writev(chunks, noting(done));
}

/** Writes all of a chunk to a file, or fails: Node takes the part for the whole that a disk had room for. */
function writeFile(stream: Writable): Writable['_write'] {
  const { fd } = stream as Writable & { fd: number };
  return (chunk: Buffer, _encoding, done) => {
    try {
      let at = 0;
      while (at < chunk.length) at += writeSync(fd, chunk, at);
    } catch (error) {
      return done(error as Error);
    }
    return done();
  };
}

/** `write` of a stream that nobody reads. */
const dropped: typeof process.stdout.write = (...words: readonly unknown[]) => {
  const done = words.at(-1);
  if (typeof done === 'function') process.nextTick(() => done());
  return true;
};
