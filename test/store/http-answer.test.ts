/**
 * Goal: an answer is understood however its bytes arrive. Method: answers in each of the ways in which HTTP/1.1 can end
 * a body, cut into random pieces.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastAnswer, newReading, readAnswer } from '../../shared/store/http-answer.ts';

const body = fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(text));

function chunkedOf(bytes: Buffer, size: number, extension: string, trailer: string): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    chunks.push(Buffer.from(`${part.length.toString(16)}${extension}\r\n`), part);
    chunks.push(Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from(`0${extension}\r\n${trailer}\r\n`)]);
}

/** An answer as sent, and as it is meant. */
const sent = fc
  .record({
    body,
    status: fc.constantFrom(200, 400, 503),
    isChunked: fc.boolean(),
    size: fc.integer({ min: 1, max: 64 }),
    extension: fc.constantFrom('', ';a=b'),
    trailer: fc.constantFrom('', 'x-crc: 1\r\n', 'a: 1\r\nb: 2\r\n'),
    announced: fc.constantFrom('', 'HTTP/1.1 100 Continue\r\n\r\n'),
    isKept: fc.boolean(),
  })
  .map(({ body, status, isChunked, size, extension, trailer, announced, isKept }) => {
    const lines = [
      isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`,
      isKept ? 'x-amzn-requestid: 1' : 'Connection: close',
    ];
    const head = `${announced}HTTP/1.1 ${status} Any words\r\n${lines.join('\r\n')}\r\n\r\n`;
    const tail = isChunked ? chunkedOf(body, size, extension, trailer) : body;
    return {
      bytes: Buffer.concat([Buffer.from(head), tail]),
      meant: { answer: { status, text: body.toString() }, isKept },
    };
  });

test('an answer is the same however its bytes arrive', () => {
  fc.assert(
    fc.property(sent, sent, fc.array(fc.integer({ min: 1, max: 60 })), (first, second, cuts) => {
      const reading = newReading();
      for (const { bytes, meant } of [first, second]) {
        let [at, completed] = [0, undefined as ReturnType<typeof readAnswer>];
        for (const length of [...cuts, bytes.length]) {
          const piece = Buffer.from(bytes.subarray(at, at + length));
          if (piece.length === 0) continue;
          expect(completed).toBeUndefined();
          completed = readAnswer(reading, piece);
          // The buffer of a connection is used again.
          piece.fill(0);
          at += length;
        }
        expect(completed).toEqual(meant);
      }
    }),
  );
});

test('a body without a length ends with its connection', () => {
  const reading = newReading();
  for (const piece of ['HTTP/1.1 200 OK\r\n\r\n{"a"', ':1}'])
    expect(readAnswer(reading, Buffer.from(piece))).toBeUndefined();
  expect(lastAnswer(reading)).toEqual({ status: 200, text: '{"a":1}' });
});

test.each([
  ['nothing', ''],
  ['half a head', 'HTTP/1.1 200 OK\r\n'],
  ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}'],
  ['half of the chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n'],
])('a connection that ends after %s has not answered', (_, text) => {
  const reading = newReading();
  if (text !== '') expect(readAnswer(reading, Buffer.from(text))).toBeUndefined();
  expect(lastAnswer(reading)).toBeUndefined();
});

test('a connection is not kept when more arrives than was asked for, or by HTTP/1.0', () => {
  const surplus = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP';
  const old = 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\n{}';
  for (const text of [surplus, old])
    expect(readAnswer(newReading(), Buffer.from(text))).toMatchObject({ isKept: false });
});

test('what is no HTTP is an error of the connection', () => {
  expect(() => readAnswer(newReading(), Buffer.from('SSH-2.0\r\n\r\n'))).toThrow(
    expect.objectContaining({ code: 'EPROTO' }),
  );
});
