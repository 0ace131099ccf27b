/** How a command ends that could not do what it was asked for: with one line that says why, and no stack. */

/** Writes what went wrong, and ends the process with a code. */
export function failing(code: number): (error: unknown) => never {
  return (error) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(code);
  };
}
