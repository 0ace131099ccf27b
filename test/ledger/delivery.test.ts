import { describe, expect, test } from 'vitest';
import {
  type AttemptOutcome,
  cancelled,
  isQuick,
  verdictOf,
  waitsMs,
} from '../../shared/ledger/delivery.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const answered = (status: number, retryAfterSeconds?: number): AttemptOutcome => ({
  kind: 'answered',
  status,
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});
const unreachable: AttemptOutcome = { kind: 'unreachable', why: 'No answer in 10 s.' };
const rejected = (httpStatus: number) => ({
  status: 'failed',
  reason: 'delivery.target-rejected',
  detail: { httpStatus },
});

describe('the waits of Ruling 57', () => {
  test('are six quick ones, then ever longer, a day at most', () => {
    expect(waitsMs).toEqual([
      1_000,
      1_200,
      1_440,
      1_728,
      2_074,
      2_488,
      minute,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      24 * hour,
    ]);
  });

  test('the attempts after the first six failures are the quick ones', () => {
    expect(waitsMs.map((_, index) => isQuick(index + 1))).toEqual(
      waitsMs.map((waitMs) => waitMs < minute),
    );
    expect(isQuick(0)).toBe(true);
  });

  test.each(waitsMs.map((waitMs, index) => [index + 1, waitMs]))(
    'after failure %i the wait is %i ms',
    (attemptCount, waitMs) => {
      expect(verdictOf(answered(500), attemptCount).waitMs).toBe(waitMs);
      expect(verdictOf(unreachable, attemptCount).waitMs).toBe(waitMs);
    },
  );

  test('end after the last: the delivery is cancelled', () => {
    const last = waitsMs.length + 1;
    const reason = 'delivery.retry-cap-exhausted';
    expect(verdictOf(answered(429, 60), last)).toEqual(cancelled(reason, { httpStatus: 429 }));
    expect(verdictOf(unreachable, last)).toEqual(cancelled(reason, unreachable.why));
  });
});

// Ruling 61: only 2xx is success.
describe('what an answer makes of a delivery', () => {
  test.each([200, 201, 202, 204, 299])('%i: delivered', (httpStatus) => {
    for (const attemptCount of [1, 14, 99])
      expect(verdictOf(answered(httpStatus), attemptCount)).toEqual({
        status: 'delivered',
        statement: { status: 'delivered', detail: { httpStatus } },
      });
  });

  test.each([100, 199, 300, 301, 304, 307, 400, 401, 404, 409, 411, 499, 500, 502, 599])(
    '%i: failed, and tried again',
    (status) => {
      expect(verdictOf(answered(status), 1)).toEqual({
        status: 'failed',
        statement: rejected(status),
        waitMs: 1_000,
      });
    },
  );

  test('410: cancelled, and the target wants to hear nothing any more', () => {
    expect(verdictOf(answered(410), 1)).toEqual({
      ...cancelled('delivery.permanent-failure', { httpStatus: 410 }),
      isGone: true,
    });
  });

  test('501: cancelled, this delivery alone', () => {
    expect(verdictOf(answered(501), 1)).toEqual(
      cancelled('delivery.permanent-failure', { httpStatus: 501 }),
    );
  });

  test('none: failed, with the reason why', () => {
    expect(verdictOf(unreachable, 1)).toEqual({
      status: 'failed',
      statement: {
        status: 'failed',
        reason: 'delivery.target-unreachable',
        detail: unreachable.why,
      },
      waitMs: 1_000,
    });
  });
});

describe('a target that asks for patience', () => {
  test.each([429, 503])('with %i waits as long as it asks', (status) => {
    expect(verdictOf(answered(status, 90), 1)).toEqual({
      status: 'failed',
      statement: rejected(status),
      waitMs: 90 * second,
    });
  });

  test('does not wait less than it would anyway', () => {
    expect(verdictOf(answered(429, 0), 1).waitMs).toBe(1_000);
    expect(verdictOf(answered(429, 1), 2).waitMs).toBe(1_200);
    expect(verdictOf(answered(503, 60), 8).waitMs).toBe(5 * minute);
    expect(verdictOf(answered(503), 8).waitMs).toBe(5 * minute);
  });

  test('does not wait for more than a day', () => {
    expect(verdictOf(answered(429, 86_400), 1).waitMs).toBe(24 * hour);
    expect(verdictOf(answered(429, 86_401), 1).waitMs).toBe(24 * hour);
    expect(verdictOf(answered(503, 9_999_999_999), 13).waitMs).toBe(24 * hour);
  });

  test.each([400, 500, 502])('is not heard with %i', (status) => {
    expect(verdictOf(answered(status, 90), 1).waitMs).toBe(1_000);
  });
});

test('a delivery that nobody waits for says why', () => {
  expect(cancelled('delivery.permanent-failure', 'The effect is gone.')).toEqual({
    status: 'cancelled',
    statement: {
      status: 'cancelled',
      reason: 'delivery.permanent-failure',
      detail: 'The effect is gone.',
    },
  });
});

describe('a call to a bridge', () => {
  const last = waitsMs.length;

  test('that its intent waits for goes on once a day after the schedule', () => {
    for (const attemptCount of [last + 1, last + 2, 5_000]) {
      const endless = { isEndless: true };
      expect(verdictOf(unreachable, attemptCount, endless).waitMs).toBe(24 * hour);
      expect(verdictOf(answered(500), attemptCount, endless)).toEqual({
        status: 'failed',
        statement: rejected(500),
        waitMs: 24 * hour,
      });
    }
    expect(verdictOf(answered(500), 1, { isEndless: true }).waitMs).toBe(1_000);
  });

  test('that nothing waits for ends with the schedule', () => {
    expect(verdictOf(answered(500), last, { isEndless: false }).waitMs).toBe(24 * hour);
    expect(verdictOf(answered(500), last + 1, { isEndless: false }).status).toBe('cancelled');
  });

  test.each([true, false])('is refused by 410 like by others, endless or not: %s', (isEndless) => {
    expect(verdictOf(answered(410), 1, { isEndless })).toEqual({
      status: 'failed',
      statement: rejected(410),
      waitMs: 1_000,
    });
  });

  test.each([true, false])('ends with 501, endless or not: %s', (isEndless) => {
    expect(verdictOf(answered(501), 1, { isEndless })).toEqual(
      cancelled('delivery.permanent-failure', { httpStatus: 501 }),
    );
  });
});
