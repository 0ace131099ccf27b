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

  test('is left alone for longer each time, at most ten minutes', () => {
    const known = silences();
    const waits = Array.from({ length: 9 }, () => {
      known.missed('a', true, 0);
      return known.peek('a', 0) / second;
    });
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 600, 600, 600]);
  });
});
