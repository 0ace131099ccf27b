import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entriesOf } from '../../shared/ledger/balance.ts';
import type { Limit, Limits } from '../../shared/ledger/limit.ts';
import {
  type Counters,
  counted,
  givenBack,
  talliesOf,
  tallyAt,
} from '../../shared/ledger/window.ts';
import { claimLists } from './claims.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const startMs = Date.parse('2026-03-01T00:00:00.000Z');
const at = (ms: number) => new Date(startMs + ms).toISOString();

function limitSince(ms: number): Limit {
  const moment = at(ms);
  return { luid: '$lmt.1', amount: 5, moment, since: moment, intent: '$int.1' };
}
const both: Limits = { dailyCount: limitSince(0), dailyAmount: limitSince(0) };
const one = { count: 1, amount: 7n };

describe('a transfer', () => {
  test('counts for 24 hours, and for no more than 15 minutes beyond', () => {
    for (const ms of [0, 1, 14 * minuteMs, 15 * minuteMs - 1]) {
      const counters = counted([], both, one, at(ms));
      for (const laterMs of [0, 1, dayMs - 1])
        expect(tallyAt(counters, at(ms + laterMs))).toEqual(one);
      expect(tallyAt(counters, at(ms + dayMs + 15 * minuteMs))).toEqual({ count: 0, amount: 0n });
    }
  });

  test('is counted only for what is limited', () => {
    const counts = (limits: Limits) => tallyAt(counted([], limits, one, at(1)), at(1));
    expect(counts({ dailyCount: limitSince(0) })).toEqual({ count: 1, amount: 0n });
    expect(counts({ dailyAmount: limitSince(0) })).toEqual({ count: 0, amount: 7n });
    const counters: Counters = [];
    expect(counted(counters, { maxBalance: limitSince(0) }, one, at(1))).toBe(counters);
    expect(counted(counters, both, { count: 0, amount: 0n }, at(1))).toBe(counters);
  });

  test('is given back where it was counted, and only there', () => {
    const first = counted([], both, one, at(1));
    const second = counted(first, both, one, at(dayMs / 2));
    const back = { reservedAt: at(1), moment: at(dayMs / 2) };
    const rest = givenBack(second, both, one, back);
    expect(rest).toEqual(counted([], both, one, at(dayMs / 2)));
    expect(givenBack(rest, both, one, back)).toBe(rest);
    const partly = givenBack(second, both, { count: 0, amount: 2n }, back);
    expect(tallyAt(partly, at(dayMs / 2))).toEqual({ count: 2, amount: 12n });
  });

  test('is not given back for a limit that it was not counted for', () => {
    const limits: Limits = { dailyCount: limitSince(0), dailyAmount: limitSince(5) };
    const counters = counted([], both, one, at(5));
    const back = (reservedMs: number) =>
      givenBack(counters, limits, one, { reservedAt: at(reservedMs), moment: at(9) });
    expect(back(0)).toBe(counters);
    expect(tallyAt(back(5), at(9))).toEqual({ count: 0, amount: 7n });
    expect(back(6)).toEqual([]);
  });

  test('is never given back below nothing', () => {
    const counters = counted([], both, one, at(1));
    const back = { reservedAt: at(2), moment: at(3) };
    expect(givenBack(counters, both, { count: 5, amount: 5n }, back)).toMatchObject([
      { count: 0, amount: 2n },
    ]);
  });
});

test('at most 97 quarters are kept, the oldest first', () => {
  let counters: Counters = [];
  for (let ms = 0; ms < 3 * dayMs; ms += 5 * minuteMs)
    counters = counted(counters, both, one, at(ms));
  expect(counters).toHaveLength(97);
  expect(counters.map(({ quarter }) => quarter)).toEqual(
    counters.map(({ quarter }) => quarter).toSorted((left, right) => left - right),
  );
  expect(tallyAt(counters, at(3 * dayMs - 5 * minuteMs)).count).toBe(97 * 3);
});

test('transfers count on each side, and claims of other actions on none', () => {
  fc.assert(
    fc.property(claimLists, (claims) => {
      const tallies = [...talliesOf(claims, claims.flatMap(entriesOf)).values()];
      const transfers = claims.filter(({ action }) => action === 'transfer');
      expect(tallies.reduce((sum, { count }) => sum + count, 0)).toBe(2 * transfers.length);
      const amounts = transfers.map(({ amount }) => 2n * BigInt(amount));
      expect(tallies.reduce((sum, { amount }) => sum + amount, 0n)).toBe(
        amounts.reduce((sum, amount) => sum + amount, 0n),
      );
    }),
  );
});

test('an entry that a bridge has as one counts for each of its claims', () => {
  const claim = { action: 'transfer', source: 'a', target: 'b', symbol: 'usd', amount: 2 } as const;
  const [debit] = entriesOf(claim, 0);
  const grouped = debit && [{ ...debit, amount: -4n, inputs: [0, 1] }];
  expect(talliesOf([claim, claim], grouped ?? []).get('a usd')).toEqual({ count: 2, amount: 4n });
});

test('what counts is between the exact 24 hours and a quarter of an hour more', () => {
  const times = fc.array(fc.integer({ min: 0, max: 4 * 24 * 60 }), { maxLength: 60 });
  fc.assert(
    fc.property(times, fc.integer({ min: 0, max: 6 * 24 * 60 }), (minutes, more) => {
      const past = minutes
        .toSorted((left, right) => left - right)
        .map((minute) => minute * minuteMs);
      const counters = past.reduce<Counters>((all, ms) => counted(all, both, one, at(ms)), []);
      const nowMs = (past.at(-1) ?? 0) + more * minuteMs;
      const within = (ms: number) => past.filter((then) => then > nowMs - ms).length;
      const { count, amount } = tallyAt(counters, at(nowMs));
      expect(count).toBeGreaterThanOrEqual(within(dayMs));
      expect(count).toBeLessThanOrEqual(within(dayMs + 15 * minuteMs));
      expect(amount).toBe(BigInt(count) * 7n);
    }),
  );
});
