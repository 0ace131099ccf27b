/** Rows of text as lines under a head and a ruler: the first `leftCount` columns to the left, the others to the right. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  leftCount: number,
): string {
  const widths = head.map((_, index) =>
    Math.max(...[head, ...rows].map((row) => row[index]?.length ?? 0)),
  );
  const lines = [head, widths.map((width) => '─'.repeat(width)), ...rows].map((row) =>
    row.map((field, index) =>
      index < leftCount ? field.padEnd(widths[index] ?? 0) : field.padStart(widths[index] ?? 0),
    ),
  );
  return lines.map((fields) => fields.join('  ')).join('\n');
}
