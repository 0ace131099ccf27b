/**
 * The size limit of an answer. Lambda carries 6 MB of the JSON that a function returns. The body is a string in it,
 * so each quote and each backslash takes two bytes. Decision 84.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */

/** Bytes for the escaped body, so that headers have room beside it. */
export const answerBytesMax = 6_000_000;
/** Bytes of a list beside its rows. */
const frameBytes = 10_000;

/** The most bytes that a character takes in a JSON string. */
const characterBytesMax = 6;

/** The bytes of a text that is too long for an answer; undefined for one that fits, which most do by their length. */
export function excessBytesOf(text: string): number | undefined {
  if (text.length * characterBytesMax <= answerBytesMax) return undefined;
  const bytes = carriedBytesOf(text);
  return bytes > answerBytesMax ? bytes : undefined;
}

/** The bytes of a text as an escaped JSON string. */
export function carriedBytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** The number of rows that fit into one answer, at least one. Decision 16. */
export function fittingCount(rows: readonly string[]): number {
  let bytes = frameBytes;
  const length = rows.reduce((sum, row) => sum + row.length, 0);
  if (frameBytes + length * characterBytesMax <= answerBytesMax) return rows.length;
  const first = rows.findIndex((row) => {
    bytes += carriedBytesOf(row);
    return bytes > answerBytesMax;
  });
  return first < 0 ? rows.length : Math.max(1, first);
}
