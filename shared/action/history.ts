/** A record's changes, newest first; they stay readable by luid after its end. Ruling 15. */
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import { type Change, changesOf } from '../ledger/record.ts';
import type { Action, Call } from './action.ts';
import { findLife, type Life, parameterOf, scopeOf } from './find.ts';
import { assertNoFilters, listAnswer, parsePage } from './list.ts';

/** The changes from `first` to `last`, newest first. */
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
  // What is superseded meanwhile is both in hand and in the past; the past ends before it.
  const before = Math.min(last, (current[0]?.meta.change ?? last + 1) - 1);
  const past =
    before >= first ? await call.services.store.past(scope, life.luid, first, before) : [];
  return [...past.flatMap(changesOf), ...current]
    .filter(({ meta }) => meta.change >= first && meta.change <= last)
    .reverse();
}

/** Lists the changes of the record that the path names. */
export function history(kind: Kind): Action {
  return historyOf(kind, (call) => parameterOf(call, 'id'));
}

/** Lists the changes of the ledger that was addressed. */
export const ownLedgerHistory: Action = historyOf('ledger', (call) => call.ledger.handle);

/** Reads one change of the record that the path names, by its number. */
export function change(kind: Kind): Action {
  return changeOf(kind, (call) => parameterOf(call, 'id'));
}

/** Reads one change of the ledger that was addressed, by its number. */
export const ownLedgerChange: Action = changeOf('ledger', (call) => call.ledger.handle);

function historyOf(kind: Kind, idOf: (call: Call) => string): Action {
  return {
    run: async (call) => {
      const page = parsePage(call.query);
      assertNoFilters(call);
      const life = await findLife(call, kind, idOf(call));
      const total = life.changeCount;
      // Changes are numbered densely, so a page is one range of numbers, counted from the newest.
      const last = total - page.index * page.limit;
      const first = Math.max(1, last - page.limit + 1);
      const changes = await changesBetween(call, kind, life, first, last);
      return listAnswer(call, changes, { ...page, total }, { moment: true });
    },
  };
}

function changeOf(kind: Kind, idOf: (call: Call) => string): Action {
  return {
    run: async (call) => {
      const life = await findLife(call, kind, idOf(call));
      const text = parameterOf(call, 'change');
      const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
      const [found] = number > 0 ? await changesBetween(call, kind, life, number, number) : [];
      if (!found) throw new LedgerError('record.not-found', 'Change not found');
      return { status: 200, body: found };
    },
  };
}
