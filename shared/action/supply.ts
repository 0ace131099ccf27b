/** The supply of a symbol: what was issued and destroyed, and the parts of it that are reserved or lie at bridges. Ruling 86. */
import { isAllowed } from '../access/access.ts';
import { allow } from '../access/allow.ts';
import { toRead } from '../access/required-permission.ts';
import { hashOf } from '../crypto/digest.ts';
import { noTotals } from '../ledger/book.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { partsOf, supplyOf } from '../ledger/sum.ts';
import type { Action, Call } from '../port/action.ts';
import { parseSumMoment } from '../query/balance-query.ts';
import { summedBooks, TooManyBooks } from '../query/summed.ts';
import { byPath } from '../record/find.ts';
import { countersign, momentOf } from '../record/sign.ts';

const requires = toRead('symbol', byPath('symbol'));

/**
 * Reads the supply of the symbol in the path, as it is or as it was at a `moment`. Errors: `api.query-malformed` (the
 * moment); `auth.unauthorized`, `auth.forbidden` (the symbol may not be read, or neither may every wallet be read nor
 * the symbol be issued); `record.not-found` (no such symbol); `api.request-timeout` (payments that are being stored).
 */
export const supply: Action = {
  requires,
  query: { names: ['moment'] },
  run: async (call) => {
    let record: LedgerRecord | undefined;
    const untilMs = await parseSumMoment(call, async () => {
      ({ record } = await requires.allow(call));
      await allowSum(call, record);
    });
    const data = await supplyAt(call, record?.data.handle ?? '', untilMs);
    const moment = momentOf(untilMs);
    const hash = hashOf(data);
    const proofs = [countersign(call.ledger, hash, { moment })];
    return { status: 200, body: { hash, data, meta: { proofs, moment } } };
  },
};

/** The supply sums the balances of all wallets: it is for those who may read them, and for issuers. */
async function allowSum(call: Call, record: LedgerRecord): Promise<void> {
  if (await isAllowed(call, { action: 'issue', kind: 'symbol', record })) return;
  await allow(call, { action: 'read', kind: 'wallet', extent: 'all' });
}

/** The supply, with its parts unless they are more than a request can sum. */
async function supplyAt(call: Call, symbol: string, untilMs: number): Promise<object> {
  const { services, ledger } = call;
  try {
    const books = await summedBooks(call, symbol, untilMs);
    const own = books.find(({ wallet }) => wallet === undefined)?.totals ?? noTotals;
    return { ...supplyOf(symbol, own), ...partsOf(books) };
  } catch (error) {
    if (!(error instanceof TooManyBooks)) throw error;
    const name = { scope: ledger.handle, symbol };
    const [own = noTotals] = await services.books.totals(ledger.handle, [name], untilMs);
    return supplyOf(symbol, own);
  }
}
