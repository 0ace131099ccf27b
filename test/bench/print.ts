/** Plain tables and statistics for the output of the benches. */

/** Rows as lines: texts to the left, numbers to the right. */
export function tableOf(
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => String(row[index]).length)),
  );
  const isRight = columns.map((_, index) => rows.some((row) => /^[\d.]/.test(String(row[index]))));
  const lineOf = (cells: readonly (string | number)[]): string =>
    cells
      .map((cell, index) => {
        const [text, width] = [String(cell), widths[index] ?? 0];
        return isRight[index] ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  const ruler = widths.map((width) => '─'.repeat(width));
  return [columns, ruler, ...rows].map((cells) => `  ${lineOf(cells)}`).join('\n');
}

export function medianOf(values: readonly number[]): number {
  return quantileOf(values, 0.5);
}

/** The smallest value that at least this share of the values does not exceed. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** A number with this many decimals; `n/a` for NaN. */
export function fixed(value: number, decimals = 0): string {
  return Number.isFinite(value) ? value.toFixed(decimals) : 'n/a';
}

/** Minimum and maximum as a range; one number when they are equal. */
export function rangeOf(values: readonly number[], decimals = 0): string {
  const [least, greatest] = [
    fixed(Math.min(...values), decimals),
    fixed(Math.max(...values), decimals),
  ];
  return least === greatest ? least : `${least}–${greatest}`;
}
