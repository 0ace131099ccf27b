/**
 * Paging of lists, by page number or by cursor. A cursor names the row to continue after, so that new rows do not
 * shift later pages. It is neither a secret nor a permission: the rows behind it are checked like those of any
 * page. Decision 84.
 */

import { lengthOf } from '../ledger/budget.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Query } from '../ledger/query.ts';
import type { Answer, Call } from '../port/action.ts';
import type { Page } from '../port/ports.ts';
import { momentOf, printed, printedList, signed } from '../record/sign.ts';
import { answerBytesMax, fittingCount } from './answer-size.ts';

export const pageLimitDefault = 20;
export const pageLimitMax = 100;
export const pageIndexMax = 1_000_000_000;
const cursorName = 'page.cursor';

/**
 * The parameters of every list, beside filters and search. The public client repeats its `authParams` in the query of
 * a list; they are ignored.
 */
export const pageNames = ['page.index', 'page.limit', cursorName, 'authParams.'];

/** The formats of cursors, by the order of the list. */
export const cursors = {
  /** The sort key of a record in the list of its kind. */
  place: /^[-\w]{8}\$[a-z]{3}\.[-\w]{17}$/,
  /** A moment and a luid. */
  moment: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \$[a-z]{3}\.[-\w]{17}$/,
  luid: /^\$[a-z]{3}\.[-\w]{17}$/,
  /** The place of an entry in its book. */
  entry: /^[-\w]{8}\$int\.[-\w]{17}#\d{4}$/,
  /** The place of a wallet; of one with further rows that of the wallet before, if any, its own, and its last row. */
  balance:
    /^[-\w]{8}\$wlt\.[-\w]{17}$|^(?:[-\w]{8}\$wlt\.[-\w]{17})?#[-\w]{8}\$wlt\.[-\w]{17}#[-\w+.:@]{1,256}#(?:available|reserved)$/,
  /** A balance or a limit of a wallet: its symbol, and what it is of it. */
  row: /^[-\w+.:@]{1,256}#[A-Za-z]{1,16}$/,
  /** A number of rows, or of a change. */
  count: /^\d{1,10}$/,
} as const;

/** The page that a query asks for. */
export interface PageQuery extends Page {
  /** The row to continue after; absent at the beginning, and for a page by number. */
  readonly after?: string;
  /** True for a page by cursor. */
  readonly isByCursor: boolean;
}

/** The way in which rows become an answer. */
export interface ListFormat<Row> {
  /** The cursor to continue after a row. */
  readonly cursorOf: (row: Row, index: number) => string;
  /** The number of all rows, where it is known. */
  readonly total?: number;
  /** True to state the moment of the answer. */
  readonly isDated?: boolean;
  /** The cursor behind all rows, or nothing where they end the list; absent where that is not known. */
  readonly end?: { readonly next?: string };
  /** Members of `meta` beside the proofs. */
  readonly more?: object;
}

/** Reads the page parameters of a query; refuses with `api.query-malformed`. */
export function parsePage(query: Query, form: RegExp = cursors.count): PageQuery {
  const limit = parseCount(query, 'page.limit', pageLimitDefault, 1, pageLimitMax);
  const index = parseCount(query, 'page.index', 0, 0, pageIndexMax);
  const written = query[cursorName];
  if (written === undefined) return { index, limit, isByCursor: false };
  const [text = '', ...more] = written;
  const after = Buffer.from(text, 'base64url').toString();
  const isOurs = text === '' || (textOf(after) === text && form.test(after));
  if (more.length > 0 || !isOurs)
    throw malformed(cursorName, `must be one cursor, as a page of this list has answered it.`);
  if (index > 0) throw malformed(cursorName, `stands in place of 'page.index'.`);
  return { index, limit, isByCursor: true, ...(text !== '' && { after }) };
}

/** The number of rows before a page, in a list that is counted. */
export function startOf({ index, limit, after }: PageQuery): number {
  return after === undefined ? index * limit : Number(after);
}

/** The number of rows before a page, in a list of few rows whose cursors are their names, in the order of these. */
export function startBehind(
  { index, limit, after }: Pick<PageQuery, 'index' | 'limit' | 'after'>,
  names: readonly string[],
): number {
  return after === undefined ? index * limit : names.filter((name) => name <= after).length;
}

/** Returns a function that is true once the rows given to it exceed the size of an answer. */
export function fillingOf(): (row: unknown) => boolean {
  let length = 0;
  return (row) => {
    length += lengthOf(row);
    return length > answerBytesMax;
  };
}

/**
 * Answers a page with as many rows as fit. `page.next` is set when the page ended early for want of room, and for
 * pages by cursor unless it is the last.
 */
export function listAnswer<Row>(
  call: Call,
  rows: readonly Row[],
  { index, limit, isByCursor }: PageQuery,
  { cursorOf, total, isDated = false, end, more }: ListFormat<Row>,
): Answer {
  const nowMs = call.services.clock();
  const texts = rows.map((row) => printed(row));
  const count = fittingCount(texts);
  const shown = rows.slice(0, count);
  const last = shown.at(-1);
  const isCut = shown.length < rows.length;
  const goesOn = isCut || (!end && isByCursor && shown.length === limit);
  const own = last !== undefined && goesOn ? cursorOf(last, shown.length - 1) : end?.next;
  const next = own === undefined ? {} : { next: textOf(own) };
  const page = { index, limit, ...(total !== undefined && { total }), ...next };
  const { hash, data, meta } = signed(
    call.ledger,
    shown,
    nowMs,
    printedList(texts.slice(0, count)),
  );
  const moment = isDated ? { moment: momentOf(nowMs) } : {};
  return { status: 200, body: { hash, data, page, meta: { ...meta, ...moment, ...more } } };
}

function textOf(cursor: string): string {
  return Buffer.from(cursor).toString('base64url');
}

function parseCount(query: Query, name: string, unset: number, min: number, max: number): number {
  const values = query[name];
  if (!values) return unset;
  const [text = '', ...more] = values;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (more.length > 0 || !(value >= min && value <= max))
    throw malformed(name, `must be one whole number from ${min} to ${max}.`);
  return value;
}

function malformed(name: string, why: string): LedgerError {
  return new LedgerError('api.query-malformed', `Query parameter '${name}' ${why}`, {
    parameter: name,
  });
}
