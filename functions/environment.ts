/** What a deployment, or the offline runtime, has told this process. Nothing in it is a secret. */
import type { LogLine } from '../shared/http/log.ts';

const levels: readonly string[] = ['info', 'error', 'none'];

/** A variable that the deployment always sets. */
export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/** Writes what went wrong on our side, where nobody waits for an answer. */
export function complain(where: string, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stdout.write(`${JSON.stringify({ level: 'error', where, error: text })}\n`);
}

/** Writes lines of the level and above: `info`, `error` or `none`. */
export function logTo(level: string): (line: LogLine) => void {
  if (!levels.includes(level))
    throw new Error(`LEDGER_LOG must be ${levels.join(', ')}, not '${level}'.`);
  if (level === 'none') return () => {};
  return (line) => {
    if (level === 'info' || line.level === 'error')
      process.stdout.write(`${JSON.stringify(line)}\n`);
  };
}
