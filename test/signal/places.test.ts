/**
 * Goal: nobody's event waits for the webhooks of others, however many of them are silent. Method: a deployment of a
 * hundred couriers in a time of its own, in which one ledger tells silent webhooks, each of a new effect, and another
 * one a webhook that answers. Ruling 61, Decision 85.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AttemptOutcome } from '../../shared/ledger/delivery.ts';
import { hook, startMs } from './carrier.ts';
import { deployment, wait } from './deployment.ts';

beforeEach(() => void vi.useFakeTimers({ now: startMs }));
afterEach(() => void vi.useRealTimers());

const answered: AttemptOutcome = { kind: 'answered', status: 204 };
const timeout: AttemptOutcome = { kind: 'unreachable', why: 'timeout' };
const seconds = 30;
const answerMs = 50;

/** How long the events of the shop take while others are told of so many a second; in milliseconds, sorted. */
async function delaysUnder(rate: number, attacker: () => Promise<AttemptOutcome>) {
  const shop = hook('shop');
  const others = Array.from({ length: Math.ceil(rate * seconds) }, (_, index) =>
    hook(`x-${index}`),
  );
  const asked: number[] = [];
  const delays: number[] = [];
  const here = deployment([shop, ...others], async (endpoint) => {
    if (!endpoint.endsWith('/shop')) return attacker();
    await wait(answerMs);
    delays.push(Date.now() - (asked[delays.length] ?? 0));
    return answered;
  });
  for (const [index, one] of others.entries())
    setTimeout(() => here.tell('attacker', [one]), (index / rate) * 1_000);
  for (let second = 0; second < seconds; second += 1)
    setTimeout(
      () => {
        asked.push(Date.now());
        here.tell('shop', [shop]);
      },
      second * 1_000 + 500,
    );
  await vi.advanceTimersByTimeAsync(seconds * 1_000 + 5_000);
  expect(here.reports).toEqual([]);
  return { delays: delays.toSorted((one, other) => one - other), here };
}

const silent = async () => {
  await wait(10_000);
  return timeout;
};
const slow = async () => {
  await wait(9_900);
  return answered;
};

describe.each([
  ['silent', silent],
  ['slow', slow],
] as const)('while webhooks of another ledger are %s', (_, manner) => {
  test.each([1.25, 12.5])('%d a second: an event takes at most twice as long', async (rate) => {
    const { delays: quiet } = await delaysUnder(0, manner);
    const { delays } = await delaysUnder(rate, manner);
    expect(delays).toHaveLength(seconds);
    expect(delays.at(-1)).toBeLessThanOrEqual(2 * Number(quiet.at(-1)));
  });
});

test('an attempt that takes long is given up where its ledger has no more places, and made by the sweeper', async () => {
  const effects = Array.from({ length: 8 }, (_, index) => hook(`x-${index}`));
  const asked = new Map<string, number[]>();
  const here = deployment(effects, async (endpoint) => {
    asked.set(endpoint, [...(asked.get(endpoint) ?? []), Date.now() - startMs]);
    await wait(3_000);
    return answered;
  });
  // The first six of a ledger may go on; the others are asked for their place after a second.
  for (const one of effects) here.tell('attacker', [one]);
  await vi.advanceTimersByTimeAsync(10_000);
  const times = [...asked.values()];
  expect(times.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 1, 2, 2]);
  expect(times.flat().every((ms) => ms < 3_000)).toBe(true);
  const { due } = await here.deliveries.due(Number.MAX_SAFE_INTEGER);
  expect(due).toEqual([]);
  // Quick ones cost no note.
  const before = here.noteCount();
  expect(before).toBeLessThanOrEqual(8 + 6);
});

test('an attempt that fails is made again by others, at the times of the schedule', async () => {
  const asked: number[] = [];
  const here = deployment([hook('x')], async () => {
    asked.push(Date.now());
    return { kind: 'answered', status: 500 };
  });
  here.tell('main', [hook('x')]);
  await vi.advanceTimersByTimeAsync(200_000);
  const gaps = asked.slice(1).map((ms, index) => ms - Number(asked[index]));
  const schedule = [1_000, 1_200, 1_440, 1_728, 2_074, 2_488, 60_000];
  expect(gaps.slice(0, 7).map((ms, index) => [ms, ms >= Number(schedule[index])])).toEqual(
    gaps.slice(0, 7).map((ms) => [ms, true]),
  );
  // Whoever is woken waits for them; the later ones are found by the clock of the sweeper.
  for (const [index, ms] of gaps.slice(0, 6).entries())
    expect(ms - Number(schedule[index])).toBeLessThanOrEqual(100);
  expect(here.noteCount()).toBe(0);
});
