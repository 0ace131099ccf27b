import { expect, test } from 'vitest';
import { noTotals } from '../../shared/ledger/book.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import {
  partsOf,
  type SummedBook,
  sumsOf,
  supplyOf,
  trialBalanceOf,
} from '../../shared/ledger/sum.ts';

const totals = (debits: bigint, credits: bigint, reserved = 0n) => {
  return { debits, credits, reserved, moves: 1, holds: reserved > 0n ? 1 : 0 };
};
const record = (data: object, domain?: string) =>
  ({ data, meta: { ...(domain !== undefined && { domain }) } }) as unknown as LedgerRecord;
const symbol = 'usd';
const books: SummedBook[] = [
  { symbol, totals: totals(100n, 10n) },
  { symbol, wallet: 'a', totals: totals(20n, 60n, 5n), record: record({ schema: 's' }, 'north') },
  { symbol, wallet: 'b', totals: totals(0n, 40n), record: record({ bridge: 'box' }, 'north') },
  { symbol, wallet: 'c', totals: totals(0n, 10n) },
  { symbol, wallet: 'd', totals: noTotals, record: record({}) },
  { symbol: 'eur', wallet: 'a', totals: totals(1n, 0n), record: record({}, 'north') },
];
const sum = (of: string, more: object, debits: bigint, credits: bigint, reserved = 0n) => {
  return { symbol, of, ...more, debits, credits, balance: credits - debits, reserved };
};
const eur = { symbol: 'eur', of: 'wallets', wallets: 1 };
const owed = { debits: 1n, credits: 0n, balance: -1n, reserved: 0n };
const supply = sum('supply', {}, 100n, 10n);
const gone = sum('dropped-wallets', { wallets: 1 }, 0n, 10n);

test.each([
  ['symbol', [{ ...eur, ...owed }, supply, sum('wallets', { wallets: 3 }, 20n, 110n, 5n)]],
  [
    'domain',
    [
      { ...eur, domain: 'north', ...owed },
      supply,
      sum('wallets', { domain: 'north', wallets: 2 }, 20n, 100n, 5n),
      gone,
    ],
  ],
  [
    'schema',
    [
      { ...eur, ...owed },
      supply,
      sum('wallets', { wallets: 1 }, 0n, 40n),
      sum('wallets', { schema: 's', wallets: 1 }, 20n, 60n, 5n),
      gone,
    ],
  ],
] as const)('by %s, books without entries are left out', (group, sums) => {
  expect(sumsOf(books, group)).toEqual(sums);
});

test('all books of a symbol come to zero', () => {
  expect(trialBalanceOf(books.filter((book) => book.symbol === symbol))).toBe(0n);
});

test('a supply is what its book gave and got back, and its parts are those of the wallets', () => {
  expect(supplyOf(symbol, totals(100n, 10n))).toEqual({
    ...{ symbol, issued: 100n, destroyed: 10n, outstanding: 90n },
  });
  const own = books.filter((book) => book.symbol === symbol);
  expect(partsOf(own)).toEqual({ reserved: 5n, atBridges: 40n });
});
