/**
 * Goal: books that change while they are read are summed as they were at one instant, or not at all; and what is more
 * than a request can sum is refused by name. Ruling 85, Decision 95.
 */
import { expect, test } from 'vitest';
import { supply } from '../../shared/action/supply.ts';
import { totals } from '../../shared/action/totals.ts';
import { type BookTotals, noTotals } from '../../shared/ledger/book.ts';
import type { Call } from '../../shared/port/action.ts';
import type { BookName, Books } from '../../shared/port/books.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import { summedBooks } from '../../shared/query/summed.ts';
import { openDesk } from '../fixture/desk.ts';

const symbol = 'usd';
const wallets = ['a', 'b', 'c'];

/** A call whose books have these balances at each reading, by wallet and with '' for the supply. */
async function callWith(readings: readonly Readonly<Record<string, number>>[], count = 0) {
  const desk = await openDesk();
  const ledger = await desk.services.identityOf('main');
  if (!ledger) throw new Error('There is no ledger.');
  let reading = -1;
  const totalsOf = ({ wallet = '' }: BookName): BookTotals => {
    const balance = BigInt(readings[Math.min(reading, readings.length - 1)]?.[wallet] ?? 0);
    const [debits, credits] = balance < 0n ? [-balance, 0n] : [0n, balance];
    return { ...noTotals, debits, credits, moves: 1 };
  };
  const named = count > 0 ? Array.from({ length: count }, (_, index) => `w${index}`) : wallets;
  const books: Books = {
    ...desk.services.books,
    totals: async (_, names) => {
      if (names.some(({ wallet }) => wallet === undefined)) reading += 1;
      return names.map(totalsOf);
    },
    listed: async (scope, _, limit, after) => {
      const all: BookName[] = [
        { scope, symbol },
        ...named.map((wallet) => ({ scope, wallet, symbol })),
      ];
      const from = after ? all.findIndex(({ wallet }) => wallet === after.wallet) + 1 : 0;
      return all.slice(from, from + limit);
    },
  };
  const services = { ...desk.services, books };
  const work = newWork(services);
  const call: Call = { services, ledger, path: {}, query: {}, body: undefined, work };
  return { desk, call, readings: () => reading + 1 };
}
const balancesOf = (books: Awaited<ReturnType<typeof summedBooks>>) =>
  books.map(({ totals: { debits, credits } }) => Number(credits - debits));

test('a payment that is seen in one of its books alone is read again', async () => {
  const { call, readings } = await callWith([
    { '': -10, a: 10, b: 0 },
    { '': -10, a: 10, b: 5 },
    { '': -10, a: 5, b: 5 },
  ]);
  expect(balancesOf(await summedBooks(call, symbol, Date.now()))).toEqual([-10, 5, 5, 0]);
  expect(readings()).toBe(4);
});

test('two halves of payments that sum to zero are read again', async () => {
  const { call } = await callWith([
    // One payment is seen where it came from, and another one where it went to.
    { '': -10, a: 5, b: 0, c: 5 },
    { '': -10, a: 5, b: 5, c: 0 },
  ]);
  expect(balancesOf(await summedBooks(call, symbol, Date.now()))).toEqual([-10, 5, 5, 0]);
});

test('books that never come to rest are refused', async () => {
  const readings = Array.from({ length: 9 }, (_, index) => ({ '': -index, a: index }));
  const { call } = await callWith(readings);
  await expect(summedBooks(call, symbol, Date.now())).rejects.toMatchObject({
    reason: 'api.request-timeout',
    detail: expect.stringContaining('Payments are being stored'),
  });
});

test('a moment that is settled is read once, and shown as it is', async () => {
  const { call, readings } = await callWith([{ '': -10, a: 9 }]);
  const books = await summedBooks(call, symbol, Date.now() - 120_000);
  expect([balancesOf(books), readings()]).toEqual([[-10, 9, 0, 0], 1]);
});

test('more balances than a request can sum are refused by name, and leave the supply', async () => {
  const { desk, call } = await callWith([{ '': -10 }], 2_001);
  const refusal = {
    reason: 'api.request-timeout',
    detail: expect.stringContaining('usd has more than 2000'),
  };
  await expect(totals.run({ ...call, query: { symbol: [symbol] } })).rejects.toMatchObject(refusal);
  const { record } = { record: await desk.make('symbol', { handle: symbol, factor: 100 }) };
  const answer = await supply.run({ ...call, path: { id: record.luid } });
  expect((answer.body as { data: object }).data).toEqual({
    ...{ symbol, issued: 10n, destroyed: 0n, outstanding: 10n },
  });
});
