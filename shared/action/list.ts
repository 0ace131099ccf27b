/** Lists: one page of what the ledger holds, hashed and signed as a whole. Rulings 19 and 20. */
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import { parseFilters, type Query } from '../ledger/query.ts';
import type { Action, Answer, Call } from './action.ts';
import { scopeOf } from './find.ts';
import type { Page } from './ports.ts';
import { momentOf, signed } from './sign.ts';

const pageLimitDefault = 20;
const pageLimitMax = 100;
const pageIndexMax = 1_000_000_000;

/** The page that a query asks for; refuses with `api.query-malformed`. */
export function parsePage(query: Query): Page {
  return {
    index: parseCount(query, 'page.index', 0, 0, pageIndexMax),
    limit: parseCount(query, 'page.limit', pageLimitDefault, 1, pageLimitMax),
  };
}

function parseCount(query: Query, name: string, unset: number, min: number, max: number): number {
  const values = query[name];
  if (!values) return unset;
  const [text = '', ...more] = values;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (more.length > 0 || !(value >= min && value <= max))
    throw new LedgerError(
      'api.query-malformed',
      `Query parameter '${name}' must be one whole number from ${min} to ${max}.`,
      { parameter: name },
    );
  return value;
}

/** Refuses all filters and searches, for a list that supports none. */
export function assertNoFilters(call: Call): void {
  if (call.query['$plainTextQuery'])
    throw new LedgerError('api.query-malformed', 'This list cannot be searched.', {
      parameter: '$plainTextQuery',
    });
  parseFilters(call.query, [], call.services.patternMaker);
}

/** Answers a page of items, with the total where the whole count is known. */
export function listAnswer(
  call: Call,
  items: readonly unknown[],
  page: Page & { readonly total?: number },
  options: { readonly moment: boolean } = { moment: false },
): Answer {
  const nowMs = call.services.clock();
  const { hash, data, meta } = signed(call.ledger, items, nowMs);
  const moment = options.moment ? { moment: momentOf(nowMs) } : {};
  return { status: 200, body: { hash, data, page, meta: { ...meta, ...moment } } };
}

/** Lists the records of a kind. */
export function list(kind: Kind): Action {
  return {
    run: async (call) => {
      const page = parsePage(call.query);
      assertNoFilters(call);
      const scope = scopeOf(kind, call.ledger.handle);
      const versions = await call.services.store.list(scope, kind, page);
      return listAnswer(
        call,
        versions.map(({ record }) => record),
        page,
      );
    },
  };
}
