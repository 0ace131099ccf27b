/** Goal: the bus of the offline runtime loses nothing, and an event that nobody takes can be read. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deadLettersAt, localBus } from '../../localstack/runtime/bus.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';

const event = (luid: string, change: number): LedgerEvent => {
  const handle = `evt_${luid}_${change}`;
  return {
    ledger: 'main',
    luid,
    data: { handle, signal: 'wallet-updated', change, moment: 'now' },
  };
};
const minuteMs = 60_000;

/** A bus to a courier that fails on some events, and its dead letters. */
function failing(isFailing: (event: LedgerEvent) => boolean) {
  const self = { nowMs: 0, taken: [] as LedgerEvent[], letters: [] as unknown[] };
  const courier = async (events: readonly LedgerEvent[]) => {
    if (events.some(isFailing)) throw new Error('no table');
    self.taken.push(...events);
  };
  const keep = (...letter: unknown[]) => void self.letters.push(letter);
  const bus = localBus({ courier }, keep, () => self.nowMs);
  return Object.assign(self, { bus });
}

test('an event that its target does not take holds up its own record only, for five minutes', async () => {
  const bad = event('a', 2);
  const self = failing(({ data }) => data.handle === bad.data.handle);
  const [one, three, other] = [event('a', 1), event('a', 3), event('b', 1)];
  expect(await self.bus.publish([[one, bad, three], [other]])).toEqual([1, 1]);
  for (let count = 0; count < 50; count += 1)
    expect(await self.bus.publish([[bad, three]])).toEqual([0]);
  self.nowMs = 5 * minuteMs - 1;
  expect(await self.bus.publish([[bad, three]])).toEqual([0]);
  self.nowMs += 1;
  expect(await self.bus.publish([[bad, three]])).toEqual([2]);
  expect(self.letters).toEqual([[bad, new Error('no table')]]);
  expect(self.taken).toEqual([one, other, three]);
});

test('a failure that passes is forgotten', async () => {
  let isDown = true;
  const self = failing(() => isDown);
  const one = event('a', 1);
  expect(await self.bus.publish([[one]])).toEqual([0]);
  self.nowMs = 60 * minuteMs;
  isDown = false;
  expect(await self.bus.publish([[one]])).toEqual([1]);
  isDown = true;
  expect(await self.bus.publish([[one]])).toEqual([0]);
  expect(self.letters).toEqual([]);
});

test('a dead letter is a line of a file for its owner: when, why, and the event', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  const path = join(folder, 'dead-letters.jsonl');
  const keep = deadLettersAt(path, () => 0);
  keep(event('a', 1), new Error('no table'));
  keep(event('b', 2), 'neither');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { moment: '1970-01-01T00:00:00.000Z', why: 'no table', event: event('a', 1) },
    { moment: '1970-01-01T00:00:00.000Z', why: 'neither', event: event('b', 2) },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  rmSync(folder, { recursive: true });
});

test('nothing is kept where no data are kept', () => {
  expect(() => deadLettersAt('')(event('a', 1), new Error('no table'))).not.toThrow();
});
