import { expect, test } from 'vitest';
import { entriesOf } from '../../shared/ledger/balance.ts';
import { movedBy, movesOfIntents, withSettings } from '../../shared/ledger/net-move.ts';
import type { Claim } from '../../shared/shape/intent.ts';

const transfer = (source: string, target: string, amount: number): Claim => ({
  ...{ action: 'transfer', source, target, symbol: 'usd', amount },
});
const moving = (...claims: readonly Claim[]) => ({ claims, entries: claims.flatMap(entriesOf) });
const setting = { wallet: 'bob', symbol: 'usd', metric: 'dailyCount', amount: 1 } as const;

test('what an intent brings is no part of what it needs, and what it takes makes no room', () => {
  const [alice] = movesOfIntents([
    moving(transfer('alice', 'bob', 9), transfer('bob', 'alice', 4)),
  ]);
  expect(alice).toMatchObject({ amount: -5n, needs: 9n, gives: 9n, room: 4n });
});

test('what one intent brings is there for the next, and takes room until then', () => {
  const [, bob] = movesOfIntents([
    moving(transfer('alice', 'bob', 9)),
    moving(transfer('bob', 'carol', 9), transfer('alice', 'bob', 2)),
  ]);
  expect(bob).toMatchObject({ amount: 2n, needs: 0n, room: 11n });
});

test('the transfers of all intents are counted, and of no other claims', () => {
  const issue: Claim = { action: 'issue', target: 'bob', symbol: 'usd', amount: 50 };
  const moves = movesOfIntents([
    moving(issue, transfer('alice', 'bob', 9)),
    moving(transfer('bob', 'bob', 2)),
  ]);
  expect(moves.map(({ wallet, transfers }) => [wallet, transfers])).toEqual([
    ['bob', { count: 3, amount: 13n }],
    ['alice', { count: 1, amount: 9n }],
  ]);
});

test('only the balances that an intent touches have new moves', () => {
  const first = movedBy(new Map(), moving(transfer('alice', 'bob', 9)));
  const second = movedBy(first, moving(transfer('bob', 'carol', 1)));
  expect([...second.keys()]).toEqual(['bob usd', 'carol usd']);
  expect(first.get('bob usd')?.amount).toBe(9n);
});

test('a limit lies with the move of its balance, or with one that moves nothing', () => {
  const still = { amount: 0n, needs: 0n, room: 0n, isFree: true, transfers: { count: 0 } };
  expect(movesOfIntents([], [setting])).toMatchObject([{ ...still, settings: [setting] }]);
  const both = withSettings(movesOfIntents([moving(transfer('alice', 'bob', 9))]), [
    setting,
    { ...setting, metric: 'maxBalance' },
    { ...setting, symbol: 'eur' },
  ]);
  expect(both.map(({ wallet, symbol, settings }) => [wallet, symbol, settings.length])).toEqual([
    ['alice', 'usd', 0],
    ['bob', 'usd', 2],
    ['bob', 'eur', 1],
  ]);
});
