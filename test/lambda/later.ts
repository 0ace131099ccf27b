/**
 * What Lambda does with an event that nobody waits for: it is attempted three times, with a pause before each
 * but the first, and then it is a dead letter.
 */
import { type LambdaFunction, lineOf } from './function.ts';

/** The pauses before another attempt, in milliseconds: on AWS they are a minute and two. */
const pausesMs = [1_000, 2_000];

/** Takes what was given up, and why. */
export type DeadLetter = (name: string, event: unknown, why: string) => void;

/** Hands an event to a function, until it is taken or given up. */
export async function attempt(
  target: LambdaFunction,
  event: unknown,
  deadLetter: DeadLetter,
): Promise<void> {
  for (const pauseMs of [...pausesMs, undefined]) {
    const outcome = await target.invoke(event);
    if ('answer' in outcome) return;
    if (pauseMs === undefined) deadLetter(target.name, event, lineOf(outcome.failure));
    else await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
  }
}
