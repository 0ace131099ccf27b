/**
 * Computes what an update alters, for the `change` conditions of rules. A removed member appears as null, with
 * everything below it, so that a rule which protects a member notices its removal. Ruling 34.
 */
import { isPlain, type PlainObject } from './compare.ts';

/**
 * The new, changed and removed members with their new values; of objects only the differing parts. A change of type
 * counts: a number that becomes a text is altered, although conditions may treat both as equal.
 *
 * @example
 * alterationOf({ schema: 'bank', custom: { limit: 5, city: 'Zagreb' } }, { custom: { limit: 5 } });
 * // { schema: null, custom: { city: null } }
 */
export function alterationOf(before: PlainObject, after: PlainObject): PlainObject {
  const differing = namesIn(before, after).filter((name) => !isSame(before[name], after[name]));
  return Object.fromEntries(
    differing.map((name) => [name, alteredMember(before[name], after[name])]),
  );
}

function alteredMember(before: unknown, after: unknown): unknown {
  return isPlain(before) && isPlain(after) ? alterationOf(before, after) : withNulls(before, after);
}

/** The new value, with null wherever only the old value had a member. */
function withNulls(before: unknown, after: unknown): unknown {
  if (!isNested(before)) return after ?? null;
  if (after === undefined) return withNulls(before, Array.isArray(before) ? [] : {});
  if (Array.isArray(before) && Array.isArray(after)) return elementsWithNulls(before, after);
  if (isPlain(before) && isPlain(after))
    return Object.fromEntries(
      namesIn(before, after).map((name) => [name, withNulls(before[name], after[name])]),
    );
  // The type changed. Conditions look into each element of an array, so they see both the new value and the removed
  // members.
  return [after, withNulls(before, undefined)];
}

function elementsWithNulls(before: readonly unknown[], after: readonly unknown[]): unknown[] {
  const longer = before.length > after.length ? before : after;
  return longer.map((_, index) => withNulls(before[index], after[index]));
}

/** Compares two JSON values; the order of members does not matter. */
export function isSame(one: unknown, other: unknown): boolean {
  if (!isNested(one) || !isNested(other)) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [one as PlainObject, other as PlainObject];
  return namesIn(left, right).every((name) => isSame(left[name], right[name]));
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function namesIn(one: PlainObject, other: PlainObject): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}
