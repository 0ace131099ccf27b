/** Goal: a ledger that nobody waits for collects what happens; one with a bridge or webhook is followed at once. Decision 122. */
import { expect, test } from 'vitest';
import { type DrainPace, newPace } from '../../localstack/runtime/pace.ts';

/** Wakes a ledger each millisecond for some time; returns the times at which its drains begin. Each takes `drainMs`. */
function drainsOf(
  { pace, now }: Scene,
  { scope = 'main', forMs = 4_000, everyMs = 1, drainMs = 2, isAwaited = false },
): number[] {
  const begun: number[] = [];
  const endMs = now.ms + forMs;
  let [isWaiting, freeMs] = [false, 0];
  for (; now.ms < endMs; now.ms += 1) {
    if (now.ms === freeMs) pace.end(scope);
    if (now.ms % everyMs === 0) {
      pace.woken(scope);
      isWaiting = true;
    }
    if (!isWaiting || now.ms < freeMs || pace.begin(scope) > 0) continue;
    [isWaiting, freeMs] = [false, now.ms + drainMs];
    begun.push(now.ms);
    if (isAwaited) pace.received(scope);
  }
  return begun;
}

interface Scene {
  readonly pace: DrainPace;
  readonly now: { ms: number };
}

function newScene(): Scene {
  const now = { ms: 10_000 };
  return { pace: newPace(() => now.ms), now };
}

/** The mean time between the last drains, in milliseconds. */
function gapOf(begun: readonly number[]): number {
  const last = begun.slice(-10);
  return ((last.at(-1) ?? 0) - (last[0] ?? 0)) / (last.length - 1);
}

test('a ledger that has little to do is drained at once', () => {
  const begun = drainsOf(newScene(), { everyMs: 250 });
  expect(begun).toHaveLength(16);
  expect(begun.every((ms) => ms % 250 === 0)).toBe(true);
});

test('a busy one that nobody waits for collects for a tenth of a second', () => {
  const gapMs = gapOf(drainsOf(newScene(), {}));
  expect(gapMs).toBeGreaterThan(95);
  expect(gapMs).toBeLessThan(110);
});

test('a busy one with a receiver collects for a hundredth', () => {
  const gapMs = gapOf(drainsOf(newScene(), { isAwaited: true }));
  expect(gapMs).toBeGreaterThan(8);
  expect(gapMs).toBeLessThan(15);
});

test('the receiver is forgotten a second after its last event', () => {
  const scene = newScene();
  drainsOf(scene, { isAwaited: true });
  expect(gapOf(drainsOf(scene, {}))).toBeGreaterThan(95);
});

test('a receiver of one ledger changes nothing for another', () => {
  const scene = newScene();
  drainsOf(scene, { scope: 'other', isAwaited: true });
  expect(gapOf(drainsOf(scene, {}))).toBeGreaterThan(95);
});

test.each([
  ['nobody waits for', false, 100],
  ['somebody waits for', true, 10],
])('a drain that takes long is followed by a whole pause, of a ledger that %s', (...row) => {
  const [, isAwaited, pauseMs] = row;
  const gapMs = gapOf(drainsOf(newScene(), { drainMs: 300, forMs: 60_000, isAwaited }));
  expect(gapMs - 300).toBeGreaterThan(0.9 * pauseMs);
  expect(gapMs - 300).toBeLessThan(1.1 * pauseMs);
});

test('the time until a drain may begin is that until it does', () => {
  const scene = newScene();
  drainsOf(scene, {});
  for (const _ of [1, 2, 3]) scene.pace.woken('main');
  const restMs = scene.pace.begin('main');
  expect(restMs).toBeGreaterThan(0);
  scene.now.ms += restMs;
  expect(scene.pace.begin('main')).toBe(0);
});
