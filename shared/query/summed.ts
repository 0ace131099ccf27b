/**
 * Reads all books of a symbol as they were at one instant, so that they can be summed while intents are stored. A book only
 * ever gains entries of the past moment that is read. Two readings in a row that are equal are therefore both that of
 * one instant between them, and a transaction is in all of its books or in none. Ruling 85, Decision 95.
 */
import type { BookTotals } from '../ledger/book.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { type SummedBook, trialBalanceOf } from '../ledger/sum.ts';
import type { Call } from '../port/action.ts';
import type { BookName } from '../port/books.ts';
import type { Store } from '../port/ports.ts';
import { hadHandleAt } from '../record/tenure.ts';
import { inFairOrder } from './fair-queue.ts';
import { timeLimit } from './search.ts';

/** The books that one request sums. Each is read by a query, twice while intents are stored. */
export const summedCountMax = 2_000;
/** The cost of reading a book, or the past of a wallet, from the budget of the request. */
const unitsPerBook = 100;
/** Books in one read, and names in one page of the list of books. */
const readLength = 200;
const listLength = 1_000;
/** After this time, in milliseconds, nothing is stored any more with an earlier moment. */
const settledMs = 60_000;
const readingCountMax = 8;
const againMs = 50;

/** The books of a symbol at the end of a millisecond. Refuses with `api.request-timeout` more than can be summed. */
export async function summedBooks(
  call: Call,
  symbol: string,
  untilMs: number,
): Promise<SummedBook[]> {
  const check = timeLimit();
  const isSettled = untilMs < call.services.clock() - settledMs;
  let last: string | undefined;
  for (let count = 0; count < readingCountMax; count += 1) {
    check();
    const books = await readBooks(call, symbol, untilMs);
    const print = printOf(books);
    const isBalanced = trialBalanceOf(books) === 0n;
    if (isSettled || (isBalanced && print === last)) return withRecords(call, books, untilMs);
    last = print;
    if (!isBalanced) await pause(againMs * 2 ** count);
  }
  throw new LedgerError(
    'api.request-timeout',
    'Intents are being stored while the balances are summed. A moment a minute ago can be summed.',
  );
}

async function readBooks(call: Call, symbol: string, untilMs: number): Promise<SummedBook[]> {
  const { services, ledger } = call;
  const names = await namesOf(call, symbol);
  const books: SummedBook[] = [];
  for (let first = 0; first < names.length; first += readLength) {
    const some = names.slice(first, first + readLength);
    call.work.pay(some.length * unitsPerBook);
    const totals = await inFairOrder(ledger.handle, () =>
      services.books.totals(ledger.handle, some, untilMs),
    );
    books.push(...some.map(({ wallet }, index) => bookOf(symbol, wallet, totals[index])));
  }
  return books;
}

function bookOf(symbol: string, wallet: string | undefined, totals?: BookTotals): SummedBook {
  return { symbol, ...(wallet !== undefined && { wallet }), totals: totals as BookTotals };
}

/** All books of a symbol. */
async function namesOf({ services, ledger }: Call, symbol: string): Promise<BookName[]> {
  const names: BookName[] = [];
  for (;;) {
    const more = await services.books.listed(ledger.handle, symbol, listLength, names.at(-1));
    names.push(...more);
    if (names.length > summedCountMax) throw tooMany(symbol);
    if (more.length < listLength) return names;
  }
}

/**
 * The books of wallets with the records of these. A dropped wallet has none, also where another one has its handle since:
 * what the book held at the moment was not that one's. Decision 91.
 */
async function withRecords(
  { services, ledger, work }: Call,
  books: readonly SummedBook[],
  untilMs: number,
): Promise<SummedBook[]> {
  const wants = books.flatMap(({ wallet }) =>
    wallet === undefined
      ? []
      : [{ what: 'record', scope: ledger.handle, kind: 'wallet', handle: wallet } as const],
  );
  const found = wants.length > 0 ? await services.store.load(wants) : [];
  const records = new Map<string, LedgerRecord>();
  const past: Store['past'] = (...wanted) => {
    work.pay(unitsPerBook);
    return services.store.past(...wanted);
  };
  for (const [index, { handle }] of wants.entries()) {
    const version = found[index];
    if (version && (await hadHandleAt({ past }, ledger.handle, version, untilMs)))
      records.set(handle, version.record);
  }
  return books.map((book) => {
    const record = book.wallet === undefined ? undefined : records.get(book.wallet);
    return record ? { ...book, record } : book;
  });
}

function printOf(books: readonly SummedBook[]): string {
  return books
    .map(({ wallet, totals: { debits, credits, reserved, moves, holds } }) =>
      [wallet, debits, credits, reserved, moves, holds].join(' '),
    )
    .join('\n');
}

/** The error for a symbol whose books are more than a request can sum. */
export class TooManyBooks extends LedgerError {}

function tooMany(symbol: string): TooManyBooks {
  return new TooManyBooks(
    'api.request-timeout',
    `The symbol ${symbol} has more than ${summedCountMax} balances, which no request can sum. ` +
      '`GET /balances` lists them page by page, and `GET /symbols/{id}/supply` has what was issued and destroyed.',
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
