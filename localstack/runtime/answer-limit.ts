/**
 * Lambda's limit for the answer of a function, applied by the offline runtime and by the Lambda emulator of the tests.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */

/** 6 MB, of the JSON of all that a function returns. */
export const answerBytesMax = 6 * 1024 * 1024;

export function isTooLarge(json: string): boolean {
  return Buffer.byteLength(json) > answerBytesMax;
}
