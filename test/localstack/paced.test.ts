/** Goal: a walk through many takes a bounded share of a process, whatever each of them takes. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paced } from '../../localstack/runtime/paced.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function* some<One>(...all: readonly One[]): AsyncGenerator<One> {
  yield* all;
}

test('a walk rests after each for as many times as long as it was worked on', async () => {
  const seen: (readonly [name: string, atMs: number])[] = [];
  const startMs = performance.now();
  const walk = async () => {
    for await (const [name, ms] of paced(some(['short', 10], ['long', 200], ['last', 1]), 9)) {
      seen.push([String(name), performance.now() - startMs]);
      await new Promise((resolve) => setTimeout(resolve, Number(ms)));
    }
    seen.push(['end', performance.now() - startMs]);
  };
  const walked = walk();
  await vi.runAllTimersAsync();
  await walked;
  expect(seen).toEqual([
    ['short', 0],
    ['long', 100],
    ['last', 2_100],
    ['end', 2_110],
  ]);
});

test('whoever stops it early waits for nothing', async () => {
  const first = async () => {
    for await (const one of paced(some(1, 2), 1_000_000)) return one;
    return undefined;
  };
  await expect(first()).resolves.toBe(1);
});
