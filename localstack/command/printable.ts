/** Text of others on a terminal: what would steer the terminal, or reorder what is read, is shown and does nothing. */
import { canonicalOf } from '../../shared/crypto/canonical.ts';
import { print } from '../cli/output.ts';

/** Control characters of ASCII and Latin 1, line and paragraph ends, and marks of direction. */
const steering = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** A text with everything that a terminal would obey as `\u001b`. */
export function printable(text: string): string {
  return text.replace(steering, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Any value as one printable line: a text as it is, and anything else as JSON. */
export function lineOf(value: unknown): string {
  if (value === undefined) return '';
  return printable(typeof value === 'string' ? value : canonicalOf(value));
}

/** Prints an answer as one JSON document. An answer without a body is `null`. */
export function printAnswer(answer: unknown): void {
  // Characters above ASCII are in texts only, where an escape means the same.
  print(printable(canonicalOf(answer ?? null)));
}
