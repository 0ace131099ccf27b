/** The contract of notes, as tests that any implementation passes. */
import { expect, test } from 'vitest';
import type { Attempts, Notes } from '../../shared/port/notes.ts';

let count = 0;
const newScope = () => {
  count += 1;
  return `noted-${count}`;
};
const nowMs = Date.UTC(2026, 2, 1);
const minuteMs = 60_000;

/** Runs the contract against the notes that are there once the tests run. */
export function describeNotes(name: string, notesNow: () => Notes): void {
  test(`in ${name} what is used is used once, until its time`, async () => {
    const [notes, scope] = [notesNow(), newScope()];
    const untilMs = nowMs + minuteMs;
    expect(await notes.use(scope, 'token', untilMs, nowMs)).toBe(true);
    for (const laterMs of [nowMs, nowMs + 1000, untilMs - 1000])
      expect(await notes.use(scope, 'token', untilMs, laterMs)).toBe(false);
    expect(await notes.use(scope, 'token', untilMs * 2, untilMs + 1000)).toBe(true);
    expect(await notes.use(scope, 'token', untilMs * 2, untilMs + 2000)).toBe(false);
  });

  test(`in ${name} to ask whether something is used does not use it`, async () => {
    const [notes, scope] = [notesNow(), newScope()];
    const untilMs = nowMs + minuteMs;
    const isUsed = (atMs: number, of = scope) => notes.isUsed(of, 'token', atMs);
    expect(await isUsed(nowMs)).toBe(false);
    expect(await notes.use(scope, 'token', untilMs, nowMs)).toBe(true);
    expect([await isUsed(nowMs), await isUsed(untilMs - 1000)]).toEqual([true, true]);
    expect([await isUsed(untilMs + 1000), await isUsed(nowMs, newScope())]).toEqual([false, false]);
  });

  test(`in ${name} something else, or of another ledger, is not used by that`, async () => {
    const [notes, scope] = [notesNow(), newScope()];
    const untilMs = nowMs + minuteMs;
    expect(await notes.use(scope, 'token', untilMs, nowMs)).toBe(true);
    expect(await notes.use(scope, 'other', untilMs, nowMs)).toBe(true);
    expect(await notes.use(newScope(), 'token', untilMs, nowMs)).toBe(true);
  });

  test(`in ${name} of many who use the same at once, one is the first`, async () => {
    const [notes, scope] = [notesNow(), newScope()];
    const uses = Array.from({ length: 20 }, () => notes.use(scope, 'it', nowMs + minuteMs, nowMs));
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
  });

  test(`in ${name} points add up to what there may be, and no further`, async () => {
    const [notes, scope] = [notesNow(), newScope()];
    const attempts = attemptsOf(scope);
    expect(await notes.attempt(attempts)).toBe(true);
    expect(await notes.attempt({ ...attempts, points: 5 })).toBe(false);
    expect(await notes.attempt({ ...attempts, points: 4 })).toBe(true);
    expect(await notes.attempt(attempts)).toBe(false);
    const later = { ...attempts, startMs: attempts.endMs, endMs: attempts.endMs + minuteMs };
    for (const other of [later, { ...attempts, who: 'other' }, attemptsOf(newScope())])
      expect(await notes.attempt(other)).toBe(true);
  });

  test(`in ${name} of many attempts at once, as many pass as may`, async () => {
    const attempts = attemptsOf(newScope());
    const all = Array.from({ length: 20 }, () => notesNow().attempt(attempts));
    expect((await Promise.all(all)).filter(Boolean)).toHaveLength(5);
  });
}

function attemptsOf(scope: string): Attempts {
  return { scope, who: 'who', startMs: nowMs, endMs: nowMs + minuteMs, points: 1, pointsMax: 5 };
}
