/** How a command ends that could not do what it was asked for: with one line that says why, and no stack. */

/** The codes of the ways in which a runtime ends that was not asked to. */
export const endCodes = {
  failed: 1,
  /** A variable says what it cannot say. */
  misconfigured: 2,
  /** Another process has the folder. */
  taken: 3,
  /** The folder or a file in it cannot be used. */
  unusable: 4,
  /** The embedded database ended alone, and is gone for good. */
  databaseLost: 5,
} as const;

/** Why a process ends, with the code that says so to programs. */
export class Ending extends Error {
  override readonly name = 'Ending';
  readonly code: number;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Writes what went wrong, and ends the process with a code. */
export function failing(code: number): (error: unknown) => never {
  return (error) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(code);
  };
}
