import { describe, expect, test } from 'vitest';
import { silences } from '../../shared/delivery/silence.ts';

const second = 1_000;

describe('a target', () => {
  test('that nobody missed may be asked', () => {
    const known = silences();
    expect(known.ask('a', 0)).toEqual({ untilMs: 0, isProbe: false });
    expect(known.peek('a', 0)).toBe(0);
  });

  test('may be missed twice, and is left alone after the third time', () => {
    const known = silences();
    known.missed('a', false, 0);
    known.missed('a', false, 0);
    expect(known.ask('a', 1).untilMs).toBe(0);
    known.missed('a', false, 0);
    expect(known.ask('a', 1)).toEqual({ untilMs: 15 * second, isProbe: false });
    expect(known.ask('b', 1).untilMs).toBe(0);
  });

  test('that did not answer in time is left alone at once', () => {
    const known = silences();
    known.missed('a', true, 0);
    expect(known.peek('a', 14 * second)).toBe(15 * second);
    expect(known.peek('a', 15 * second)).toBe(0);
  });

  test('is asked by one caller after its silence, and by the others when that one heard it', () => {
    const known = silences();
    known.missed('a', true, 0);
    expect(known.ask('a', 15 * second)).toEqual({ untilMs: 0, isProbe: true });
    expect(known.ask('a', 15 * second)).toEqual({ untilMs: 30 * second, isProbe: false });
    known.heard('a');
    expect(known.ask('a', 15 * second)).toEqual({ untilMs: 0, isProbe: false });
  });

  test('is left alone for longer after each probe that misses it, at most a minute', () => {
    const known = silences();
    known.missed('a', true, 0);
    let nowMs = 0;
    const waits = Array.from({ length: 5 }, () => {
      const untilMs = known.peek('a', nowMs);
      const waitMs = untilMs - nowMs;
      nowMs = untilMs;
      known.ask('a', nowMs);
      known.missed('a', true, nowMs);
      return waitMs / second;
    });
    expect(waits).toEqual([15, 30, 60, 60, 60]);
  });

  test('is not left alone for longer by what was on its way when its silence began', () => {
    const known = silences();
    for (let count = 0; count < 30; count += 1) known.missed('a', true, 0);
    expect(known.peek('a', 0)).toBe(15 * second);
  });

  test('is not left alone for a silence that the clock, set back, would make longer', () => {
    const known = silences();
    const aheadMs = 3_600 * second;
    known.missed('a', true, aheadMs);
    expect(known.peek('a', aheadMs)).toBe(aheadMs + 15 * second);
    expect(known.peek('a', 0)).toBe(0);
    expect(known.ask('a', 0)).toEqual({ untilMs: 0, isProbe: true });
    known.missed('a', true, 0);
    expect(known.peek('a', 0)).toBe(30 * second);
  });

  test('that is heard of ends its silence, which is news', () => {
    const known = silences();
    expect(known.heard('a')).toBe(false);
    known.missed('a', true, 0);
    expect(known.heard('a')).toBe(true);
    expect(known.peek('a', 0)).toBe(0);
  });
});
