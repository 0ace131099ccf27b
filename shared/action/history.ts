/** History of a record: its changes, newest first, readable by luid after its end. Ruling 15. */
import { toReadHistory } from '../access/required-permission.ts';
import { payForRow } from '../ledger/budget.ts';
import { LedgerError } from '../ledger/errors.ts';
import { changePaths, historyPathsOf } from '../ledger/filterable.ts';
import type { Kind } from '../ledger/kind.ts';
import { type Filters, parseKindFilters } from '../ledger/query.ts';
import { type Change, changesOf } from '../ledger/record.ts';
import type { Action, Call } from '../port/action.ts';
import { inFairOrder } from '../query/fair-queue.ts';
import { cursors, listAnswer, type PageQuery, pageNames, parsePage } from '../query/page.ts';
import { timeLimit } from '../query/search.ts';
import {
  byLedger,
  everByPath,
  type Finder,
  parameterOf,
  type RecordHead,
  scopeOf,
} from '../record/find.ts';
import { leafQuery, withLeaf } from './leaf.ts';

/** Changes that are read at once when they are filtered. */
const chunkLength = 20;
const dated = { cursorOf: ({ meta }: Change) => String(meta.change), isDated: true } as const;

async function changesBetween(
  call: Call,
  kind: Kind,
  head: RecordHead,
  first: number,
  last: number,
): Promise<Change[]> {
  if (last < first) return [];
  const scope = scopeOf(kind, call.ledger.handle);
  const current = head.current ? changesOf(head.current) : [];
  // A version that is superseded meanwhile is both current and past; reading the past ends before it.
  const before = Math.min(last, (current[0]?.meta.change ?? last + 1) - 1);
  const past =
    before >= first ? await call.services.store.past(scope, head.luid, first, before) : [];
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
  return historyOf(kind, everByPath(kind));
}

/** The same for the addressed ledger. */
export const ownLedgerHistory: Action = historyOf('ledger', byLedger);

/**
 * Reads one change of the record in the path, by its number. Errors: `auth.unauthorized`, `auth.forbidden` (no
 * permission to read the record, by its last version); `record.not-found` (no such record or change);
 * `api.query-malformed` (another `include` than `leaf`).
 */
export function change(kind: Kind): Action {
  return changeOf(kind, everByPath(kind));
}

/** The same for the addressed ledger. */
export const ownLedgerChange: Action = changeOf('ledger', byLedger);

function historyOf(kind: Kind, find: Finder): Action {
  const requires = toReadHistory(kind, find);
  return {
    requires,
    query: { names: pageNames, paths: historyPathsOf(kind) },
    run: async (call) => {
      const page = parsePage(call.query, cursors.count);
      const { patternMaker } = call.work;
      const filters = parseKindFilters(kind, call.query, patternMaker, changePaths);
      const head = await requires.allow(call);
      if (filters.all.length > 0) {
        const { changes, total } = await matchingChanges(call, kind, head, { page, filters });
        return listAnswer(call, changes, page, { ...dated, total });
      }
      const total = head.changeCount;
      // Changes are numbered without gaps, so a page is a range of numbers, counted from the newest.
      const last =
        page.after === undefined
          ? total - page.index * page.limit
          : Math.min(total, Number(page.after) - 1);
      const first = Math.max(1, last - page.limit + 1);
      const changes = await changesBetween(call, kind, head, first, last);
      return listAnswer(call, changes, page, { ...dated, total });
    },
  };
}

/** One page of matching changes, and the number of all matches. It reads every change. Ruling 22. */
async function matchingChanges(
  call: Call,
  kind: Kind,
  head: RecordHead,
  { page, filters }: { readonly page: PageQuery; readonly filters: Filters },
): Promise<{ readonly changes: Change[]; readonly total: number }> {
  const check = timeLimit();
  const { work } = call;
  const isOnThisPage = isOnPage(page);
  const changes: Change[] = [];
  let total = 0;
  for (let last = head.changeCount; last > 0; last -= chunkLength) {
    const first = Math.max(1, last - chunkLength + 1);
    const some = await inFairOrder(call.ledger.handle, () => {
      check();
      return changesBetween(call, kind, head, first, last);
    });
    for (const one of some) payForRow(work, one);
    for (const one of some.filter(filters.matches)) {
      if (changes.length < page.limit && isOnThisPage(one, total)) changes.push(one);
      total += 1;
    }
  }
  return { changes, total };
}

/** True when a page has begun at this change, which follows `count` other matches. */
function isOnPage({ index, limit, after }: PageQuery): (one: Change, count: number) => boolean {
  if (after === undefined) return (_, count) => count >= index * limit;
  return ({ meta }) => meta.change < Number(after);
}

function changeOf(kind: Kind, find: Finder): Action {
  const requires = toReadHistory(kind, find);
  return {
    requires,
    query: leafQuery,
    run: async (call) => {
      const found = await changeIn(call, kind, await requires.allow(call));
      return { status: 200, body: await withLeaf(call, kind, found, found.meta.change) };
    },
  };
}

/** The change that the path names, or the last one of all; throws `record.not-found`. */
export async function changeIn(call: Call, kind: Kind, head: RecordHead): Promise<Change> {
  const isNamed = call.path['change'] !== undefined;
  const text = isNamed ? parameterOf(call, 'change') : String(head.changeCount);
  const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  const [found] = number > 0 ? await changesBetween(call, kind, head, number, number) : [];
  if (!found) throw new LedgerError('record.not-found', 'Change not found');
  return found;
}
