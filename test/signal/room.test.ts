/** Goal: a ledger that has its places taken waits for as long as they may be taken, and no longer. Decisions 85 and 87. */
import { expect, test } from 'vitest';
import { rates } from '../../shared/delivery/bytes.ts';
import { hostPlaces, sharedRoom } from '../../shared/delivery/room.ts';

const of = { kind: 'event', scope: 'main' } as const;
const hourMs = 3_600_000;

test('what has no place waits for the rest of a stretch, also when the clock is set back meanwhile', async () => {
  const nowMs = 5_000_000 * 20_000;
  const notes = { attempt: async () => false };
  const bounds = { rates: rates(1e9), hosts: hostPlaces(1) };
  const room = sharedRoom({ notes, clock: () => nowMs }, bounds);
  expect(room.isFull(of, nowMs)).toBe(false);
  expect(await room.mayStay?.(of)).toBe(false);
  expect([room.isFull(of, nowMs), room.isFull(of, nowMs + 19_999)]).toEqual([true, true]);
  expect(room.isFull(of, nowMs + 20_000)).toBe(false);
  expect(await room.mayStay?.(of)).toBe(false);
  expect(room.isFull(of, nowMs - hourMs)).toBe(false);
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('so many of a name are done at a time, in their order, whatever becomes of them', async () => {
  const run = hostPlaces(2);
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const doing = (name: string, one: string) =>
    run(name, () => {
      begun.push(one);
      return new Promise<string>((resolve, reject) => {
        ends.set(one, (error) => (error ? reject(error) : resolve(one)));
      });
    }).catch(() => 'failed');
  const all = ['a', 'b', 'c', 'd'].map((one) => doing('host', one));
  const other = doing('other', 'x');
  await settled();
  expect(begun).toEqual(['a', 'b', 'x']);
  ends.get('b')?.(new Error('no'));
  await settled();
  expect(begun).toEqual(['a', 'b', 'x', 'c']);
  for (const one of ['a', 'c', 'x']) ends.get(one)?.();
  await settled();
  expect(begun).toEqual(['a', 'b', 'x', 'c', 'd']);
  ends.get('d')?.();
  expect(await Promise.all([...all, other])).toEqual(['a', 'failed', 'c', 'd', 'x']);
  expect(await run('host', async () => 'again')).toBe('again');
});
