/** The end of a command that failed: one line with the cause, without a stack, and an exit code. */

/** Exit codes of the runtime. */
export const exitCodes = {
  failed: 1,
  /** A variable has an invalid value. */
  misconfigured: 2,
  /** Another process has the folder. */
  taken: 3,
  /** The folder or a file in it cannot be used. */
  unusable: 4,
  /** The embedded database ended alone, and cannot be restarted. */
  databaseLost: 5,
} as const;

/** The cause for the end of the process, with its exit code. */
export class ExitError extends Error {
  override readonly name = 'ExitError';
  readonly code: number;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Returns a handler that writes the message of an error, and ends the process with a code. */
export function exitWith(code: number): (error: unknown) => never {
  return (error) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(code);
  };
}
