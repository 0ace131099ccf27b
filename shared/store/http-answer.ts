/**
 * Understands the answers of one HTTP/1.1 connection, one after the other, from the bytes as they arrive. Only what a
 * server may answer to a POST. Decision 130. https://www.rfc-editor.org/rfc/rfc9112
 */

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** An answer that is complete, and whether the connection may carry another one. */
export interface CompleteAnswer {
  readonly answer: HttpAnswer;
  readonly isKept: boolean;
}

interface AnswerHead {
  readonly status: number;
  /** The number of bytes that follow; undefined where they come in chunks, or until the connection ends. */
  readonly length: number | undefined;
  readonly isChunked: boolean;
  readonly isKept: boolean;
}

/** The state of reading an answer. */
export interface Reading {
  head: AnswerHead | undefined;
  /** Bytes of a line that is not complete. */
  left: Buffer;
  parts: Buffer[];
  /** The bytes of the body, or of its chunk, that have not arrived. */
  missing: number;
}

const nothing = Buffer.alloc(0);
/** The most characters of a line before a chunk. */
const chunkLineLengthMax = 1024;

/** The state before the first answer. */
export function newReading(): Reading {
  return { head: undefined, left: nothing, parts: [], missing: 0 };
}

/** Takes bytes, which may change afterwards; returns the answer that they complete. Throws for what is no HTTP. */
export function readAnswer(reading: Reading, fresh: Buffer): CompleteAnswer | undefined {
  let bytes = reading.left.length > 0 ? Buffer.concat([reading.left, fresh]) : fresh;
  reading.left = nothing;
  while (!reading.head) {
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) return kept(reading, bytes);
    const head = headOf(bytes.toString('latin1', 0, end));
    bytes = bytes.subarray(end + 4);
    // An answer below 200 announces another one.
    if (head.status < 200) continue;
    reading.head = head;
    reading.missing = head.length ?? 0;
  }
  if (reading.head.isChunked) return readChunks(reading, bytes);
  return readBody(reading, reading.head, bytes);
}

/** The answer that the end of the connection completes; undefined when there is none. */
export function lastAnswer(reading: Reading): HttpAnswer | undefined {
  const { head } = reading;
  const isOpen = head && head.length === undefined && !head.isChunked;
  return isOpen ? completed(reading, head, nothing).answer : undefined;
}

function readBody(reading: Reading, head: AnswerHead, bytes: Buffer): CompleteAnswer | undefined {
  const { length } = head;
  if (length === undefined) {
    reading.parts.push(Buffer.from(bytes));
    return undefined;
  }
  // Most answers arrive at once.
  if (reading.parts.length === 0 && bytes.length >= length) {
    const text = bytes.toString('utf8', 0, length);
    return completed(reading, head, bytes.subarray(length), text);
  }
  const rest = taken(reading, bytes);
  return reading.missing === 0 ? completed(reading, head, rest) : undefined;
}

/** Takes chunks. https://www.rfc-editor.org/rfc/rfc9112#section-7.1 */
function readChunks(reading: Reading, bytes: Buffer): CompleteAnswer | undefined {
  let rest = taken(reading, bytes);
  while (reading.missing === 0) {
    const start = rest.toString('latin1', 0, Math.min(rest.length, chunkLineLengthMax));
    const line = /^(?:\r\n)?([0-9a-f]+)[^\r\n]*\r\n/i.exec(start);
    if (!line) return kept(reading, rest);
    const after = rest.subarray(line[0].length);
    reading.missing = Number.parseInt(line[1] as string, 16);
    if (reading.missing === 0) return readTrailer(reading, rest, after);
    rest = taken(reading, after);
  }
  return undefined;
}

/** Reads what follows the last chunk: fields that nobody needs, and an empty line. */
function readTrailer(reading: Reading, rest: Buffer, trailer: Buffer): CompleteAnswer | undefined {
  const isBare = trailer.toString('latin1', 0, Math.min(trailer.length, 2)) === '\r\n';
  const end = isBare ? 0 : trailer.indexOf('\r\n\r\n') + 2;
  if (!isBare && end < 2) return kept(reading, rest);
  return completed(reading, reading.head as AnswerHead, trailer.subarray(end + 2));
}

/** Takes what belongs to the body; returns the rest. */
function taken(reading: Reading, bytes: Buffer): Buffer {
  const part = bytes.subarray(0, reading.missing);
  if (part.length > 0) reading.parts.push(Buffer.from(part));
  reading.missing -= part.length;
  return bytes.subarray(part.length);
}

function kept(reading: Reading, bytes: Buffer): undefined {
  reading.left = Buffer.from(bytes);
}

function completed(
  reading: Reading,
  head: AnswerHead,
  rest: Buffer,
  text?: string,
): CompleteAnswer {
  const answer = { status: head.status, text: text ?? Buffer.concat(reading.parts).toString() };
  Object.assign(reading, newReading());
  // Nothing follows before the next request.
  return { answer, isKept: head.isKept && rest.length === 0 };
}

/** The head of an answer. Throws for what is no HTTP. */
function headOf(text: string): AnswerHead {
  const [, version, status] = /^HTTP\/1\.([01]) ([1-9]\d\d)\b/.exec(text) ?? [];
  if (status === undefined)
    throw Object.assign(new Error('The answer is no HTTP.'), { code: 'EPROTO' });
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  return {
    status: Number(status),
    length: length === undefined ? undefined : Number(length),
    isChunked: /\r\ntransfer-encoding: *chunked/i.test(text),
    isKept: version === '1' && !/\r\nconnection: *close/i.test(text),
  };
}
