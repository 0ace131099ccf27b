/**
 * The entries of a balance, oldest first, between its balance before and after them: a statement as data. Ruling 82, Decision 93.
 */
import { toRead } from '../access/required-permission.ts';
import { hashOf } from '../crypto/digest.ts';
import { isHandleText } from '../ledger/address.ts';
import { type BookTotals, bookedOf } from '../ledger/book.ts';
import type { Query } from '../ledger/query.ts';
import type { Action, Call } from '../port/action.ts';
import type { BookName, BookRow } from '../port/books.ts';
import { parseMoment, refusedParameter } from '../query/moment.ts';
import { cursors, listAnswer, type PageQuery, pageNames, parsePage } from '../query/page.ts';
import { byPath } from '../record/find.ts';
import { countersign, momentOf } from '../record/sign.ts';
import { tenureMsOf } from '../record/tenure.ts';
import { heldForAnswer } from './balances.ts';

const requires = toRead('wallet', byPath('wallet'));
const names = ['symbol', 'from', 'to', 'include'];

/** The book of a wallet. */
type WalletBook = BookName & { readonly wallet: string };

/**
 * Lists the entries of the wallet in the path in a symbol, oldest first, each with the balance after it, and the
 * balance before and after them all. Errors: `api.query-malformed` (the page, the symbol, a moment that cannot be read
 * or is in the future, `include`); `auth.unauthorized`, `auth.forbidden`, `record.not-found` (the wallet cannot be
 * read); `api.request-timeout` (the books are not made yet, or trail too far behind).
 */
export const entries: Action = {
  requires,
  query: { names: [...pageNames, ...names] },
  run: async (call) => {
    const page = pageOf(call.query);
    const symbol = symbolOf(call.query);
    const hasHolds = includesHolds(call.query);
    const interval = intervalOf(call);
    const wallet = await requires.allow(call);
    const { services, ledger } = call;
    const bornMs = await tenureMsOf(services.store, ledger.handle, wallet);
    const book = { scope: ledger.handle, wallet: wallet.record.data.handle, symbol };
    const sinceMs = Math.max(bornMs, interval.sinceMs);
    const untilMs = Math.max(sinceMs - 1, interval.untilMs);
    if (untilMs >= sinceMs) await heldForAnswer(call, wallet, untilMs);
    const { opening, closing, rows, next } = await services.books.page(book, {
      ...{ sinceMs, untilMs, limit: page.limit, isMovesOnly: !hasHolds },
      ...(page.after !== undefined && { after: page.after }),
    });
    const items = rows.map((row) => entryOf(call, book, row, hasHolds));
    // An interval from before the wallet had its handle begins no later than it ends.
    const fromMs = Math.min(sinceMs, interval.untilMs + 1);
    const ends = {
      opening: balanceAt(call, book, 'opening', opening, momentOf(fromMs)),
      closing: balanceAt(call, book, 'closing', closing, interval.to),
    };
    const cursorOf = (_: unknown, index: number) => rows[index]?.place ?? '';
    const end = next === undefined ? {} : { next };
    return listAnswer(call, items, page, { cursorOf, end, more: ends });
  },
};

/** The page, which follows the one before: entries are not counted. */
function pageOf(query: Query): PageQuery {
  const page = parsePage(query, cursors.entry);
  if (page.index > 0)
    throw refusedParameter(
      'page.index',
      'must be 0 here; the `page.next` of a page is the `page.cursor` of the next one.',
    );
  return page;
}

function symbolOf(query: Query): string {
  const [symbol = '', ...more] = query['symbol'] ?? [];
  if (more.length > 0 || !isHandleText(symbol))
    throw refusedParameter('symbol', 'must be the handle of one symbol.');
  return symbol;
}

/** True when what was reserved and released is asked for, too. */
function includesHolds(query: Query): boolean {
  const [included, ...more] = query['include'] ?? [];
  if (more.length > 0 || (included !== undefined && included !== 'holds'))
    throw refusedParameter('include', "takes 'holds' alone.");
  return included !== undefined;
}

/** The interval: `from` included and `to` excluded, or until now. */
function intervalOf({ query, services }: Call) {
  const nowMs = services.clock();
  const [from, to] = [parseMoment(query, 'from', nowMs), parseMoment(query, 'to', nowMs)];
  if (from && to && from.fromMs > to.fromMs)
    throw refusedParameter('from', "must not be after 'to'.");
  return {
    sinceMs: from?.fromMs ?? 0,
    untilMs: to ? to.fromMs - 1 : nowMs,
    to: momentOf(to?.fromMs ?? nowMs),
  };
}

/** An entry as a signed record. */
function entryOf(call: Call, { wallet, symbol }: WalletBook, row: BookRow, hasHolds: boolean) {
  const { entry, totals } = row;
  const { schema, amount, moment, intent, inputs, handle, counterparty } = entry;
  return signedBy(call, moment, {
    ...(handle !== undefined && { handle }),
    ...{ wallet, symbol, schema, amount, balance: bookedOf(totals) },
    ...(hasHolds && { reserved: totals.reserved }),
    ...{ moment, intent, inputs },
    ...(counterparty !== undefined && { counterparty }),
  });
}

/** The balance before the first entry, or after the last one, as a signed record. */
function balanceAt(
  call: Call,
  { wallet, symbol }: WalletBook,
  schema: 'opening' | 'closing',
  totals: BookTotals,
  moment: string,
) {
  const balance = bookedOf(totals);
  const { reserved } = totals;
  const data = { wallet, symbol, schema, balance, reserved, available: balance - reserved, moment };
  return signedBy(call, moment, data);
}

function signedBy<Data>({ ledger, services }: Call, moment: string, data: Data) {
  const hash = hashOf(data);
  const proof = countersign(ledger, hash, { moment: momentOf(services.clock()) });
  return { hash, data, meta: { proofs: [proof], moment } };
}
