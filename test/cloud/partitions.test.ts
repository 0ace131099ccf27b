/** What a partition bears, and when it is split. */
import { describe, expect, test } from 'vitest';
import { partition } from './parameters.ts';
import { Partitions } from './partitions.ts';

const second = 1_000;
const minute = 60 * second;

/** The requests of one unit that a partition takes of those that come at once. */
function takenOf(partitions: Partitions, count: number, nowMs: number, skOf = (_: number) => 'a') {
  let taken = 0;
  for (let index = 0; index < count; index += 1) {
    const key = { pk: 'p', sk: skOf(index) };
    if (partitions.take({ key, units: 1, isWrite: true }, nowMs)) taken += 1;
  }
  return taken;
}

/** The requests taken in each second, when too many come all the time. */
function takenEach(seconds: number, skOf: (index: number) => string) {
  const partitions = new Partitions({ savedSeconds: 0 });
  const taken: number[] = [];
  let sent = 0;
  for (let now = 0; now < seconds; now += 1) {
    const base = sent;
    taken.push(takenOf(partitions, 3_000, now * second, (index) => skOf(base + index)));
    sent += 3_000;
  }
  return { taken, parts: partitions.countOf('p') };
}

describe('a partition', () => {
  test('takes 1,000 write units a second', () => {
    const partitions = new Partitions({ savedSeconds: 0 });
    expect(takenOf(partitions, 1_500, 0)).toBe(1_000);
    expect(takenOf(partitions, 1_500, 0.5 * second)).toBe(500);
    expect(takenOf(partitions, 1_500, 1.5 * second)).toBe(1_000);
  });

  test('takes 3,000 read units a second beside them', () => {
    const partitions = new Partitions({ savedSeconds: 0 });
    const read = () => partitions.take({ key: { pk: 'p' }, units: 1, isWrite: false }, 0);
    expect(takenOf(partitions, 1_500, 0)).toBe(1_000);
    expect(Array.from({ length: 4_000 }, read).filter(Boolean)).toHaveLength(3_000);
  });

  test('saves what it does not use for five minutes, and no more', () => {
    const hour = 60 * minute;
    const partitions = new Partitions({ savedSeconds: 0 });
    expect(takenOf(partitions, 1, 0)).toBe(1);
    expect(takenOf(partitions, 400_000, hour)).toBe(301_000);
    expect(takenOf(new Partitions({ savedSeconds: partition.burstSeconds }), 400_000, 0)).toBe(
      301_000,
    );
  });

  test('is split when it is hot for long, where its heat is on several items', () => {
    const seconds = partition.splitAfterMs / second;
    const { taken, parts } = takenEach(seconds + 5, (index) => `${(index * 7919) % 100}`);
    expect(taken.slice(0, seconds)).toEqual(Array(seconds).fill(1_000));
    expect(taken.at(-1)).toBe(2_000);
    expect(parts).toBe(2);
  });

  test.each([
    ['one item', () => 'a'],
    ['keys that grow with time', (index: number) => String(index).padStart(9, '0')],
  ])('is not split where its heat is on %s', (_, skOf) => {
    const seconds = partition.splitAfterMs / second;
    const { taken, parts } = takenEach(seconds + 5, skOf);
    expect(taken.at(-1)).toBe(1_000);
    expect(parts).toBe(1);
  });
});
