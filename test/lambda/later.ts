/**
 * Asynchronous invocation, as by Lambda: three attempts with pauses in between, and then a dead letter.
 */
import { type LambdaFunction, lineOf } from './function.ts';

/** Pauses before the further attempts, in milliseconds; on AWS, one minute and two. */
const pausesMs = [1_000, 2_000];

/** Receives an event that was given up, with the reason. */
export type DeadLetter = (name: string, event: unknown, why: string) => void;

/** Invokes a function with an event until it succeeds or is given up. */
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
