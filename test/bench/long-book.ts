/** A wallet with a long book, written as the relay does but in batches, and the cost of reading it. */
import { balances } from '../../shared/action/balances.ts';
import { entries } from '../../shared/action/entries.ts';
import { luidMaker } from '../../shared/crypto/luid.ts';
import { type BookEntry, type BookTotals, noTotals, totalsWith } from '../../shared/ledger/book.ts';
import type { Query } from '../../shared/ledger/query.ts';
import type { Action, Call } from '../../shared/port/action.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import { totalEvery } from '../../shared/store/books.ts';
import { balanceKeyOf, bookKeyOf, bookPlaceOf } from '../../shared/store/keys.ts';
import { packEntry, packTotals } from '../../shared/store/pack-book.ts';
import type { Item, Table } from '../../shared/store/request.ts';
import { writeAll } from '../../shared/store/write-all.ts';
import { newLuid } from '../fixture/version.ts';
import { fixed, tableOf } from './print.ts';

const chunkLength = 5_000;
/** Readings before those that count, and those that do. */
const [warmCount, count] = [5, 10];

/** The wallet, and the time of its first entry, in milliseconds. Each entry takes one. */
interface LongBook {
  readonly scope: string;
  readonly wallet: string;
  readonly walletLuid: string;
  readonly startMs: number;
  readonly length: number;
}

/** Writes the entries and running totals of a book, and the balance that has it. */
export async function writeLongBook(table: Table, book: LongBook): Promise<void> {
  const { scope, wallet, walletLuid, startMs, length } = book;
  const name = { scope, wallet, symbol: 'usd' };
  const luidOf = luidMaker();
  let totals: BookTotals = noTotals;
  let place = '';
  for (let first = 0; first < length; first += chunkLength) {
    const puts: Item[] = [];
    for (let index = first; index < Math.min(length, first + chunkLength); index += 1) {
      const entry = entryOf(name.wallet, startMs + index, luidOf('int', startMs + index));
      totals = totalsWith(totals, entry);
      puts.push(packEntry(name, entry));
      if ((index + 1) % totalEvery !== 0) continue;
      place = bookPlaceOf(entry);
      puts.push(packTotals(name, place, totals));
    }
    await writeAll(table, { puts }, performance.now() + 60_000);
  }
  const state = { ...bookKeyOf(name), totaled: place, closed: `${place.slice(0, 8)}~` };
  const available = totals.credits - totals.debits;
  const row = { luid: newLuid('bal'), wallet: walletLuid, available, moves: BigInt(length) };
  const balance = { ...balanceKeyOf(scope, wallet, 'usd'), ...row };
  await writeAll(table, { puts: [state, balance] }, performance.now() + 60_000);
}

function entryOf(wallet: string, ms: number, luid: string): BookEntry {
  const isCredit = ms % 3 !== 0;
  return {
    ...{ wallet, symbol: 'usd', schema: isCredit ? 'credit' : 'debit', amount: 1_500n },
    ...{ moment: new Date(ms).toISOString(), intent: { handle: `payment-${ms}`, luid } },
    ...{ number: 2_000, inputs: [0], counterparty: 'shop:1234@bank.example' },
    handle: `${isCredit ? 'cre' : 'deb'}_${luid.slice(5)}`,
  };
}

/** What the readings cost: requests, read units and CPU of one of them. */
export async function longBookText(
  { services, ledger }: Pick<Call, 'services' | 'ledger'>,
  cost: { requests: number; readUnits: number; writes: number; writeUnits: number },
  { wallet, startMs, length }: LongBook,
): Promise<string> {
  const at = (share: number) => [new Date(startMs + Math.floor(length * share)).toISOString()];
  const page = { symbol: ['usd'], 'page.limit': ['100'] };
  const questions: readonly (readonly [string, Action, Query])[] = [
    ['balances at a moment in the middle', balances, { moment: at(0.5) }],
    ['the first 100 entries of all', entries, page],
    ['100 entries from the middle on', entries, { ...page, from: at(0.5), to: at(0.9) }],
    ['the same with what was reserved', entries, { ...page, from: at(0.5), include: ['holds'] }],
  ];
  const rows: string[][] = [];
  for (const [name, action, query] of questions) {
    let cpuMs = 0;
    for (let round = 0; round < warmCount + count; round += 1) {
      Object.assign(cost, { requests: 0, readUnits: 0, writes: 0, writeUnits: 0 });
      const start = process.cpuUsage();
      const work = newWork(services);
      const path = { id: wallet };
      await action.run({ services, ledger, path, query, body: undefined, work });
      const { user, system } = process.cpuUsage(start);
      if (round >= warmCount) cpuMs += (user + system) / 1_000 / count;
    }
    const { requests, readUnits, writes, writeUnits } = cost;
    const counts = [requests - writes, readUnits, writes, writeUnits].map((one) => fixed(one, 0));
    rows.push([name, ...counts, fixed(cpuMs, 1)]);
  }
  const columns = ['', 'reads', 'read units', 'writes', 'write units', 'CPU ms'];
  return `What a wallet with ${length} entries costs\n\n${tableOf(columns, rows)}`;
}
