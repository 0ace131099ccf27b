/**
 * The memory of what was turned away. Goal: where the table turns attempts away, the processes together send it little more
 * than it takes, they come back once it takes more, and nothing else is held back. Method: processes draw on a clock of their
 * own, in front of a place that takes so many a second. Decision 131.
 */
import { describe, expect, test } from 'vitest';
import { newPressure } from '../../shared/store/pressure.ts';
import { newShardBook } from '../../shared/store/shard-book.ts';
import { randomOf } from '../simulation/scheduler.ts';

const place = 'hot';

/** Processes that all want one place: `each` attempts of each of them in a second, of which the place `takes` so many. */
function crowdOf(count: number) {
  const random = randomOf(1);
  let nowMs = 0;
  const all = Array.from({ length: count }, () => newPressure({ nowMs: () => nowMs, random }));
  /** An attempt of one process; true when it was sent. */
  const attempt = (one: ReturnType<typeof newPressure>, share: number): boolean => {
    if (one.heldBackBy([place]).length > 0) return false;
    one.note([place], random() < share ? [] : [place]);
    return true;
  };
  const second = (each: number, takes: number): number => {
    const sent = Array.from({ length: each }, () => {
      nowMs += 1_000 / each;
      return all.filter((one) => attempt(one, takes / (each * count)));
    });
    return sent.flat().length;
  };
  /** Returns how many attempts were sent in the last second of some. */
  return (seconds: number, { each, takes }: { each: number; takes: number }): number =>
    Array.from({ length: seconds }, () => second(each, takes)).at(-1) ?? 0;
}

describe('attempts at a place that turns most away', () => {
  test('are left out, most of them', () => {
    const run = crowdOf(20);
    const sent = run(20, { each: 50, takes: 30 });
    expect(sent).toBeLessThan(400);
    expect(sent).toBeGreaterThan(0);
  });

  test('come back when the place takes them', () => {
    const run = crowdOf(20);
    run(20, { each: 50, takes: 30 });
    const sent = run(60, { each: 50, takes: 1_000 });
    expect(sent).toBe(1_000);
  });

  test('are all sent where some are turned away', () => {
    const run = crowdOf(20);
    const sent = run(10, { each: 50, takes: 700 });
    expect(sent).toBeGreaterThan(950);
  });
});

describe('a place', () => {
  test('is held back only after several attempts, and no other with it', () => {
    const pressure = newPressure({ random: () => 0, nowMs: () => 0 });
    for (let count = 0; count < 3; count += 1) {
      expect(pressure.heldBackBy([place, 'other'])).toEqual([]);
      pressure.note([place, 'other'], [place]);
    }
    pressure.note([place], [place]);
    expect(pressure.heldBackBy([place, 'other'])).toEqual([place]);
  });

  test('is often busy after three times, and not some time later', () => {
    let nowMs = 0;
    const pressure = newPressure({ nowMs: () => nowMs });
    for (let count = 0; count < 3; count += 1) {
      expect(pressure.isOften(place)).toBe(false);
      pressure.note([place], [place]);
      nowMs += 100;
    }
    expect(pressure.isOften(place)).toBe(true);
    nowMs += 10_000;
    expect(pressure.isOften(place)).toBe(false);
  });
});

describe('a crowd on a balance', () => {
  const key = { pk: 'main#wallet#hot', sk: 'balance#usd' };

  test('asks for more shards the longer it lasts, whatever is stored in between', () => {
    let nowMs = 0;
    const book = newShardBook({ growAfter: 3, step: 8, nowMs: () => nowMs });
    const asked = Array.from({ length: 6 }, () => {
      nowMs += 30;
      return book.noteCrowd(key);
    });
    expect(asked).toEqual([undefined, undefined, 8, 64, 512, 4_096]);
    book.noteStored(key);
    expect(book.noteCrowd(key)).toBe(64);
    book.noteGrown(key);
    expect(book.noteCrowd(key)).toBeUndefined();
  });

  test('is forgotten when it comes now and then', () => {
    let nowMs = 0;
    const book = newShardBook({ growAfter: 3, nowMs: () => nowMs });
    for (let count = 0; count < 20; count += 1) {
      nowMs += 2_000;
      expect(book.noteCrowd(key)).toBeUndefined();
    }
  });
});
