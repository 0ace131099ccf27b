/** Goal: work is looked at when it is due, and seldom otherwise. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sleeper } from '../../localstack/runtime/sleeper.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A sleeper whose looks return these times from the start on, and the times of its looks. */
function looking(answers: readonly (number | Error | undefined)[], tookMs = 0) {
  const startMs = Date.now();
  const looks: number[] = [];
  const failures: unknown[] = [];
  const sleeping = sleeper({
    look: async () => {
      const answer = answers[looks.length];
      looks.push(Date.now() - startMs);
      if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs));
      if (answer instanceof Error) throw answer;
      return answer === undefined ? undefined : startMs + answer;
    },
    failed: (error) => failures.push(error),
  });
  return { startMs, looks, failures, sleeping };
}

test('it sleeps until it is woken, then until the time that a look knows, and half a minute otherwise', async () => {
  const { startMs, looks, sleeping } = looking([7_000, undefined, undefined]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks).toEqual([]);
  sleeping.wakeAt(startMs);
  await vi.advanceTimersByTimeAsync(0);
  expect(looks).toEqual([60_000]);
  // What is overdue comes after a short pause.
  await vi.advanceTimersByTimeAsync(1_000);
  expect(looks).toEqual([60_000, 60_020]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(looks).toEqual([60_000, 60_020, 90_020]);
});

test('the earliest time counts', async () => {
  const { startMs, looks, sleeping } = looking([]);
  for (const ms of [9_000, 3_000, 5_000]) sleeping.wakeAt(startMs + ms);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looks).toEqual([3_000]);
});

test('what comes due while it looks is looked at afterwards, and other work has its time between', async () => {
  const { startMs, looks, sleeping } = looking([], 100);
  sleeping.wakeAt(startMs);
  await vi.advanceTimersByTimeAsync(50);
  sleeping.wakeAt(startMs + 50);
  await vi.advanceTimersByTimeAsync(500);
  expect(looks).toEqual([0, 200]);
});

test('a look that failed is reported, and done again soon', async () => {
  const error = new Error('no answer');
  const { startMs, looks, failures, sleeping } = looking([error]);
  sleeping.wakeAt(startMs);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([looks, failures]).toEqual([[0, 500], [error]]);
});

test('one that was stopped looks no more', async () => {
  const { startMs, looks, sleeping } = looking([]);
  sleeping.wakeAt(startMs + 10);
  sleeping.stop();
  sleeping.wakeAt(startMs + 20);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks).toEqual([]);
});

// Node 24 and later complain of a timer in the past.
test('what came due while the thread was busy is looked at at once', async () => {
  const { startMs, looks, sleeping } = looking([]);
  sleeping.wakeAt(startMs + 10);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const busy = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60);
  sleeping.wakeAt(startMs + 100);
  busy.mockRestore();
  expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([0]);
  await vi.advanceTimersByTimeAsync(5);
  expect(looks).toEqual([0]);
});
