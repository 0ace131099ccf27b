/** Assertions catch bugs of the service. Errors that a caller can cause are in `errors.ts`. */

/** Throws when an expectation is broken. The request ends with `api.unexpected-error` and an alarm is raised. */
export function assert(condition: unknown, whatMustHold: string): asserts condition {
  if (!condition) throw new Error(`Broken assertion: ${whatMustHold}`);
}
