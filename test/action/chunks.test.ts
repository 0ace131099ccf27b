/** Goal: whatever a report holds, its parts together are it, and Lambda carries as many as are served at once. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partLength } from '../../shared/action/assets.ts';
import { noProgress } from '../../shared/port/reports.ts';
import { storeText } from '../../shared/report/chunks.ts';

const lambdaBytesMax = 6 * 1024 * 1024;
const itemBytesMax = 400_000;

async function chunksOf(text: string): Promise<string[]> {
  const all: string[] = [];
  const put = async (_: unknown, first: number, chunks: readonly string[]) => {
    expect(first).toBe(0);
    all.push(...chunks);
  };
  const name = { scope: 'main', luid: '$rep.1', asset: 'csv' };
  const stored = await storeText({ put }, name, noProgress.csv, text);
  expect(stored).toEqual({ chunks: all.length, bytes: Buffer.byteLength(text) });
  return all;
}

const carriedBytes = (text: string) => Buffer.byteLength(JSON.stringify(text));

test('parts of any text are small enough to be stored, and to be served together', async () => {
  const piece = fc.tuple(
    fc.constantFrom('x', '"', '\\', '\r\n', '\u0001', 'ü', '😀'),
    fc.integer({ min: 1, max: 300_000 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 4 }), async (pieces) => {
      const text = pieces.map(([one, count]) => one.repeat(count)).join('');
      const chunks = await chunksOf(text);
      expect(chunks.join('')).toBe(text);
      const sizes = chunks.map((chunk) => Buffer.byteLength(chunk));
      expect(Math.max(...sizes)).toBeLessThan(itemBytesMax);
      const largest = Math.max(...chunks.map(carriedBytes));
      expect(partLength * largest).toBeLessThan(lambdaBytesMax - 100_000);
    }),
    { numRuns: 25 },
  );
});
