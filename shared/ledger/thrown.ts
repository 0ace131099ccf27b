/** The text of a value that was thrown, which may be anything. */

/** The message of an error; the text of anything else. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The stack of an error, which begins with its message; the text of anything else. */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}
