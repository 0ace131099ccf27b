/** Goal: a ledger that has its places taken waits for as long as they may be taken, and no longer. Decisions 85 and 87. */
import { expect, test } from 'vitest';
import { rates } from '../../shared/delivery/bytes.ts';
import { sharedRoom } from '../../shared/delivery/room.ts';
import { turns } from '../../shared/delivery/turns.ts';

const of = { kind: 'event', scope: 'main' } as const;
const hourMs = 3_600_000;

test('what has no place waits for the rest of a stretch, also when the clock is set back meanwhile', async () => {
  const nowMs = 5_000_000 * 20_000;
  const notes = { attempt: async () => false };
  const bounds = { rates: rates(1e9), hosts: turns(1) };
  const room = sharedRoom({ notes, clock: () => nowMs }, bounds);
  expect(room.isFull(of, nowMs)).toBe(false);
  expect(await room.mayStay?.(of)).toBe(false);
  expect([room.isFull(of, nowMs), room.isFull(of, nowMs + 19_999)]).toEqual([true, true]);
  expect(room.isFull(of, nowMs + 20_000)).toBe(false);
  expect(await room.mayStay?.(of)).toBe(false);
  expect(room.isFull(of, nowMs - hourMs)).toBe(false);
});
