/**
 * The output of a command: lines or tables for people, or one JSON document for programs. Whatever steers the terminal and
 * is not ours does nothing; a text of others whose ends of lines must not count either goes through `printable` first.
 */
import picocolors from 'picocolors';
import { canonicalOf } from '../../shared/crypto/canonical.ts';
import { printable } from '../../shared/ledger/printable.ts';

/** Parts of a text that steer a terminal and are ours: ends of lines, and the colours that a terminal gets. */
const lineEnds = /(\n)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what begins a colour.
const lineEndsAndColours = /(\n|\u001b\[3\dm)/;

/** Prints a line, or several, on standard output. */
export function print(text: string): void {
  const parts = text.split(isColoured() ? lineEndsAndColours : lineEnds);
  // Every second part is ours.
  const shown = parts.map((part, index) => (index % 2 === 0 ? printable(part) : part)).join('');
  process.stdout.write(`${shown}\n`);
}

/** Prints the one JSON document of a command. Amounts beyond 2^53 - 1 are exact. */
export function printJson(value: unknown): void {
  // Characters above ASCII are in texts only, where an escape means the same.
  process.stdout.write(`${printable(canonicalOf(value))}\n`);
}

/** Colours for standard output: none through a pipe, whose `isTTY` is undefined, and none with NO_COLOR. */
export function colours(): ReturnType<typeof picocolors.createColors> {
  return picocolors.createColors(isColoured());
}

function isColoured(): boolean {
  return Boolean(process.stdout.isTTY) && !process.env['NO_COLOR'];
}

/** A time span in seconds, as `0.4 s`. */
export function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
