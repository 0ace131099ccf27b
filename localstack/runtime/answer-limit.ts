/**
 * Lambda's limit for the answer of a function, applied by the offline runtime and by the Lambda emulator of the tests.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
import type { APIGatewayProxyResult } from 'aws-lambda';

/** 6 MB, of the JSON of all that a function returns. */
export const answerBytesMax = 6 * 1024 * 1024;

export function isTooLarge(json: string): boolean {
  return Buffer.byteLength(json) > answerBytesMax;
}

/** The most bytes that a character takes in JSON. */
const characterBytesMax = 6;

/** True for an answer whose JSON is too large. Most are so short that it need not be made to tell. */
export function isAnswerTooLarge(result: APIGatewayProxyResult): boolean {
  // The other half is more than headers ever take.
  if (result.body.length * characterBytesMax < answerBytesMax / 2) return false;
  return isTooLarge(JSON.stringify(result));
}
