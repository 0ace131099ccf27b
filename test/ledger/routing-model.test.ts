/** Routing over random ledgers, whose wallets lead anywhere, in circles too. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hopCountMax } from '../../shared/ledger/landing.ts';
import { movesOfIntents } from '../../shared/ledger/net-move.ts';
import { threadSizeMax } from '../../shared/ledger/routing.ts';
import { runs } from '../fixture/runs.ts';
import { naiveLinesOf } from './naive-routing.ts';
import { claimLists, houses, linesOf, talkOf, walletsOf } from './routes.ts';

const often = { numRuns: runs(800) };

test('routing ends as if it were done by hand, whatever is known when', () => {
  const ends = new Map<string, number>();
  fc.assert(
    fc.property(houses, claimLists, (all, claims) => {
      const wallets = walletsOf(all);
      const lines = linesOf(talkOf(wallets, { claims }));
      const end = typeof lines === 'string' ? lines.split(':')[0] : lines;
      expect(end).toEqual(naiveLinesOf(wallets, claims));
      const name = typeof end === 'string' ? end : `${lines.length > 1 ? 'several' : 'one'}`;
      ends.set(name, (ends.get(name) ?? 0) + 1);
    }),
    often,
  );
  // Every end was met, so that nothing was compared with nothing.
  expect([...ends.keys()].sort()).toEqual([
    'core.routing-failed',
    'core.source-invalid',
    'core.target-invalid',
    'core.thread-size-exceeded',
    'one',
    'several',
  ]);
});

test('a thread neither makes nor loses anything, claim by claim and symbol by symbol', () => {
  fc.assert(
    fc.property(houses, claimLists, (all, claims) => {
      const { routing } = talkOf(walletsOf(all), { claims });
      if (routing.is !== 'routed') return;
      for (const { claims: own, entries } of routing.thread)
        for (const index of own.keys()) {
          const sides = entries.filter(({ inputs }) => inputs[0] === index);
          expect(sides.map(({ schema }) => schema)).toEqual(['debit', 'credit']);
          expect(sides.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
          expect(new Set(sides.map(({ symbol }) => symbol)).size).toBe(1);
        }
    }),
    often,
  );
});

test('what is forwarded leaves a wallet that an intent before it has credited with the same', () => {
  fc.assert(
    fc.property(houses, claimLists, (all, claims) => {
      const { routing } = talkOf(walletsOf(all), { claims });
      if (routing.is !== 'routed') return;
      expect(routing.thread.length).toBeLessThanOrEqual(threadSizeMax);
      for (const [index, { entries, from }] of routing.thread.entries()) {
        expect(from === undefined).toBe(index === 0);
        if (from === undefined) continue;
        expect(from).toBeLessThan(index);
        const [debit] = entries;
        const credited = routing.thread[from]?.entries.filter(({ amount }) => amount > 0n);
        expect(
          credited?.map(({ holder, symbol, amount }) => ({ holder, symbol, amount })),
        ).toContainEqual({
          ...{ holder: debit?.holder, symbol: debit?.symbol, amount: -(debit?.amount ?? 0n) },
        });
      }
    }),
    often,
  );
});

test('a thread reserves what its first intent takes: credits on the way cover the rest', () => {
  let count = 0;
  fc.assert(
    fc.property(houses, claimLists, (all, claims) => {
      const { routing } = talkOf(walletsOf(all), { claims });
      if (routing.is !== 'routed') return;
      const needsOf = (intents: typeof routing.thread) =>
        movesOfIntents(intents)
          .filter(({ needs }) => needs > 0n)
          .map(({ wallet, symbol, needs }) => [wallet, symbol, needs]);
      expect(needsOf(routing.thread)).toEqual(needsOf(routing.thread.slice(0, 1)));
      if (routing.thread.length > 1 && needsOf(routing.thread).length > 0) count += 1;
    }),
    often,
  );
  expect(count).toBeGreaterThan(0);
});

test('a question is asked at most once for each wallet on the longest way, and for nothing twice', () => {
  fc.assert(
    fc.property(houses, claimLists, (all, claims) => {
      const { rounds } = talkOf(walletsOf(all), { claims });
      expect(rounds.length).toBeLessThanOrEqual(1 + threadSizeMax * (hopCountMax + 1));
      expect(new Set(rounds.flat()).size).toBe(rounds.flat().length);
    }),
    often,
  );
});
