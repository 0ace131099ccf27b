/** Markers of due work among written items, for a process that sleeps until the earliest of them. Decision 122. */
import { itemOf } from './keys.ts';
import type { ItemAction } from './request.ts';

/** Whoever sleeps looks so far ahead and at least so often, in milliseconds: a marker beyond it needs no word. */
export const aheadMs = 30_000;

/** A marker of a delivery, an intent or a report, and the time from which on it is due, in milliseconds. */
export interface DueMark {
  readonly item: 'due' | 'expiry' | 'work';
  readonly dueMs: number;
}

/** The markers that a transaction puts, of what will soon be due. */
export function dueMarksIn(actions: readonly ItemAction[], nowMs: number): DueMark[] {
  return actions.flatMap(({ Put }) => {
    const { pk, sk } = Put?.Item ?? {};
    const name = itemOf(String(pk), String(sk));
    const isSoon = name !== undefined && 'dueMs' in name && name.dueMs < nowMs + aheadMs;
    return isSoon ? [{ item: name.item, dueMs: name.dueMs }] : [];
  });
}
