/**
 * The opening and closing balances of a report of intents: a row for each book, after the intents were written. The
 * balances of moments that are over do not change, so a repeated step makes the same. Ruling 84.
 */

import { type BookTotals, bookedOf } from '../ledger/book.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { intervalOf } from '../ledger/report.ts';
import { type BookPeriod, balancesHeader, balancesRowOf } from '../ledger/statement.ts';
import type { Services } from '../port/action.ts';
import type { BookName } from '../port/books.ts';
import { noAsset, type ReportProgress, type ReportWork } from '../port/reports.ts';
import { reachesIn } from '../record/lineage.ts';
import { tenureMsOf } from '../record/tenure.ts';
import { storeText } from './chunks.ts';

/** The progress after a step. */
export interface Extended {
  readonly progress: ReportProgress;
  /** True when nothing is left. */
  readonly isWhole: boolean;
}

/** A book with the first millisecond from which it is that of a wallet that the report covers. */
interface NearBook {
  readonly name: BookName;
  readonly sinceMs: number;
}

/** The books of a step, and the symbols in one read. */
const stepLength = 200;
const symbolPage = 100;
/** After so many failed attempts a report is completed without balances, as for a ledger whose books were not made. */
const failureCountMax = 5;

/** Appends the next balances. The report is whole when there are none. */
export async function balancesExtended(
  services: Services,
  record: LedgerRecord,
  work: ReportWork,
  progress: ReportProgress,
): Promise<Extended> {
  try {
    return await extended(services, record, work, progress);
  } catch (error) {
    const isBehind = error instanceof LedgerError && error.reason === 'api.request-timeout';
    if (!isBehind || work.failures < failureCountMax) throw error;
    const { balances: _, ...rest } = progress;
    return { progress: rest, isWhole: true };
  }
}

async function extended(
  services: Services,
  { data, meta }: LedgerRecord,
  { scope, luid }: ReportWork,
  progress: ReportProgress,
): Promise<Extended> {
  const { reports, books } = services;
  const { startMs, endMs } = intervalOf(data);
  const factors = await factorsIn(services, scope);
  const { names, next } = await namesAfter(services, scope, [...factors.keys()], progress.book);
  const reached = await nearOf(services, scope, meta.domain, names);
  const near = reached.filter(({ sinceMs }) => sinceMs < endMs);
  const [before, after] = await Promise.all([
    totalsBefore(books, scope, near, startMs),
    books.totals(
      scope,
      near.map(({ name }) => name),
      endMs - 1,
    ),
  ]);
  const rows = near.flatMap(({ name: { wallet, symbol }, sinceMs }, index) => {
    const [opening, closing] = [before[index], after[index]];
    const earlier = sinceMs > startMs ? (opening?.moves ?? 0) : 0;
    if (!closing || closing.moves === earlier) return [];
    const period: BookPeriod = {
      ...{ wallet, symbol, factor: factors.get(symbol) ?? 1 },
      opening: opening ? bookedOf(opening) : 0n,
      debits: closing.debits - (opening?.debits ?? 0n),
      credits: closing.credits - (opening?.credits ?? 0n),
    };
    return [balancesRowOf(period)];
  });
  const header = progress.balances ? '' : balancesHeader;
  const stored = progress.balances ?? noAsset;
  const name = { scope, luid, asset: 'balances' };
  const balances = await storeText(reports, name, stored, header + rows.join(''));
  const { book: _, ...rest } = progress;
  return {
    progress: { ...rest, balances, ...(next && { book: next }) },
    isWhole: next === undefined,
  };
}

/** The totals of books before an interval, or before they were of their wallets; nothing where that is no moment. */
async function totalsBefore(
  books: Services['books'],
  scope: string,
  near: readonly NearBook[],
  startMs: number,
): Promise<(BookTotals | undefined)[]> {
  const begins = near.map(({ sinceMs }) => Math.max(startMs, sinceMs));
  const found = new Map<BookName, BookTotals>();
  const read = [...new Set(begins)].map(async (begin) => {
    if (begin === 0) return;
    const names = near.flatMap(({ name }, index) => (begins[index] === begin ? name : []));
    const totals = await books.totals(scope, names, begin - 1);
    for (const [index, name] of names.entries()) if (totals[index]) found.set(name, totals[index]);
  });
  await Promise.all(read);
  return near.map(({ name }) => found.get(name));
}

/** The factors of all symbols, in the order of their handles. */
async function factorsIn({ store }: Services, scope: string): Promise<Map<string, number>> {
  const found: [string, number][] = [];
  for (let index = 0; ; index += 1) {
    const page = await store.list(scope, 'symbol', { index, limit: symbolPage });
    found.push(
      ...page.map(({ record }): [string, number] => [
        record.data.handle,
        Number(record.data['factor']),
      ]),
    );
    if (page.length < symbolPage) break;
  }
  return new Map(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The next books, symbol by symbol; `next` is the last of them, unless all were listed. */
async function namesAfter(
  { books }: Services,
  scope: string,
  symbols: readonly string[],
  last: ReportProgress['book'],
): Promise<{ names: BookName[]; next?: BookName }> {
  const names: BookName[] = [];
  for (const symbol of symbols.filter((one) => !last || one >= last.symbol)) {
    const after = last?.symbol === symbol ? { scope, ...last } : undefined;
    names.push(...(await books.listed(scope, symbol, stepLength - names.length, after)));
    const next = names.at(-1);
    if (next && names.length === stepLength) return { names, next };
  }
  return { names };
}

/**
 * The books of wallets that the domain of the report reaches, each since its wallet has the handle: an earlier wallet of it
 * may have lain elsewhere. Without a domain all of them, supplies too, so that they come to zero. Ruling 70, Decision 91.
 */
async function nearOf(
  { store }: Services,
  scope: string,
  made: string | undefined,
  names: readonly BookName[],
): Promise<readonly NearBook[]> {
  if (made === undefined) return names.map((name) => ({ name, sinceMs: 0 }));
  const wallets = names.flatMap(({ wallet }) => wallet ?? []);
  const wants = wallets.map(
    (handle) => ({ what: 'record', scope, kind: 'wallet', handle }) as const,
  );
  const found = wants.length > 0 ? await store.load(wants) : [];
  const tenures = await Promise.all(
    found.map(async (one) => {
      const isNear = one && (await reachesIn({ store }, scope, made, one.record.meta.domain));
      return isNear ? await tenureMsOf(store, scope, one) : undefined;
    }),
  );
  const since = new Map(wallets.map((wallet, index) => [wallet, tenures[index]]));
  return names.flatMap((name) => {
    const sinceMs = name.wallet === undefined ? undefined : since.get(name.wallet);
    return sinceMs === undefined ? [] : { name, sinceMs };
  });
}
