/** One hash, whether the platform has a native one or not. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashOfBytes, hashOfText, hexOfText, sha256On } from '../../shared/log/sha256.ts';

const bare = [{}, { process: {} }, { process: { getBuiltinModule: () => undefined } }];
const ways = [{ hashOfBytes, hashOfText, hexOfText }, ...bare.map(sha256On)];
const lengths = [0, 1, 31, 32, 33, 55, 56, 63, 64, 65, 119, 250, 1_000, 70_000];

test.each(lengths)('each way hashes %d bytes as OpenSSL does', (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 37) % 256);
  const expected = createHash('sha256').update(bytes).digest('hex');
  for (const way of ways) {
    const hash = way.hashOfBytes(bytes);
    expect(hash.constructor).toBe(Uint8Array);
    expect(Buffer.from(hash).toString('hex')).toBe(expected);
  }
});

test.each(['', 'abc', 'ÿ €', '😀', '\ud800 and \udc00', 'x'.repeat(70_000)])(
  'each way hashes the UTF-8 bytes of a text: %#',
  (text) => {
    const expected = createHash('sha256').update(new TextEncoder().encode(text)).digest('hex');
    for (const way of ways) {
      expect(way.hexOfText(text)).toBe(expected);
      expect(way.hashOfText(text)).toEqual(Uint8Array.from(Buffer.from(expected, 'hex')));
    }
  },
);

test('a part of a larger buffer is hashed alone', () => {
  const part = Uint8Array.from({ length: 100 }, (_, index) => index).subarray(10, 40);
  const expected = createHash('sha256').update(part).digest('hex');
  for (const way of ways) expect(Buffer.from(way.hashOfBytes(part)).toString('hex')).toBe(expected);
});

test('the hash of Node is used where there is one', () => {
  const asked: unknown[] = [];
  const hash = (...given: unknown[]) => {
    asked.push(given);
    return 'a\u00ff';
  };
  const native = sha256On({
    process: { getBuiltinModule: (name) => name === 'node:crypto' && { hash } },
  });
  expect(native.hexOfText('abc')).toBe('a\u00ff');
  expect(native.hashOfBytes(Uint8Array.of(7))).toEqual(Uint8Array.of(0x61, 0xff));
  expect(native.hashOfText('abc')).toEqual(Uint8Array.of(0x61, 0xff));
  expect(asked).toEqual([
    ['sha256', 'abc', 'hex'],
    ['sha256', Uint8Array.of(7), 'latin1'],
    ['sha256', 'abc', 'latin1'],
  ]);
});
