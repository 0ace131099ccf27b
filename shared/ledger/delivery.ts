/**
 * A delivery brings one event to one target, or one call to a bridge, attempt by attempt. Here is what an
 * attempt's outcome makes of it, and when the next one is due. Rulings 57, 60 and 61.
 */

export type DeliveryStatus = 'pending' | 'running' | 'delivered' | 'failed' | 'cancelled';

/** How an attempt went: what the target answered, or why it could not be asked. */
export type AttemptOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfterSeconds?: number;
    }
  | { readonly kind: 'unreachable'; readonly why: string };

/** What becomes of a delivery after an attempt. */
export interface Verdict {
  readonly status: 'delivered' | 'failed' | 'cancelled';
  /** What the ledger's proof says. */
  readonly words: Readonly<Record<string, unknown>>;
  /** How long to wait before the next attempt; absent when there is none. */
  readonly waitMs?: number;
  /** The target wants to hear nothing any more. */
  readonly isGone?: boolean;
}

/** What is special about a call to a bridge. Decision 55. */
export interface Tenacity {
  /** It goes on once a day after the last wait of the schedule. */
  readonly isEndless: boolean;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const quickCount = 6;
const quickFactor = 1.2;

/** The waits after each failed attempt: six quick ones, then ever longer, a day at most. Ruling 57. */
export const waitsMs: readonly number[] = [
  ...Array.from({ length: quickCount }, (_, index) => Math.round(second * quickFactor ** index)),
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  24 * hour,
];

/** A target may ask for patience, but not for more than this. */
const waitMsMax = 24 * hour;

/** Whether the next attempt, after this many failed ones, is one of the quick ones. */
export function isQuick(attemptCount: number): boolean {
  return attemptCount <= quickCount;
}

/**
 * What an attempt makes of its delivery; `attemptCount` counts this one. Of a call it is also told how long it
 * goes on; that a bridge is gone is not for a call to say.
 */
export function verdictOf(outcome: AttemptOutcome, attemptCount: number, call?: Tenacity): Verdict {
  const waitMs = waitsMs[attemptCount - 1] ?? (call?.isEndless ? waitMsMax : undefined);
  if (outcome.kind === 'unreachable')
    return failed('delivery.target-unreachable', outcome.why, waitMs);
  const { status, retryAfterSeconds = 0 } = outcome;
  const detail = { httpStatus: status };
  if (status >= 200 && status < 300)
    return { status: 'delivered', words: { status: 'delivered', detail } };
  if (status === 410 && !call)
    return { ...cancelled('delivery.permanent-failure', detail), isGone: true };
  if (status === 501) return cancelled('delivery.permanent-failure', detail);
  const isThrottled = status === 429 || status === 503;
  const askedMs = isThrottled ? retryAfterSeconds * second : 0;
  return failed('delivery.target-rejected', detail, waitMs, askedMs);
}

/** The verdict on a delivery that nobody waits for any more. */
export function cancelled(reason: string, detail: unknown): Verdict {
  return { status: 'cancelled', words: { status: 'cancelled', reason, detail } };
}

function failed(
  reason: string,
  detail: unknown,
  scheduledMs: number | undefined,
  askedMs = 0,
): Verdict {
  if (scheduledMs === undefined) return cancelled('delivery.retry-cap-exhausted', detail);
  const waitMs = Math.max(scheduledMs, Math.min(askedMs, waitMsMax));
  return { status: 'failed', words: { status: 'failed', reason, detail }, waitMs };
}
