/** The sums of balances by symbol, domain or schema, with the supplies, in one answer: a trial balance. Ruling 85. */
import { toReadAll } from '../access/required-permission.ts';
import { hashOf } from '../crypto/digest.ts';
import { LedgerError } from '../ledger/errors.ts';
import { filterPathsOf } from '../ledger/filterable.ts';
import { parseKindFilters, type Query } from '../ledger/query.ts';
import { type Sum, type SumGroup, type SummedBook, sumGroups, sumsOf } from '../ledger/sum.ts';
import type { Action, Call } from '../port/action.ts';
import { parseSumMoment, parseSymbol } from '../query/balance-query.ts';
import { refusedParameter } from '../query/moment.ts';
import { listAnswer } from '../query/page.ts';
import { summedBooks, summedCountMax } from '../query/summed.ts';
import { countersign, momentOf } from '../record/sign.ts';

const requires = toReadAll('wallet');
/** The symbols that one request sums. */
const symbolCountMax = 200;

/**
 * Sums the balances of the wallets that match, by `group`, as they are or as they were at a `moment`. Without filters
 * the supplies are summed too, and the balances of a symbol come to zero. Errors: `api.query-malformed` (a filter, the
 * group, the symbol or the moment); `auth.unauthorized`, `auth.forbidden` (not every wallet may be read);
 * `api.request-timeout` (more than can be summed, or payments that are being stored).
 */
export const totals: Action = {
  requires,
  query: { names: ['symbol', 'moment', 'group', 'authParams.'], paths: filterPathsOf('wallet') },
  run: async (call) => {
    const group = groupIn(call.query);
    const filters = parseKindFilters('wallet', call.query, call.work.patternMaker);
    const symbol = parseSymbol(call.query);
    const untilMs = await parseSumMoment(call, () => requires.allow(call));
    const isWhole = filters.all.length === 0;
    const isMeant = ({ record }: SummedBook) =>
      isWhole || (record !== undefined && filters.matches(record));
    const books: SummedBook[] = [];
    for (const one of symbol === undefined ? await symbolsOf(call) : [symbol]) {
      books.push(...(await summedBooks(call, one, untilMs)).filter(isMeant));
      assertFew(books.length);
    }
    const rows = sumsOf(books, group).map((sum) => rowOf(call, sum, momentOf(untilMs)));
    const page = { index: 0, limit: Math.max(1, rows.length), isByCursor: false };
    return listAnswer(call, rows, page, { cursorOf: (_, index) => String(index + 1) });
  },
};

function groupIn(query: Query): SumGroup {
  const [text = 'symbol', ...more] = query['group'] ?? [];
  const group = sumGroups.find((one) => one === text);
  if (!group || more.length > 0)
    throw refusedParameter('group', `must be one of ${sumGroups.join(', ')}.`);
  return group;
}

/** The handles of all symbols. */
async function symbolsOf({ services, ledger }: Call): Promise<string[]> {
  const page = { index: 0, limit: symbolCountMax + 1 };
  const found = await services.store.list(ledger.handle, 'symbol', page);
  if (found.length > symbolCountMax)
    throw new LedgerError(
      'api.request-timeout',
      `The ledger has more than ${symbolCountMax} symbols, which no request can sum. Name one: 'symbol'.`,
    );
  return found.map(({ record }) => record.data.handle);
}

function assertFew(count: number): void {
  if (count <= summedCountMax) return;
  throw new LedgerError(
    'api.request-timeout',
    `There are more than ${summedCountMax} balances, which no request can sum. Name one symbol: 'symbol'.`,
  );
}

function rowOf({ ledger }: Call, data: Sum, moment: string) {
  const hash = hashOf(data);
  return { hash, data, meta: { proofs: [countersign(ledger, hash, { moment })], moment } };
}
