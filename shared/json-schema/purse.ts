/**
 * What judging one record may cost. Schemas and data are chosen by callers, and a few lines that refer
 * to each other can ask for more work than there is time; so each step is paid for. Decision 27.
 */
import { LedgerError } from '../ledger/errors.ts';

/** One unit is some 0.1 to 1 µs; a transfer by a schema that names each of its members takes 200. */
const budget = 250_000;

// Judging waits for nothing, so one purse serves all, one record after the other.
let left = 0;

/** Fills the purse for one record. */
export function fillPurse(units = budget): void {
  left = units;
}

/** Pays for a step; refuses when nothing is left. */
export function pay(units: number): void {
  left -= units;
  if (left < 0) throw tooMuchWork();
}

/** The refusal of a record that its schema cannot judge in time. */
export function tooMuchWork(): LedgerError {
  return new LedgerError(
    'record.invalid',
    'The record takes too much work to judge by its schema.',
  );
}
