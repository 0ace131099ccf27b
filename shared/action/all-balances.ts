/** The balances of all wallets that the caller may read, in the order of the list of wallets. Ruling 85. */
import { isAllowed, isSifted } from '../access/access.ts';
import { toList } from '../access/required-permission.ts';
import { filterPathsOf } from '../ledger/filterable.ts';
import { type Filters, parseKindFilters } from '../ledger/query.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Action, Call } from '../port/action.ts';
import { parseSumMoment, parseSymbol } from '../query/balance-query.ts';
import { cursors, listAnswer, type PageQuery, pageNames, parsePage } from '../query/page.ts';
import { search, timeLimit } from '../query/search.ts';
import { momentOf } from '../record/sign.ts';
import { type BalanceRow, balanceRowsAt, rowName, signedBalance } from './balances.ts';

const requires = toList('wallet');
/** The wallets that are read at once, each with its balances. */
const walletsAtOnce = 25;
/** The cost of reading the balances of a wallet, from the budget of the request. */
const unitsPerWallet = 200;

/** A row with the cursor to continue after it. */
interface PlacedRow {
  readonly row: BalanceRow;
  readonly cursor: string;
}

/** The row after which a page begins: the place of the wallet before, and the last row of a wallet that has further ones. */
interface Begin {
  readonly after: string;
  readonly place?: string | undefined;
  readonly name?: string | undefined;
}

/** The wallets to go through. */
interface Walk {
  readonly begin: Begin;
  readonly filters: Filters;
  readonly symbol: string | undefined;
  /** The moment of the balances; absent for the present ones. */
  readonly atMs: number | undefined;
}

/**
 * Lists the balances of the wallets that match and that the caller may read, as they are or as they were at a `moment`.
 * Errors: `api.query-malformed` (the page, a filter, the symbol or the moment); `auth.unauthorized`, `auth.forbidden` (no
 * wallet may be read); `api.request-timeout` (too much work, or the books of the past trail behind).
 */
export const allBalances: Action = {
  requires,
  query: { names: [...pageNames, 'symbol', 'moment'], paths: filterPathsOf('wallet') },
  run: async (call) => {
    const page = parsePage(call.query, cursors.balance);
    const filters = parseKindFilters('wallet', call.query, call.work.patternMaker);
    const symbol = parseSymbol(call.query);
    const untilMs = await parseSumMoment(call, () => requires.allow(call));
    const atMs = call.query['moment'] === undefined ? undefined : untilMs;
    const rows = await pageOfRows(call, { begin: beginOf(page), filters, symbol, atMs }, page);
    const moment = momentOf(untilMs);
    const items = rows.map(({ row }) => signedBalance(call, row, moment));
    return listAnswer(call, items, page, {
      cursorOf: (_, index) => rows[index]?.cursor ?? '',
      end: endOf(rows, page),
    });
  },
};

/** The cursor behind a full page; a shorter one ends the list. */
function endOf(rows: readonly PlacedRow[], { limit }: PageQuery): { next?: string } {
  const next = rows.length === limit ? rows.at(-1)?.cursor : undefined;
  return next === undefined ? {} : { next };
}

function beginOf({ after: cursor = '' }: PageQuery): Begin {
  const [after = '', place, ...name] = cursor.split('#');
  return { after, place, name: name.join('#') };
}

/** As many rows as the page has, from its begin on. */
async function pageOfRows(call: Call, walk: Walk, page: PageQuery): Promise<PlacedRow[]> {
  const check = timeLimit();
  let skipped = page.index * page.limit;
  const rows: PlacedRow[] = [];
  for await (const row of allRows(call, walk)) {
    check();
    if (skipped > 0) skipped -= 1;
    else rows.push(row);
    if (rows.length === page.limit) break;
  }
  return rows;
}

/** Yields the rows of all wallets from the begin on. */
async function* allRows(call: Call, walk: Walk): AsyncGenerator<PlacedRow> {
  let last = walk.begin.after;
  for (;;) {
    const wallets = await walletsAfter(call, walk.filters, last);
    if (wallets.length === 0) return;
    call.work.pay(wallets.length * unitsPerWallet);
    const held = await Promise.all(wallets.map((wallet) => rowsOf(call, walk, wallet)));
    for (const [index, wallet] of wallets.entries()) {
      const next = call.services.catalog.placeOf(wallet);
      yield* placed(held[index] ?? [], last, next);
      last = next;
    }
  }
}

/** The rows of a wallet, each with its cursor: the place of the wallet and, but for its last row, what `Begin` says. */
function placed(rows: readonly BalanceRow[], before: string, place: string): PlacedRow[] {
  return rows.map((row, index) => ({
    row,
    cursor: index === rows.length - 1 ? place : [before, place, rowName(row)].join('#'),
  }));
}

async function walletsAfter(call: Call, filters: Filters, after: string): Promise<Version[]> {
  const isShown = (record: LedgerRecord) =>
    isAllowed(call, { action: 'read', kind: 'wallet', record });
  const listing = { scope: call.ledger.handle, kind: 'wallet' } as const;
  const page = { index: 0, limit: walletsAtOnce, ...(after !== '' && { after }) };
  const sifted = await isSifted(call, 'wallet');
  return search(call, { listing, filters, words: [] }, page, sifted ? isShown : undefined);
}

async function rowsOf(
  call: Call,
  { begin, symbol, atMs }: Walk,
  wallet: Version,
): Promise<BalanceRow[]> {
  const { handle } = wallet.record.data;
  const held = await call.services.store.balances(call.ledger.handle, handle);
  const rows = await balanceRowsAt(call, wallet, held, atMs);
  const isBegun = begin.place === call.services.catalog.placeOf(wallet);
  const left = isBegun ? rows.filter((row) => rowName(row) > (begin.name ?? '')) : rows;
  return symbol === undefined ? left : left.filter(({ data }) => data.symbol === symbol);
}
