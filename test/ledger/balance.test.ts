import fc from 'fast-check';
import { expect, test } from 'vitest';
import { balanceKeyOf, type Entry, entriesOf, volumesOf } from '../../shared/ledger/balance.ts';
import { claimLists } from './claims.ts';

test('an issue debits the supply and credits the target', () => {
  const claim = { action: 'issue', target: 'alice', symbol: 'usd', amount: 100 } as const;
  expect(entriesOf(claim, 0)).toEqual([
    { schema: 'debit', holder: 'supply', symbol: 'usd', amount: -100n, inputs: [0] },
    { schema: 'credit', holder: { wallet: 'alice' }, symbol: 'usd', amount: 100n, inputs: [0] },
  ]);
});

test('a transfer debits the source and credits the target', () => {
  const claim = {
    action: 'transfer',
    source: { handle: 'alice', custom: { note: 1 } },
    target: { handle: 'bob' },
    symbol: { handle: 'usd' },
    amount: 5,
  } as const;
  expect(entriesOf(claim, 3)).toEqual([
    { schema: 'debit', holder: { wallet: 'alice' }, symbol: 'usd', amount: -5n, inputs: [3] },
    { schema: 'credit', holder: { wallet: 'bob' }, symbol: 'usd', amount: 5n, inputs: [3] },
  ]);
});

test('a destroy debits the source and credits the supply', () => {
  const claim = { action: 'destroy', source: 'alice', symbol: 'usd', amount: 1 } as const;
  expect(entriesOf(claim, 1)).toEqual([
    { schema: 'debit', holder: { wallet: 'alice' }, symbol: 'usd', amount: -1n, inputs: [1] },
    { schema: 'credit', holder: 'supply', symbol: 'usd', amount: 1n, inputs: [1] },
  ]);
});

test('the two entries of a claim sum to zero and name it', () => {
  fc.assert(
    fc.property(claimLists, (claims) => {
      for (const [index, claim] of claims.entries()) {
        const [debit, credit] = entriesOf(claim, index) as readonly [Entry, Entry];
        expect(debit.amount + credit.amount).toBe(0n);
        expect(debit.amount).toBe(-BigInt(claim.amount));
        expect([debit.inputs, credit.inputs]).toEqual([[index], [index]]);
      }
    }),
  );
});

test('a limit has no entries', () => {
  const limit = { action: 'limit', wallet: 'alice', symbol: 'usd' } as const;
  expect(entriesOf({ ...limit, metric: 'dailyCount', amount: 3 }, 0)).toEqual([]);
});

test('a turnover sums debits and credits apart', () => {
  const claims = [
    { action: 'issue', target: 'alice', symbol: 'usd', amount: 7 },
    { action: 'transfer', source: 'alice', target: 'bob', symbol: 'usd', amount: 3 },
    { action: 'transfer', source: 'alice', target: 'bob', symbol: 'usd', amount: 2 },
    { action: 'destroy', source: 'alice', symbol: 'eur', amount: 1 },
  ] as const;
  expect([...volumesOf(claims.flatMap(entriesOf))]).toEqual([
    ['alice usd', { wallet: 'alice', symbol: 'usd', debits: 5n, credits: 7n, guarded: 5n }],
    ['bob usd', { wallet: 'bob', symbol: 'usd', debits: 0n, credits: 5n, guarded: 0n }],
    ['alice eur', { wallet: 'alice', symbol: 'eur', debits: 1n, credits: 0n, guarded: 1n }],
  ]);
});

test('a transfer to its own source turns over both ways', () => {
  const claim = {
    action: 'transfer',
    source: 'alice',
    target: 'alice',
    symbol: 'usd',
    amount: 9,
  } as const;
  expect([...volumesOf(entriesOf(claim, 0)).values()]).toEqual([
    { wallet: 'alice', symbol: 'usd', debits: 9n, credits: 9n, guarded: 9n },
  ]);
});

test('no two balances share a cell', () => {
  expect(balanceKeyOf('a', 'b')).not.toBe(balanceKeyOf('b', 'a'));
  expect(balanceKeyOf('a:b@c', 'd')).not.toBe(balanceKeyOf('a:b', 'c@d'));
});
