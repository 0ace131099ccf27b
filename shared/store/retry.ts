/**
 * The meaning of an error of the database, and retries. DynamoDB rejects transactions that conflict on an item instead
 * of queueing them, so they must wait for different times: full jitter, as in "Exponential Backoff And Jitter" (AWS
 * Architecture Blog).
 */
import { LedgerError } from '../ledger/errors.ts';

/**
 * `refused`: a condition failed, nothing was written. `busy`: not done, may succeed later.
 * `unknown`: done or not, the answer was lost. `broken`: a bug or a damaged file, will not succeed later.
 */
export type Nature = 'refused' | 'busy' | 'unknown' | 'broken';

/** When to stop trying, on the clock of `performance.now()`. */
export type Deadline = number;

const waits: Waits = { baseMs: 5, mostMs: 250 };

const throttleNames = new Set(['ProvisionedThroughputExceededException', 'ThrottlingException']);
const busyNames = new Set([
  ...throttleNames,
  'RequestLimitExceeded',
  'TransactionConflictException',
  'TransactionInProgressException',
]);
const throttleCodes = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError']);
const busyCodes = new Set([...throttleCodes, 'TransactionConflict']);
const conditionFailed = 'ConditionalCheckFailed';
const unknownNames = new Set(['AbortError', 'InternalServerError', 'SyntaxError', 'TimeoutError']);

/** The errors of LMDB and SQLite, and so of the embedded database, for a damaged file: a retry does not help. */
export const damagedPattern =
  /MDB_(CORRUPTED|INVALID|PAGE_NOTFOUND)|database disk image is malformed|not a (valid SQLite )?database/i;

/** The outcome of one action of a cancelled transaction. */
export interface CancellationReason {
  readonly Code?: string | undefined;
}

interface AwsError extends Error {
  /** Of a socket: `ECONNRESET` and the like. */
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number | undefined };
  readonly CancellationReasons?: readonly CancellationReason[];
}

export function natureOf(error: unknown): Nature {
  if (!(error instanceof Error)) return 'broken';
  const { name, code, $metadata }: AwsError = error;
  if (name === 'TransactionCanceledException') return natureOfCancellation(error);
  if (name === `${conditionFailed}Exception`) return 'refused';
  if (busyNames.has(name)) return 'busy';
  if (damagedPattern.test(error.message)) return 'broken';
  const isOfServer = ($metadata?.httpStatusCode ?? 0) >= 500;
  const isOfSocket = typeof code === 'string';
  return isOfServer || isOfSocket || unknownNames.has(name) ? 'unknown' : 'broken';
}

/** True when a transaction was rejected because it conflicted with another one on an item. */
export function isConflict(error: unknown): boolean {
  return (
    (error as AwsError).name === 'TransactionConflictException' ||
    reasonsOf(error).some(({ Code }) => Code === 'TransactionConflict')
  );
}

/** The indexes of the actions on an item that another transaction was on. */
export function crowdedIndexesOf(error: unknown): number[] {
  return reasonsOf(error).flatMap(({ Code }, index) =>
    Code === 'TransactionConflict' ? [index] : [],
  );
}

/** The indexes of the actions on a partition that had no capacity left. */
export function throttledIndexesOf(error: unknown): number[] {
  return reasonsOf(error).flatMap(({ Code = '' }, index) =>
    throttleCodes.has(Code) ? [index] : [],
  );
}

/** True when the partition of a single write had no capacity left. */
export function isThrottle(error: unknown): boolean {
  return throttleNames.has((error as AwsError).name);
}

/** One for each action of a cancelled transaction, in order; none for another error. */
export function reasonsOf(error: unknown): readonly CancellationReason[] {
  return (error as AwsError).CancellationReasons ?? [];
}

/** The indexes of the actions of a cancelled transaction whose condition failed. */
export function failedIndexesOf(error: unknown): number[] {
  return reasonsOf(error).flatMap(({ Code }, index) => (Code === conditionFailed ? [index] : []));
}

/** The deadline of a call that begins now. */
export function deadlineIn(ms: number): Deadline {
  return performance.now() + ms;
}

/** The times between attempts, in milliseconds: the longest first wait, which doubles, and the longest of all. */
export interface Waits {
  readonly baseMs: number;
  readonly mostMs: number;
}

/** Waits before the next attempt, counted from 0. Throws `api.request-timeout` when the deadline is too near. */
export async function pause(
  attempt: number,
  deadline: Deadline,
  { baseMs, mostMs }: Waits = waits,
): Promise<void> {
  await rest(Math.min(mostMs, baseMs * 2 ** attempt), deadline);
}

/** Waits for a random time up to this one. Throws `api.request-timeout` when the deadline is too near. */
export async function rest(mostMs: number, deadline: Deadline): Promise<void> {
  const waitMs = Math.random() * mostMs;
  if (performance.now() + waitMs >= deadline) {
    throw new LedgerError('api.request-timeout', 'The database did not answer in time.');
  }
  await new Promise((resolve) => setTimeout(resolve, waitMs));
}

/** Repeats a request until it is answered: a read, or a write with the same token. */
export async function repeating<Output>(
  deadline: Deadline,
  send: () => Promise<Output>,
): Promise<Output> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const nature = natureOf(error);
      if (nature === 'refused' || nature === 'broken') throw error;
    }
    await pause(attempt, deadline);
  }
}

function natureOfCancellation({ CancellationReasons: reasons = [] }: AwsError): Nature {
  const codes = reasons.map(({ Code }) => Code ?? 'None').filter((code) => code !== 'None');
  if (codes.includes(conditionFailed)) return 'refused';
  return codes.length > 0 && codes.every((code) => busyCodes.has(code)) ? 'busy' : 'broken';
}
