/** Balances of a wallet: a signed row for each symbol and schema (`available`, `reserved`). Rulings 40 and 81, Decision 92. */
import { toRead } from '../access/required-permission.ts';
import { hashOf } from '../crypto/digest.ts';
import { type BookTotals, bookedOf } from '../ledger/book.ts';
import type { Version } from '../ledger/record.ts';
import type { Action, Call } from '../port/action.ts';
import type { Balance } from '../port/ports.ts';
import { assertSinceLedger } from '../query/balance-query.ts';
import { parseMoment } from '../query/moment.ts';
import { cursors, listAnswer, pageNames, parsePage, startBehind } from '../query/page.ts';
import { byPath } from '../record/find.ts';
import { countersign, momentOf } from '../record/sign.ts';
import { tenureMsOf } from '../record/tenure.ts';

/** The balance of a wallet in a symbol, or the reserved part of it. */
export interface BalanceRow {
  readonly luid: string;
  readonly data: {
    readonly wallet: string;
    readonly symbol: string;
    readonly schema: 'available' | 'reserved';
    readonly amount: bigint;
  };
}

const requires = toRead('wallet', byPath('wallet'));
const momentName = 'moment';

/**
 * Lists the balances of the wallet in the path, by symbol and schema: as they are, or as they were at a `moment`.
 * Errors: `api.query-malformed` (the page, any filter or search, or a moment that cannot be read, is in the future or
 * before the ledger); `auth.unauthorized`, `auth.forbidden`, `record.not-found` (the wallet cannot be read);
 * `api.request-timeout` (the books of the past are not made yet, or trail too far behind).
 */
export const balances: Action = {
  requires,
  query: { names: [...pageNames, momentName] },
  run: async (call) => {
    const page = parsePage(call.query, cursors.row);
    const nowMs = call.services.clock();
    const at = parseMoment(call.query, momentName, nowMs);
    const wallet = await requires.allow(call);
    if (at) await assertSinceLedger(call, at.atMs);
    const held = await heldForAnswer(call, wallet, at?.atMs);
    const rows = await balanceRowsAt(call, wallet, held, at?.atMs);
    const names = rows.map(rowName);
    const start = startBehind(page, names);
    const moment = momentOf(at?.atMs ?? nowMs);
    const items = rows
      .slice(start, start + page.limit)
      .map((row) => signedBalance(call, row, moment));
    const cursorOf = (_: unknown, index: number) => names[start + index] ?? '';
    return listAnswer(call, items, page, { cursorOf, total: rows.length });
  },
};

/** The name of a row among those of its wallet, which lie in the order of their names, as cursors have it. */
export function rowName({ data }: BalanceRow): string {
  return `${data.symbol}#${data.schema}`;
}

/** A moment that is this old, in milliseconds, is settled: no commit that states it is on its way. Ruling 83. */
const settledMs = 30_000;

/**
 * The balances of a wallet now, for an answer about them or, with `atMs`, about the end of that millisecond. Where that
 * is not settled they are fenced, so that nothing that the answer lacks is stored later. Decision 92.
 */
export async function heldForAnswer(
  { services, ledger }: Call,
  { record }: Version,
  atMs: number | undefined,
): Promise<Balance[]> {
  const { handle } = record.data;
  return atMs === undefined || atMs <= services.clock() - settledMs
    ? services.store.balances(ledger.handle, handle)
    : services.store.fence(ledger.handle, { handle, luid: record.luid }, atMs);
}

/** The rows of a wallet with these balances: as they are or, with `atMs`, as they were at the end of that millisecond. */
export async function balanceRowsAt(
  call: Call,
  wallet: Version,
  held: readonly Balance[],
  atMs: number | undefined,
): Promise<BalanceRow[]> {
  const then = atMs === undefined ? held : await balancesThen(call, wallet, held, atMs);
  return then.filter(({ isActive }) => isActive).flatMap(rowsOf);
}

/** The balances as they were at the end of a millisecond. */
async function balancesThen(
  call: Call,
  wallet: Version,
  held: readonly Balance[],
  atMs: number,
): Promise<Balance[]> {
  const { services, ledger } = call;
  const sinceMs = await tenureMsOf(services.store, ledger.handle, wallet);
  const names = held
    .filter(({ isActive }) => isActive)
    .map(({ wallet: holder, symbol }) => ({ scope: ledger.handle, wallet: holder, symbol }));
  if (atMs < sinceMs || names.length === 0) return [];
  const totals = await services.books.totals(ledger.handle, names, atMs);
  // An earlier wallet of this handle ended with nothing: what it did shows only where there is nothing now.
  const areOwn = totals.every(
    (one) => one.reserved > 0n || (one.holds === 0 && bookedOf(one) !== 0n),
  );
  const before = areOwn
    ? []
    : await services.books.totals(ledger.handle, names, Math.max(0, sinceMs - 1));
  const own = new Map(names.map(({ symbol }, index) => [symbol, [totals[index], before[index]]]));
  return held.flatMap((balance) => {
    const [until, earlier] = own.get(balance.symbol) ?? [];
    return until ? balanceThen(balance, until, earlier) : [];
  });
}

/** The balance with these totals, of which some may be those of an earlier wallet. */
function balanceThen(balance: Balance, totals: BookTotals, earlier?: BookTotals): Balance {
  const { luid, wallet, walletLuid, symbol } = balance;
  const moves = totals.moves - (earlier?.moves ?? 0);
  const holds = totals.holds - (earlier?.holds ?? 0);
  return {
    ...{ luid, wallet, walletLuid, symbol },
    available: bookedOf(totals) - totals.reserved,
    isActive: moves + holds > 0,
    ...(holds > 0 && { reserved: totals.reserved }),
  };
}

function rowsOf({ luid, wallet, symbol, available, reserved }: Balance): BalanceRow[] {
  const row = (schema: 'available' | 'reserved', amount: bigint): BalanceRow => ({
    luid,
    data: { wallet, symbol, schema, amount },
  });
  return [
    row('available', available),
    ...(reserved === undefined ? [] : [row('reserved', reserved)]),
  ];
}

/** A row as the ledger signs it, with the moment that it is of. */
export function signedBalance({ ledger }: Call, { luid, data }: BalanceRow, moment: string) {
  const hash = hashOf(data);
  return {
    luid,
    hash,
    data,
    meta: { proofs: [countersign(ledger, hash, { luid, moment })], moment },
  };
}
