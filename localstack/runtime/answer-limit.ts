/**
 * What Lambda carries of an answer, for both runtimes on this machine: what is too large there is too large here.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */

/** In bytes: 6 MB, of the JSON of all that a function returns. */
export const answerBytesMax = 6 * 1024 * 1024;

/** Whether an answer, as JSON, is more than Lambda carries. */
export function isTooLarge(json: string): boolean {
  return Buffer.byteLength(json) > answerBytesMax;
}
