/** The output of a command: lines or tables for people, or one JSON document for programs. */
import picocolors from 'picocolors';
import { canonicalOf } from '../../shared/crypto/canonical.ts';

/** Prints a line, or several, on standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints the one JSON document of a command. Amounts beyond 2^53 - 1 are exact. */
export function printJson(value: unknown): void {
  print(canonicalOf(value));
}

/** Colours for standard output: none through a pipe, whose `isTTY` is undefined, and none with NO_COLOR. */
export function colours(): ReturnType<typeof picocolors.createColors> {
  return picocolors.createColors(Boolean(process.stdout.isTTY) && !process.env['NO_COLOR']);
}

/** A time span in seconds, as `0.4 s`. */
export function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
