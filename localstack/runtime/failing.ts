/** The end of a command that failed: one line with the cause, without a stack, and an exit code. */
import { printable } from '../../shared/ledger/printable.ts';
import { messageOf } from '../../shared/ledger/thrown.ts';

/** Exit codes of `countersign`. `localstack/README.md` lists them. */
export const exitCodes = {
  done: 0,
  /** The answer is no: a violation, an intent that was rejected, a proof that does not verify; or anything not below. */
  failed: 1,
  /** A word, an option or a variable has an invalid value, or what the command needs is not there. */
  misconfigured: 2,
  /** Another process has the folder. */
  taken: 3,
  /** The folder or a file in it cannot be used. */
  unusable: 4,
  /** The database process of a folder of an earlier release ended alone, and cannot be restarted. */
  databaseLost: 5,
  /** The ledger refused the request. */
  refused: 6,
  /** No ledger, or no database, answers. */
  unreachable: 7,
  /** The answer is not signed by the ledger. */
  untrusted: 8,
  /** A log has signed two histories. */
  forked: 9,
  /** A log shows fewer leaves than it has shown before. */
  rolledBack: 10,
} as const;

/** The cause for the end of the process, with its exit code. */
export class ExitError extends Error {
  override readonly name = 'ExitError';
  readonly code: number;
  /** Lines below the message: what to do next, or where the error is from. */
  readonly advice: readonly string[];

  constructor(
    code: number,
    message: string,
    { advice = [], ...options }: ErrorOptions & { advice?: readonly string[] } = {},
  ) {
    super(message, options);
    this.code = code;
    this.advice = advice;
  }
}

/** The error of a word, a file or a variable that the user can set right. */
export function misused(message: string, options?: ErrorOptions): ExitError {
  return new ExitError(exitCodes.misconfigured, message, options);
}

/** The exit codes of errors by their names: those of `countersign/client`, of a master key, and of a table without the ledger. */
const codes: Readonly<Record<string, number>> = {
  WrongMasterKey: exitCodes.unusable,
  LedgerRefused: exitCodes.refused,
  LedgerUnreachable: exitCodes.unreachable,
  LedgerUntrusted: exitCodes.untrusted,
  UnknownLedger: exitCodes.misconfigured,
};

/** The exit code of an error. */
export function codeOf(error: unknown): number {
  if (error instanceof ExitError) return error.code;
  return (error instanceof Error ? codes[error.name] : undefined) ?? exitCodes.failed;
}

/** Writes the message of an error as one line, and the advice below it; in them a text of others does nothing to a terminal. */
export function printFailure(error: unknown): void {
  const advice = error instanceof ExitError ? error.advice : [];
  for (const line of [messageOf(error), ...advice]) process.stderr.write(`${printable(line)}\n`);
}

/** Returns a handler that writes the message of an error, and ends the process with a code. */
export function exitWith(code: number): (error: unknown) => never {
  return (error) => {
    printFailure(error);
    process.exit(code);
  };
}
