/** Environment variables that the deployment or the offline runtime sets, and the log. No variable is a secret. */
import { stackOf } from '../shared/ledger/thrown.ts';
import type { LogLine } from '../shared/port/trace.ts';

/** The name under which the threads of the offline runtime share the count of their changes. Decision 129. */
export const changesName = 'countersign changes';

const levels: readonly string[] = ['info', 'error', 'none'];

/** Reads a variable; throws when it is not set. */
export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/** A line of a worker. */
interface WorkerLogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly time: string;
  /** The part of the service. */
  readonly where: string;
  readonly [name: string]: unknown;
}

/** Logs an error of a worker, which has no caller to answer. */
export function complain(where: string, error: unknown): void {
  const text = stackOf(error);
  write({ level: 'error', time: now(), where, error: text });
}

/** Logs work that a worker has done, unless `LEDGER_LOG` leaves it out. */
export function note(where: string, done: Readonly<Record<string, unknown>>): void {
  if (isBrief()) return;
  write({ level: 'info', time: now(), where, ...done });
}

/** Logs a fault of somebody else's system, unless `LEDGER_LOG` leaves it out. It is no error of the service. */
export function warn(where: string, fault: Readonly<Record<string, unknown>>): void {
  if (isBrief()) return;
  write({ level: 'warn', time: now(), where, ...fault });
}

/** A log of one level and above: `info`, `error` or `none`. */
export function logTo(level: string): (line: LogLine) => void {
  if (!levels.includes(level))
    throw new Error(`LEDGER_LOG must be ${levels.join(', ')}, not '${level}'.`);
  if (level === 'none') return () => {};
  return (line) => {
    if (level === 'info' || line.level === 'error') write(line);
  };
}

/** True when only errors are logged, or nothing is. */
function isBrief(): boolean {
  return (process.env['LEDGER_LOG'] || 'info') !== 'info';
}

function now(): string {
  return new Date().toISOString();
}

/** Writes a line as JSON, or for people where `LEDGER_LOG_FORMAT` says so. */
function write(line: LogLine | WorkerLogLine): void {
  const isForPeople = process.env['LEDGER_LOG_FORMAT'] === 'text';
  process.stdout.write(`${isForPeople ? textOf(line) : JSON.stringify(line)}\n`);
}

/** A line for people: the time of the day, the endpoint or the part of the service, then the rest by name. */
function textOf({ level, time, method: _method, ...rest }: LogLine | WorkerLogLine): string {
  const { endpoint, where, status, ms, error, request, ...others } = rest as Record<
    string,
    unknown
  >;
  const named = Object.entries(others).map(([name, value]) =>
    typeof value === 'object' ? `${name}=${JSON.stringify(value)}` : `${name}=${String(value)}`,
  );
  const words = [
    ...[time.slice('2026-11-23T'.length, -1), level === 'info' ? '' : level.toUpperCase()],
    ...[endpoint ?? where, status, ms === undefined ? undefined : `${String(ms)} ms`],
    ...[...named, request === undefined ? undefined : `request=${String(request)}`],
    error === undefined ? undefined : `\n${String(error)}`,
  ];
  return words.filter((word) => word !== undefined && word !== '').join(' ');
}
