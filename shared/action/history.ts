/** History of a record: its changes, newest first, readable by luid after its end. Ruling 15. */
import { toReadLife } from '../access/asks.ts';
import { LedgerError } from '../ledger/errors.ts';
import { changePaths, historyPathsOf } from '../ledger/filterable.ts';
import type { Kind } from '../ledger/kind.ts';
import { type Filters, parseKindFilters } from '../ledger/query.ts';
import { type Change, changesOf } from '../ledger/record.ts';
import { payRow } from '../ledger/work.ts';
import type { Action, Call } from '../port/action.ts';
import { cursors, listAnswer, type Part, pageNames, parsePage } from '../query/page.ts';
import { budgetOf } from '../query/search.ts';
import { inTurn } from '../query/turns.ts';
import { byLedger, byPath, type Finder, type Life, parameterOf, scopeOf } from '../record/find.ts';

/** Changes that are read at once when they are filtered. */
const chunkLength = 20;
const dated = { cursorOf: ({ meta }: Change) => String(meta.change), isDated: true } as const;

async function changesBetween(
  call: Call,
  kind: Kind,
  life: Life,
  first: number,
  last: number,
): Promise<Change[]> {
  if (last < first) return [];
  const scope = scopeOf(kind, call.ledger.handle);
  const current = life.current ? changesOf(life.current) : [];
  // A version that is superseded meanwhile is both current and past; reading the past ends before it.
  const before = Math.min(last, (current[0]?.meta.change ?? last + 1) - 1);
  const past =
    before >= first ? await call.services.store.past(scope, life.luid, first, before) : [];
  return [...past.flatMap(changesOf), ...current]
    .filter(({ meta }) => meta.change >= first && meta.change <= last)
    .reverse();
}

/**
 * Lists the changes of the record in the path. Errors: `api.query-malformed` (page, filter or any search);
 * `auth.unauthorized`, `auth.forbidden`, `record.not-found` (the record cannot be read, by its last version);
 * `api.request-timeout` (too many changes to filter).
 */
export function history(kind: Kind): Action {
  return historyOf(kind, byPath(kind));
}

/** The same for the addressed ledger. */
export const ownLedgerHistory: Action = historyOf('ledger', byLedger);

/**
 * Reads one change of the record in the path, by its number. Errors: `auth.unauthorized`, `auth.forbidden` (no
 * permission to read the record, by its last version); `record.not-found` (no such record or change).
 */
export function change(kind: Kind): Action {
  return changeOf(kind, byPath(kind));
}

/** The same for the addressed ledger. */
export const ownLedgerChange: Action = changeOf('ledger', byLedger);

function historyOf(kind: Kind, find: Finder): Action {
  const asks = toReadLife(kind, find);
  return {
    asks,
    query: { names: pageNames, paths: historyPathsOf(kind) },
    run: async (call) => {
      const page = parsePage(call.query, cursors.count);
      const { patternMaker } = call.work;
      const filters = parseKindFilters(kind, call.query, patternMaker, changePaths);
      const life = await asks.allow(call);
      if (filters.all.length > 0) {
        const { changes, total } = await matchingChanges(call, kind, life, { page, filters });
        return listAnswer(call, changes, page, { ...dated, total });
      }
      const total = life.changeCount;
      // Changes are numbered without gaps, so a page is a range of numbers, counted from the newest.
      const last =
        page.after === undefined
          ? total - page.index * page.limit
          : Math.min(total, Number(page.after) - 1);
      const first = Math.max(1, last - page.limit + 1);
      const changes = await changesBetween(call, kind, life, first, last);
      return listAnswer(call, changes, page, { ...dated, total });
    },
  };
}

/** One page of matching changes, and the number of all matches. It reads every change. Ruling 22. */
async function matchingChanges(
  call: Call,
  kind: Kind,
  life: Life,
  { page, filters }: { readonly page: Part; readonly filters: Filters },
): Promise<{ readonly changes: Change[]; readonly total: number }> {
  const check = budgetOf(call);
  const { work } = call;
  const isAsked = isAskedBy(page);
  const changes: Change[] = [];
  let total = 0;
  for (let last = life.changeCount; last > 0; last -= chunkLength) {
    const first = Math.max(1, last - chunkLength + 1);
    const some = await inTurn(call.ledger.handle, () => {
      check();
      return changesBetween(call, kind, life, first, last);
    });
    for (const one of some) payRow(work, one);
    for (const one of some.filter(filters.matches)) {
      if (changes.length < page.limit && isAsked(one, total)) changes.push(one);
      total += 1;
    }
  }
  return { changes, total };
}

/** True when a page has begun at this change, which follows `count` other matches. */
function isAskedBy({ index, limit, after }: Part): (one: Change, count: number) => boolean {
  if (after === undefined) return (_, count) => count >= index * limit;
  return ({ meta }) => meta.change < Number(after);
}

function changeOf(kind: Kind, find: Finder): Action {
  const asks = toReadLife(kind, find);
  return {
    asks,
    run: async (call) => {
      const life = await asks.allow(call);
      const text = parameterOf(call, 'change');
      const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
      const [found] = number > 0 ? await changesBetween(call, kind, life, number, number) : [];
      if (!found) throw new LedgerError('record.not-found', 'Change not found');
      return { status: 200, body: found };
    },
  };
}
