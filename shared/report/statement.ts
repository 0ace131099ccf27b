/**
 * The steps of the statement of a wallet: each appends the next entries to its CSV and JSON, and the last one makes the
 * PDF. The entries of an interval that is over do not change, so a repeated step makes the same. Ruling 84.
 */

import { timeOfLuid } from '../crypto/luid.ts';
import { bookedOf } from '../ledger/book.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { intervalOf, type StatementSubject } from '../ledger/report.ts';
import { digitCountOf } from '../ledger/statement.ts';
import {
  closingCsvOf,
  closingJsonOf,
  entryCsvOf,
  entryJsonOf,
  openingCsvOf,
  openingJsonOf,
  type StatementHead,
  signedAmountOf,
} from '../ledger/wallet-statement.ts';
import type { Services } from '../port/action.ts';
import type { BookName, BookPage, BookRow, BookStretch } from '../port/books.ts';
import { noAsset, type ReportWork, type StoredAsset } from '../port/reports.ts';
import { momentOf } from '../record/sign.ts';
import { tenureMsOf } from '../record/tenure.ts';
import type { Extended } from './balances.ts';
import { storeText } from './chunks.ts';
import { type StatementRow, statementPdf } from './statement-pdf.ts';

/** The entries of a step. */
const stepLength = 1_000;
/** The entries of a PDF, about 140 pages. A longer statement has CSV and JSON alone. Decision 94. */
const pdfRowCountMax = 5_000;

/** The statement of a `rejected` report. */
interface Rejected {
  readonly reason: string;
  readonly detail: string;
}

/** A statement that is written. */
interface StatementBook {
  readonly name: BookName;
  readonly head: StatementHead;
  readonly stretch: Pick<BookStretch, 'sinceMs' | 'untilMs' | 'isMovesOnly'>;
}

/** Appends the next entries to the assets; the reason when the wallet is no longer there. */
export async function statementExtended(
  services: Services,
  record: LedgerRecord,
  subject: StatementSubject,
  work: ReportWork,
): Promise<Extended | Rejected> {
  const book = await bookFor(services, record, subject, work);
  if ('reason' in book) return book;
  const { progress } = work;
  const { place } = progress;
  const page = await services.books.page(book.name, {
    ...book.stretch,
    limit: stepLength,
    ...(place !== undefined && { after: place }),
  });
  const isWhole = page.next === undefined;
  const entries = progress.intents + page.rows.length;
  const { csv, json } = textsOf(book.head, page, {
    entries: progress.intents,
    isFirst: place === undefined,
  });
  const after = page.next ?? place;
  const append = (asset: 'csv' | 'json', text: string) =>
    storeText(services.reports, { ...nameOf(work), asset }, progress[asset], text);
  const hasPdf = isWhole && entries <= pdfRowCountMax;
  return {
    progress: {
      ...(after !== undefined && { place: after }),
      intents: entries,
      csv: await append('csv', csv),
      json: await append('json', json),
      ...(hasPdf && { pdf: await storePdf(services, record, book, subject, work) }),
    },
    isWhole,
  };
}

function nameOf({ scope, luid }: ReportWork) {
  return { scope, luid };
}

/**
 * The book of the statement. A handle may have another wallet by now, about which the author of the report had no right
 * to ask.
 */
async function bookFor(
  { store }: Services,
  { luid, data }: LedgerRecord,
  { wallet, symbol }: StatementSubject,
  { scope }: ReportWork,
): Promise<StatementBook | Rejected> {
  const [found, unit] = await store.load([
    { what: 'record', scope, kind: 'wallet', handle: wallet },
    { what: 'record', scope, kind: 'symbol', handle: symbol },
  ]);
  const bornMs = found ? await tenureMsOf(store, scope, found) : Number.POSITIVE_INFINITY;
  if (!found || !unit || bornMs > timeOfLuid(luid))
    return {
      reason: 'report.wallet-gone',
      detail: `The wallet ${wallet} of this report is no longer there.`,
    };
  const { startMs, endMs } = intervalOf(data);
  // An interval before the wallet had its handle lies behind all of an earlier one, which ended with nothing. Ruling 81.
  const sinceMs = Math.max(startMs, bornMs);
  return {
    name: { scope, wallet, symbol },
    head: {
      ...{ wallet, symbol, factor: Number(unit.record.data['factor']) },
      start: momentOf(startMs),
      end: momentOf(endMs),
    },
    stretch: {
      sinceMs,
      untilMs: Math.max(endMs, sinceMs) - 1,
      isMovesOnly: true,
    },
  };
}

/** The texts of a page; the first has the opening balance, and the last one the closing balance. */
function textsOf(
  head: StatementHead,
  { opening, closing, rows, next }: BookPage,
  { entries, isFirst }: { readonly entries: number; readonly isFirst: boolean },
): { csv: string; json: string } {
  const lines = rows.map(lineOf);
  const objects = lines.map((line, index) => {
    return `${entries + index > 0 ? ',\n' : '\n'}${entryJsonOf(head, line)}`;
  });
  const isWhole = next === undefined;
  const [before, after] = [bookedOf(opening), bookedOf(closing)];
  const csv = lines.map((line) => entryCsvOf(head, line)).join('');
  return {
    csv: `${isFirst ? openingCsvOf(head, before) : ''}${csv}${isWhole ? closingCsvOf(head, after) : ''}`,
    json: `${isFirst ? openingJsonOf(head, before) : ''}${objects.join('')}${isWhole ? closingJsonOf(after) : ''}`,
  };
}

function lineOf({ entry, totals }: BookRow) {
  return { entry, balance: bookedOf(totals) };
}

/** Reads the whole book again and stores its PDF, in base64. */
async function storePdf(
  { books, reports }: Services,
  record: LedgerRecord,
  { name, head, stretch }: StatementBook,
  { letterhead }: StatementSubject,
  work: ReportWork,
): Promise<StoredAsset> {
  const rows: StatementRow[] = [];
  let page: BookPage | undefined;
  do {
    const after = page?.next === undefined ? {} : { after: page.next };
    page = await books.page(name, { ...stretch, limit: stepLength, ...after });
    rows.push(...page.rows.map(rowOf));
  } while (page.next !== undefined);
  const { wallet, symbol, factor, start, end } = head;
  const bytes = await statementPdf({
    ...{ ledger: work.scope, report: record.data.handle, wallet, symbol, start, end },
    digits: digitCountOf(factor),
    opening: bookedOf(page.opening),
    closing: bookedOf(page.closing),
    ...{ rows, letterhead },
  });
  const text = Buffer.from(bytes).toString('base64');
  return storeText(reports, { ...nameOf(work), asset: 'pdf' }, noAsset, text);
}

function rowOf({ entry, totals }: BookRow): StatementRow {
  const { moment, intent, counterparty = '' } = entry;
  return {
    ...{ moment, intent: intent.handle, counterparty },
    ...{ amount: signedAmountOf(entry), balance: bookedOf(totals) },
  };
}
