/** Lists of records: one page, hashed and signed as a whole. Rulings 19 and 20. */
import { isAllowed, isSifted } from '../access/access.ts';
import { allowEmptiness } from '../access/allow.ts';
import { toList } from '../access/required-permission.ts';
import { LedgerError } from '../ledger/errors.ts';
import { filterPathsOf } from '../ledger/filterable.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import { parseKindFilters } from '../ledger/query.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { wordsIn } from '../ledger/term.ts';
import type { Action, Call } from '../port/action.ts';
import { inFairOrder } from '../query/fair-queue.ts';
import { cursors, listAnswer, pageNames, parsePage } from '../query/page.ts';
import { search } from '../query/search.ts';
import { scopeOf } from '../record/find.ts';

const searchName = '$plainTextQuery';
const wordCountMax = 16;

/**
 * Lists the records of a kind, all or those that match filters and words. Errors:
 * - `api.query-malformed`: page, filter or search
 * - `auth.unauthorized`, `auth.forbidden`: nothing in the list may be seen
 * - `record.not-found`: no such owner in the path
 * - `api.request-timeout`: the search took too long
 */
export function list(kind: Kind): Action {
  const requires = toList(kind);
  return {
    requires,
    query: {
      names: [...pageNames, ...(lineOf(kind).searched ? [searchName] : [])],
      paths: filterPathsOf(kind),
    },
    run: async (call) => {
      const page = parsePage(call.query, cursors.place);
      const filters = parseKindFilters(kind, call.query, call.work.patternMaker);
      const words = searchedWords(call);
      const scope = scopeOf(kind, call.ledger.handle);
      const within = await requires.allow(call);
      const sifted = await isSifted(call, kind);
      const isShown = (record: LedgerRecord) => isAllowed(call, { action: 'read', kind, record });
      const isAll = filters.all.length === 0 && words.length === 0 && !sifted;
      const { store, catalog } = call.services;
      const listing = { scope, kind, ...(within !== undefined && { within }) };
      const versions =
        isAll && !page.isByCursor
          ? await inFairOrder(call.ledger.handle, () => store.list(scope, kind, page, within))
          : await search(call, { listing, filters, words }, page, sifted ? isShown : undefined);
      if (versions.length === 0 && within !== undefined) await allowEmptiness(call, kind, within);
      return listAnswer(
        call,
        versions.map(({ record }) => record),
        page,
        { cursorOf: (_, index) => catalog.placeOf(versions[index] as Version) },
      );
    },
  };
}

/** The words of a search. The handle of the ledger matches every record, so it is ignored. Ruling 23. */
function searchedWords(call: Call): string[] {
  const texts = call.query[searchName];
  if (!texts) return [];
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
