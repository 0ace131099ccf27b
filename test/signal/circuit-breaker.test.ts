import { describe, expect, test } from 'vitest';
import { CircuitBreaker } from '../../shared/delivery/circuit-breaker.ts';

const second = 1_000;

describe('the circuit of a target', () => {
  test('is closed before the first miss', () => {
    const breaker = new CircuitBreaker();
    expect(breaker.ask('a', 0)).toEqual({ untilMs: 0, isProbe: false });
    expect(breaker.openUntil('a', 0)).toBe(0);
  });

  test('opens at the third miss', () => {
    const breaker = new CircuitBreaker();
    breaker.missed('a', false, 0);
    breaker.missed('a', false, 0);
    expect(breaker.ask('a', 1).untilMs).toBe(0);
    breaker.missed('a', false, 0);
    expect(breaker.ask('a', 1)).toEqual({ untilMs: 15 * second, isProbe: false });
    expect(breaker.ask('b', 1).untilMs).toBe(0);
  });

  test('opens at once after a timeout', () => {
    const breaker = new CircuitBreaker();
    breaker.missed('a', true, 0);
    expect(breaker.openUntil('a', 14 * second)).toBe(15 * second);
    expect(breaker.openUntil('a', 15 * second)).toBe(0);
  });

  test('lets one delivery probe after its time, and the others once the target answered', () => {
    const breaker = new CircuitBreaker();
    breaker.missed('a', true, 0);
    expect(breaker.ask('a', 15 * second)).toEqual({ untilMs: 0, isProbe: true });
    expect(breaker.ask('a', 15 * second)).toEqual({ untilMs: 30 * second, isProbe: false });
    breaker.answered('a');
    expect(breaker.ask('a', 15 * second)).toEqual({ untilMs: 0, isProbe: false });
  });

  test('stays open for longer after each probe that fails, at most a minute', () => {
    const breaker = new CircuitBreaker();
    breaker.missed('a', true, 0);
    let nowMs = 0;
    const waits = Array.from({ length: 5 }, () => {
      const untilMs = breaker.openUntil('a', nowMs);
      const waitMs = untilMs - nowMs;
      nowMs = untilMs;
      breaker.ask('a', nowMs);
      breaker.missed('a', true, nowMs);
      return waitMs / second;
    });
    expect(waits).toEqual([15, 30, 60, 60, 60]);
  });

  test('does not stay open for longer by attempts that were under way when it opened', () => {
    const breaker = new CircuitBreaker();
    for (let count = 0; count < 30; count += 1) breaker.missed('a', true, 0);
    expect(breaker.openUntil('a', 0)).toBe(15 * second);
  });

  test('does not stay open for longer by a clock that is set back', () => {
    const breaker = new CircuitBreaker();
    const aheadMs = 3_600 * second;
    breaker.missed('a', true, aheadMs);
    expect(breaker.openUntil('a', aheadMs)).toBe(aheadMs + 15 * second);
    expect(breaker.openUntil('a', 0)).toBe(0);
    expect(breaker.ask('a', 0)).toEqual({ untilMs: 0, isProbe: true });
    breaker.missed('a', true, 0);
    expect(breaker.openUntil('a', 0)).toBe(30 * second);
  });

  test('closes when the target answers, which is told once', () => {
    const breaker = new CircuitBreaker();
    expect(breaker.answered('a')).toBe(false);
    breaker.missed('a', true, 0);
    expect(breaker.answered('a')).toBe(true);
    expect(breaker.openUntil('a', 0)).toBe(0);
  });
});
