/**
 * Limits the work of judging one record by its schema. Callers write both the schema and the data, and a few references
 * can ask for unbounded work. So every step pays from a budget. Decision 27.
 */
import { canonicalOf } from '../crypto/canonical.ts';
import { LedgerError } from '../ledger/errors.ts';

/** One unit is 0.1 to 1 µs of work; a transfer by a schema that names each of its members takes 200 units. */
const unitsPerRecord = 250_000;

// Judging is synchronous, so one budget serves all records, one after the other.
let left = 0;

/** Refills the budget before a record is judged. */
export function fillBudget(units = unitsPerRecord): void {
  left = units;
}

/** Pays for a step. Throws `record.invalid` once the budget is spent. */
export function pay(units: number): void {
  left -= units;
  if (left < 0) throw tooMuchWork();
}

/** The error for a record whose schema takes more work than the budget allows. */
export function tooMuchWork(): LedgerError {
  return new LedgerError(
    'record.invalid',
    'The record takes too much work to judge by its schema.',
  );
}

/** Pays for applying a subschema: its own cost, and a look at the data. An ajv keyword, which always passes. */
export function payForSubschema(units: number, data: unknown): boolean {
  pay(units + unitsToLookAt(data));
  return true;
}

/** Reading a text costs by its characters, reading an object by its names; an array pays for each element instead. */
function unitsToLookAt(data: unknown): number {
  if (typeof data === 'string') return data.length / 64;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return 0;
  return Object.keys(data).length / 8;
}

/** Replaces the `uniqueItems` of ajv, which compares each object with each other one: this takes one pass. */
export function hasUniqueItems(isRequired: boolean, data: readonly unknown[]): boolean {
  if (!isRequired) return true;
  const texts = new Set<string>();
  for (const element of data) {
    const text = canonicalOf(element);
    pay(1 + text.length / 16);
    texts.add(text);
  }
  return texts.size === data.length;
}
