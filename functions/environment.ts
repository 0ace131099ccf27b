/** Environment variables that the deployment or the offline runtime sets, and the log. No variable is a secret. */
import type { LogLine } from '../shared/http/log.ts';

const levels: readonly string[] = ['info', 'error', 'none'];

/** Reads a variable; throws when it is not set. */
export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/** Logs an error of a worker, which has no caller to answer. */
export function complain(where: string, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stdout.write(`${JSON.stringify({ level: 'error', where, error: text })}\n`);
}

/** A log of one level and above: `info`, `error` or `none`. */
export function logTo(level: string): (line: LogLine) => void {
  if (!levels.includes(level))
    throw new Error(`LEDGER_LOG must be ${levels.join(', ')}, not '${level}'.`);
  if (level === 'none') return () => {};
  return (line) => {
    if (level === 'info' || line.level === 'error')
      process.stdout.write(`${JSON.stringify(line)}\n`);
  };
}
