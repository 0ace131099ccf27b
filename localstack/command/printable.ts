/** Text of others on a terminal: what would steer the terminal, or reorder what is read, is shown and does nothing. */
import { canonicalOf } from '../../shared/crypto/canonical.ts';
import { printable } from '../../shared/ledger/printable.ts';
import { printJson } from '../cli/output.ts';

/** Any value as one printable line: a text as it is, and anything else as JSON. */
export function lineOf(value: unknown): string {
  if (value === undefined) return '';
  return printable(typeof value === 'string' ? value : canonicalOf(value));
}

/** Prints an answer as one JSON document. An answer without a body is `null`. */
export function printAnswer(answer: unknown): void {
  printJson(answer ?? null);
}
