/** Assertions are for our own bugs; refusals (`errors.ts`) are for the caller. */

/** Throws an error that names the broken expectation; it becomes `api.unexpected-error` and an alarm. */
export function assert(condition: unknown, whatMustHold: string): asserts condition {
  if (!condition) throw new Error(`Broken assertion: ${whatMustHold}`);
}
