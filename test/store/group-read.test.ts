/** Goal: reads that meet ask once, for each key once, and each finds what it would have found alone. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupRead } from '../../shared/store/group-read.ts';
import { type Key, textOf } from '../../shared/store/keys.ts';
import type { BatchRead } from '../../shared/store/request.ts';
import { connectionReset, throttled } from '../fixture/trouble.ts';

const keyOf = (name: number): Key => ({ pk: `p${name}`, sk: '#' }) as unknown as Key;

/** A database that has the even names, and does not process those that divide by 5. */
async function answerTo(keys: readonly Key[]): Promise<BatchRead> {
  const nameIn = ({ pk }: Key) => Number(String(pk).slice(1));
  await new Promise((resolve) => setTimeout(resolve, 1));
  const processed = keys.filter((key) => nameIn(key) % 5 !== 0);
  return {
    items: processed.filter((key) => nameIn(key) % 2 === 0).map((key) => ({ ...key })),
    left: keys.filter((key) => nameIn(key) % 5 === 0),
  };
}

test('each read finds what it would have found alone, and no request names a key twice', async () => {
  const names = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.array(names, { minLength: 1, maxLength: 12 }), async (reads) => {
      const asked: (readonly Key[])[] = [];
      const read = groupRead((keys) => {
        asked.push(keys);
        return answerTo(keys);
      });
      const found = await Promise.all(reads.map((own) => read(own.map(keyOf))));
      const alone = await Promise.all(reads.map((own) => answerTo(own.map(keyOf))));
      expect(found).toEqual(alone);
      for (const keys of asked) {
        expect(keys.length).toBeLessThanOrEqual(100);
        expect(new Set(keys.map(textOf)).size).toBe(keys.length);
      }
      // The first goes at once, the others share.
      expect(asked.length).toBeLessThanOrEqual(1 + Math.ceil(reads.flat().length / 70));
    }),
    { numRuns: 50 },
  );
});

test('a read never shares a request that was sent before it', async () => {
  let version = 0;
  const read = groupRead(async (keys) => {
    const items = keys.map((key) => ({ ...key, version }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { items, left: [] };
  });
  const first = read([keyOf(1)]);
  version = 1;
  const [before, after] = await Promise.all([first, read([keyOf(1)])]);
  expect([before.items[0]?.['version'], after.items[0]?.['version']]).toEqual([0, 1]);
});

test.each([
  ['an answer that is lost', connectionReset()],
  ['a database that is too busy', throttled()],
])('%s is told to each of them', async (_, error) => {
  let count = 0;
  const read = groupRead(async (keys) => {
    count += 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (count === 2) throw error;
    return answerTo(keys);
  });
  const all = await Promise.allSettled([1, 2, 3].map((name) => read([keyOf(name)])));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await read([keyOf(2)])).toEqual(await answerTo([keyOf(2)]));
});

test('a read that can never succeed spoils no other', async () => {
  const read = groupRead(async (keys) => {
    if (keys.some((key) => textOf(key) === textOf(keyOf(7)))) throw new Error('No such key.');
    return answerTo(keys);
  });
  const all = await Promise.allSettled([1, 2, 7, 4].map((name) => read([keyOf(name)])));
  expect(all.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});
