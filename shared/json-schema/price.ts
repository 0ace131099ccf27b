/** What the steps of judging cost: a subschema, and a look at each element. Decision 27. */
import { canonicalOf } from '../crypto/canonical.ts';
import { pay } from './purse.ts';

/** Pays for a subschema that is applied to data: its own price, and that of looking at the data. */
export function costs(units: number, data: unknown): boolean {
  pay(units + lookAt(data));
  return true;
}

/** How many units it takes to go through the characters of a text or the names of an object. */
function lookAt(data: unknown): number {
  if (typeof data === 'string') return data.length / 64;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return 0;
  return Object.keys(data).length / 8;
}

/** Whether no two elements are equal. Ajv compares each with each, where objects are among them. */
export function isWithoutTwins(isAsked: boolean, data: readonly unknown[]): boolean {
  if (!isAsked) return true;
  const texts = new Set<string>();
  for (const element of data) {
    const text = canonicalOf(element);
    pay(1 + text.length / 16);
    texts.add(text);
  }
  return texts.size === data.length;
}
