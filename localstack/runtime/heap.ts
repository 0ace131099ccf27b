/** The time between two full collections of the heaps of the offline runtime. Decision 154. */
import { setFlagsFromString } from 'node:v8';

/** The growth of a heap until the next full collection, in percent of what the last one kept. */
const growthPercent = 200;

/**
 * Lets each heap of this process, those of its threads included, grow to three times of what a full collection kept before
 * the next one. V8 else takes less the more of the time goes into collections, so a busy ledger would have more of them.
 */
export function letHeapsGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
