/**
 * A delivery brings one event to one target, or one call to a bridge, in one or more attempts. This file decides what
 * an attempt's outcome means, and when the next one is due. Rulings 57, 60 and 61.
 */

export type DeliveryStatus = 'pending' | 'running' | 'delivered' | 'failed' | 'cancelled';

/** The target's HTTP response, or the reason why it could not be reached. */
export type AttemptOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfterSeconds?: number;
    }
  | { readonly kind: 'unreachable'; readonly why: string };

/** The new state of a delivery after an attempt. */
export interface DeliveryVerdict {
  readonly status: 'delivered' | 'failed' | 'cancelled';
  /** The ledger's statement on the proof of the delivery. */
  readonly statement: Readonly<Record<string, unknown>>;
  /** Wait before the next attempt; absent when there is none. */
  readonly waitMs?: number;
  /** The target answered 410 Gone: it wants no further events. */
  readonly isGone?: boolean;
}

/** Retry rules of a call to a bridge. Decision 55. */
export interface Tenacity {
  /** After the schedule ends, attempts continue once a day. */
  readonly isEndless: boolean;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const quickCount = 6;
const quickFactor = 1.2;

/** The waits after each failed attempt: six quick ones, then growing up to a day. Ruling 57. */
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

/** The longest `retry-after` that a target may ask for. */
const waitMsMax = 24 * hour;

/** True when the wait after so many failed attempts is one of the quick ones. */
export function isQuick(attemptCount: number): boolean {
  return attemptCount <= quickCount;
}

/**
 * Decides what an attempt means for its delivery; `attemptCount` includes this attempt. For a call, 410 counts as any
 * other error, since a bridge cannot unsubscribe by answering a call.
 */
export function verdictOf(
  outcome: AttemptOutcome,
  attemptCount: number,
  call?: Tenacity,
): DeliveryVerdict {
  const waitMs = waitsMs[attemptCount - 1] ?? (call?.isEndless ? waitMsMax : undefined);
  if (outcome.kind === 'unreachable')
    return failed('delivery.target-unreachable', outcome.why, waitMs);
  const { status, retryAfterSeconds = 0 } = outcome;
  const detail = { httpStatus: status };
  if (status >= 200 && status < 300)
    return { status: 'delivered', statement: { status: 'delivered', detail } };
  if (status === 410 && !call)
    return { ...cancelled('delivery.permanent-failure', detail), isGone: true };
  if (status === 501) return cancelled('delivery.permanent-failure', detail);
  const isThrottled = status === 429 || status === 503;
  const retryAfterMs = isThrottled ? retryAfterSeconds * second : 0;
  return failed('delivery.target-rejected', detail, waitMs, retryAfterMs);
}

/** The verdict on a delivery that is no longer needed. */
export function cancelled(reason: string, detail: unknown): DeliveryVerdict {
  return { status: 'cancelled', statement: { status: 'cancelled', reason, detail } };
}

function failed(
  reason: string,
  detail: unknown,
  scheduledMs: number | undefined,
  retryAfterMs = 0,
): DeliveryVerdict {
  if (scheduledMs === undefined) return cancelled('delivery.retry-cap-exhausted', detail);
  const waitMs = Math.max(scheduledMs, Math.min(retryAfterMs, waitMsMax));
  return { status: 'failed', statement: { status: 'failed', reason, detail }, waitMs };
}
