/** Balances of a wallet: a signed row for each symbol and schema (`available`, `reserved`). Ruling 40. */
import { toRead } from '../access/required-permission.ts';
import { hashOf } from '../crypto/digest.ts';
import type { Action, Call } from '../port/action.ts';
import type { Balance } from '../port/ports.ts';
import { listAnswer, pageNames, parsePage, startOf } from '../query/page.ts';
import { byPath } from '../record/find.ts';
import { countersign, momentOf } from '../record/sign.ts';

interface BalanceRow {
  readonly luid: string;
  readonly data: {
    readonly wallet: string;
    readonly symbol: string;
    readonly schema: 'available' | 'reserved';
    readonly amount: bigint;
  };
}

const requires = toRead('wallet', byPath('wallet'));

/**
 * Lists the balances of the wallet in the path, by symbol and schema. Errors: `api.query-malformed` (the page, or any
 * filter or search); `auth.unauthorized`, `auth.forbidden`, `record.not-found` (the wallet cannot be read).
 */
export const balances: Action = {
  requires,
  query: { names: pageNames },
  run: async (call) => {
    const page = parsePage(call.query);
    const { record } = await requires.allow(call);
    const held = await call.services.store.balances(call.ledger.handle, record.data.handle);
    const rows = held.filter(({ isActive }) => isActive).flatMap(rowsOf);
    const start = startOf(page);
    const items = rows.slice(start, start + page.limit).map((row) => recordOf(call, row));
    const cursorOf = (_: unknown, index: number) => String(start + index + 1);
    return listAnswer(call, items, page, { cursorOf, total: rows.length });
  },
};

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

function recordOf({ services, ledger }: Call, { luid, data }: BalanceRow) {
  const hash = hashOf(data);
  const moment = momentOf(services.clock());
  return {
    luid,
    hash,
    data,
    meta: { proofs: [countersign(ledger, hash, { luid, moment })], moment },
  };
}
