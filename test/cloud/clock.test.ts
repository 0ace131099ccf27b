/** Time passes only from timer to timer, and waits for what is real. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from './clock.ts';
import { drawn, randomOf, timesDrawn } from './random.ts';

const startMs = Date.parse('2060-01-01T00:00:00.000Z');
const newClock = () => new VirtualClock(startMs, randomOf(1));

describe('the virtual clock', () => {
  test('fires timers in their order, at their times, however many there are', async () => {
    const waits = Array.from({ length: 500 }, (_, index) => (index * 7919) % 500);
    const fired: number[] = [];
    await newClock().run(() =>
      Promise.all(
        waits.map(async (ms) => {
          await new Promise((resolve) => setTimeout(resolve, ms));
          expect(Date.now()).toBe(startMs + ms);
          fired.push(ms);
        }),
      ),
    );
    expect(fired).toEqual([...waits].sort((one, other) => one - other));
  });

  test('is the time of the process while work runs, and only then', async () => {
    const clock = newClock();
    const day = 86_400_000;
    const [now, text, steady] = await clock.run(async () => {
      await clock.sleep(day);
      return [Date.now(), new Date().toISOString(), performance.now()] as const;
    });
    expect([now, text, steady]).toEqual([startMs + day, '2060-01-02T00:00:00.000Z', day]);
    expect(Math.abs(Date.now() - startMs)).toBeGreaterThan(day);
  });

  test('does not fire a timer that was cleared', async () => {
    const fired: string[] = [];
    await newClock().run(async () => {
      const timer = setTimeout(() => fired.push('cleared'), 1);
      await new Promise((resolve) => setTimeout(resolve, 0));
      clearTimeout(timer);
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    expect(fired).toEqual([]);
  });

  test('waits while something real is under way', async () => {
    const clock = newClock();
    const order: string[] = [];
    await clock.run(async () => {
      const read = readFile('package.json').then(() => order.push('read'));
      const slept = clock.sleep(1).then(() => order.push('slept'));
      await Promise.all([read, slept]);
    });
    expect(order).toEqual(['read', 'slept']);
  });

  test('throws what the work throws', async () => {
    const failing = newClock().run(() => Promise.reject(new Error('work')));
    await expect(failing).rejects.toThrow('work');
  });
});

describe('a draw', () => {
  const count = 20_000;

  test('of a latency has the median and the 99th percentile that it was given', () => {
    const random = randomOf(1);
    const all = Array.from({ length: count }, () => drawn({ p50: 25, p99: 92 }, random)).sort(
      (one, other) => one - other,
    );
    expect(all[count / 2]).toBeCloseTo(25, -0.5);
    expect(Math.abs((all[count * 0.99] as number) / 92 - 1)).toBeLessThan(0.1);
  });

  test('of times has each of them, in order, at any part of the time', () => {
    const times = timesDrawn(count, 10_000, randomOf(1));
    expect(times).toHaveLength(count);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    const early = times.filter((ms) => ms < 2_500).length;
    expect(Math.abs(early / count / 0.25 - 1)).toBeLessThan(0.05);
  });
});
