/**
 * How large an answer may be. Lambda carries 6 MB, and what counts is the JSON of what a function returns, in which the
 * body is a text: each quote and each backslash of it takes two bytes. Decision 84.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */

/** What a body may take on the way, so that headers have room beside it. */
export const answerBytesMax = 6_000_000;
/** What a list takes beside its rows. */
const frameBytes = 10_000;

/** How many bytes a text takes on the way. */
export function carriedBytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** How many of the rows fit into one answer, from the first on; the first one always does. Decision 16. */
export function fittingCount(rows: readonly string[]): number {
  let bytes = frameBytes;
  const first = rows.findIndex((row) => {
    bytes += carriedBytesOf(row);
    return bytes > answerBytesMax;
  });
  return first < 0 ? rows.length : Math.max(1, first);
}
