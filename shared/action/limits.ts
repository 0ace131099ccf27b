/** Limits of a wallet: a row for each symbol and metric, each hashed and signed. Ruling 41. */
import { toRead } from '../access/required-permission.ts';
import { hashOf } from '../crypto/digest.ts';
import type { Action, Call } from '../port/action.ts';
import type { Balance } from '../port/ports.ts';
import { cursors, listAnswer, pageNames, parsePage, startBehind } from '../query/page.ts';
import { byPath } from '../record/find.ts';
import { countersign } from '../record/sign.ts';

interface LimitRow {
  readonly luid: string;
  readonly data: Pick<Balance, 'wallet' | 'symbol'> & {
    readonly metric: string;
    readonly amount: number;
  };
  /** The moment at which it was set, ISO 8601 UTC. */
  readonly moment: string;
}

const requires = toRead('wallet', byPath('wallet'));

/**
 * Lists the limits of the wallet in the path, by symbol and metric. Errors: `api.query-malformed` (the page, or any
 * filter or search); `auth.unauthorized`, `auth.forbidden`, `record.not-found` (the wallet cannot be read).
 */
export const limits: Action = {
  requires,
  query: { names: pageNames },
  run: async (call) => {
    const page = parsePage(call.query, cursors.row);
    const { record } = await requires.allow(call);
    const held = await call.services.store.balances(
      call.ledger.handle,
      record.data.handle,
      'rough',
    );
    const rows = held.flatMap(rowsOf);
    const names = rows.map(({ data }) => `${data.symbol}#${data.metric}`);
    const start = startBehind(page, names);
    const items = rows.slice(start, start + page.limit).map((row) => recordOf(call, row));
    return listAnswer(call, items, page, {
      cursorOf: (_, index) => names[start + index] ?? '',
    });
  },
};

function rowsOf({ wallet, symbol, limits: own = {} }: Balance): LimitRow[] {
  const byMetric = Object.entries(own).sort(([one], [other]) => (one < other ? -1 : 1));
  return byMetric.map(([metric, { luid, amount, moment }]) => ({
    ...{ luid, moment },
    data: { wallet, symbol, metric, amount },
  }));
}

function recordOf({ ledger }: Call, { luid, data, moment }: LimitRow) {
  const hash = hashOf(data);
  const status = 'created';
  const proofs = [countersign(ledger, hash, { luid, moment, status })];
  return { luid, hash, data, meta: { proofs, status, moment } };
}
