/** Lists: one page of what the ledger holds, hashed and signed as a whole. Rulings 19 and 20. */
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import { parseFilters, parseKindFilters, type Query } from '../ledger/query.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { wordsIn } from '../ledger/term.ts';
import { isAllowed, isSifted } from './access.ts';
import type { Action, Answer, Call } from './action.ts';
import { allowEmptiness } from './allow.ts';
import { toList } from './asks.ts';
import { scopeOf } from './find.ts';
import type { Page } from './ports.ts';
import { search } from './search.ts';
import { momentOf, signed } from './sign.ts';

export const pageLimitDefault = 20;
export const pageLimitMax = 100;
export const pageIndexMax = 1_000_000_000;
const searchName = '$plainTextQuery';
const wordCountMax = 16;

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
  assertNoSearch(call);
  parseFilters(call.query, [], call.services.patternMaker);
}

/** Refuses a search, for a list of what is not found by words. */
export function assertNoSearch(call: Call): void {
  if (call.query[searchName]) throw malformed('This list cannot be searched.');
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

/** Lists the records of a kind, or those of them that a query asks for. */
export function list(kind: Kind): Action {
  const asks = toList(kind);
  return {
    asks,
    run: async (call) => {
      const page = parsePage(call.query);
      const filters = parseKindFilters(kind, call.query, call.services.patternMaker);
      const words = parseWords(kind, call);
      const scope = scopeOf(kind, call.ledger.handle);
      const within = await asks.allow(call);
      const sifted = await isSifted(call, kind);
      const isShown = (record: LedgerRecord) => isAllowed(call, { action: 'read', kind, record });
      const isWhole = filters.all.length === 0 && words.length === 0 && !sifted;
      const listing = { scope, kind, ...(within !== undefined && { within }) };
      const versions = isWhole
        ? await call.services.store.list(scope, kind, page, within)
        : await search(call, { listing, filters, words }, page, sifted ? isShown : undefined);
      if (versions.length === 0 && within !== undefined) await allowEmptiness(call, kind, within);
      return listAnswer(
        call,
        versions.map(({ record }) => record),
        page,
      );
    },
  };
}

/**
 * The words that a query searches for. The handle of the ledger finds all that the ledger has, and so it
 * says nothing. Ruling 23.
 */
function parseWords(kind: Kind, call: Call): string[] {
  const texts = call.query[searchName];
  if (!texts) return [];
  if (!lineOf(kind).searched) assertNoSearch(call);
  const [text = '', ...more] = texts;
  const words = wordsIn(text);
  if (more.length > 0 || words.length > wordCountMax)
    throw malformed(
      `Query parameter '${searchName}' takes one text of at most ${wordCountMax} words.`,
    );
  return words.filter((word) => word !== call.ledger.handle.toLowerCase());
}

function malformed(detail: string): LedgerError {
  return new LedgerError('api.query-malformed', detail, { parameter: searchName });
}
