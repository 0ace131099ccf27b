/** A wallet with a long book, written as the relay does but in batches, and the cost of reading it. */
import { balances } from '../../shared/action/balances.ts';
import { entries } from '../../shared/action/entries.ts';
import { luidMaker } from '../../shared/crypto/luid.ts';
import { type BookEntry, type BookTotals, noTotals } from '../../shared/ledger/book.ts';
import type { Query } from '../../shared/ledger/query.ts';
import type { Action, Call } from '../../shared/port/action.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import { balanceKeyOf } from '../../shared/store/keys.ts';
import type { Table } from '../../shared/store/request.ts';
import { writeAll } from '../../shared/store/write-all.ts';
import { newLuid } from '../fixture/version.ts';
import { closedState, writtenEntry, writtenPart } from '../fixture/written-book.ts';
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
  /** The entries that are written together. */
  readonly together: number;
}

/** Writes the entries and running totals of a book, and the balance that has it. */
export async function writeLongBook(table: Table, book: LongBook): Promise<void> {
  const { scope, wallet, walletLuid, startMs, length, together } = book;
  const name = { scope, wallet, symbol: 'usd' };
  const luidOf = luidMaker();
  let totals: BookTotals = noTotals;
  for (let first = 0; first < length; first += chunkLength) {
    const groups: BookEntry[][] = [];
    for (let index = first; index < Math.min(length, first + chunkLength); index += 1) {
      const ms = startMs + index;
      if (index % together === 0) groups.push([]);
      groups.at(-1)?.push(writtenEntry(wallet, ms, luidOf('int', ms)));
    }
    const part = writtenPart(name, groups, totals);
    totals = part.totals;
    await writeAll(table, { puts: part.items }, performance.now() + 60_000);
  }
  const available = totals.credits - totals.debits;
  const row = { luid: newLuid('bal'), wallet: walletLuid, available, moves: BigInt(length) };
  const balance = { ...balanceKeyOf(scope, wallet, 'usd'), ...row };
  const puts = [closedState(name, startMs + length), balance];
  await writeAll(table, { puts }, performance.now() + 60_000);
}

/** What the readings cost: requests, read units and CPU of one of them. */
export async function longBookText(
  { services, ledger }: Pick<Call, 'services' | 'ledger'>,
  cost: { requests: number; readUnits: number; writes: number; writeUnits: number },
  { wallet, startMs, length, together }: LongBook,
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
  const how = together === 1 ? 'each written alone' : `${together} written together`;
  return `What a wallet with ${length} entries costs, ${how}\n\n${tableOf(columns, rows)}`;
}
