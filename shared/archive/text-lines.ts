/** The lines of a file, one after the other, in the memory of one line and one piece of the file. */
import { createReadStream } from 'node:fs';

/** A line without its end, and its position in the file, in bytes. */
export interface TextLine {
  readonly text: string;
  readonly start: number;
  /** False for a last line without a line end. */
  readonly isEnded: boolean;
}

const lineEnd = 0x0a;
const pieceBytes = 256 * 1024;

/** The lines from a position in the file on. */
export async function* linesIn(path: string, from = 0): AsyncGenerator<TextLine, void, undefined> {
  let start = from;
  // Pieces of a line whose end has not come yet.
  let open: Buffer[] = [];
  for await (const piece of createReadStream(path, { start: from, highWaterMark: pieceBytes })) {
    const bytes = piece as Buffer;
    let at = 0;
    for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, at)) {
      const line = Buffer.concat([...open, bytes.subarray(at, end)]);
      open = [];
      yield { text: line.toString('utf8'), start, isEnded: true };
      start += line.length + 1;
      at = end + 1;
    }
    if (at < bytes.length) open.push(bytes.subarray(at));
  }
  const rest = Buffer.concat(open);
  if (rest.length > 0) yield { text: rest.toString('utf8'), start, isEnded: false };
}
