/** A table as text, for a terminal. */
import { printable } from '../../shared/ledger/printable.ts';

/** Rows of text as lines under a head and a ruler: the first `leftCount` columns to the left, the others to the right. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  leftCount: number,
): string {
  const [heads = [], ...shown] = [head, ...rows].map((row) => row.map(printable));
  const widths = heads.map((_, index) =>
    Math.max(...[heads, ...shown].map((row) => row[index]?.length ?? 0)),
  );
  const lines = [heads, widths.map((width) => '─'.repeat(width)), ...shown].map((row) =>
    row.map((field, index) =>
      index < leftCount ? field.padEnd(widths[index] ?? 0) : field.padStart(widths[index] ?? 0),
    ),
  );
  return lines.map((fields) => fields.join('  ')).join('\n');
}
