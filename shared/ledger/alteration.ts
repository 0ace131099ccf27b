/**
 * Computes what an update alters, for the `change` conditions of rules. A removed member appears as null, with
 * everything below it, so that a rule which protects a member notices its removal. Ruling 34.
 */
import { isPlain } from './compare.ts';

type Data = Readonly<Record<string, unknown>>;

/**
 * The new, changed and removed members with their new values; of objects only the differing parts. A change of type
 * counts: a number that becomes a text is altered, although conditions may treat both as equal.
 *
 * @example
 * alterationOf({ schema: 'bank', custom: { limit: 5, city: 'Zagreb' } }, { custom: { limit: 5 } });
 * // { schema: null, custom: { city: null } }
 */
export function alterationOf(before: Data, after: Data): Data {
  const differing = namesIn(before, after).filter((name) => !isSame(before[name], after[name]));
  return Object.fromEntries(
    differing.map((name) => [name, alteredMember(before[name], after[name])]),
  );
}

function alteredMember(before: unknown, after: unknown): unknown {
  return isPlain(before) && isPlain(after) ? alterationOf(before, after) : over(before, after);
}

/** The new value, with null wherever only the old value had a member. */
function over(before: unknown, after: unknown): unknown {
  if (!isNested(before)) return after ?? null;
  if (after === undefined) return over(before, Array.isArray(before) ? [] : {});
  if (Array.isArray(before) && Array.isArray(after)) return overElements(before, after);
  if (isPlain(before) && isPlain(after))
    return Object.fromEntries(
      namesIn(before, after).map((name) => [name, over(before[name], after[name])]),
    );
  // The type changed. Conditions look into each element of an array, so they see both the new value and the removed
  // members.
  return [after, over(before, undefined)];
}

function overElements(before: readonly unknown[], after: readonly unknown[]): unknown[] {
  const longer = before.length > after.length ? before : after;
  return longer.map((_, index) => over(before[index], after[index]));
}

/** Compares two JSON values; the order of members does not matter. */
export function isSame(one: unknown, other: unknown): boolean {
  if (!isNested(one) || !isNested(other)) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [one as Data, other as Data];
  return namesIn(left, right).every((name) => isSame(left[name], right[name]));
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function namesIn(one: Data, other: Data): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}
