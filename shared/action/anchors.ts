/** The anchors of a wallet, listed or looked up. Rulings 18 and 64. */
import { readableOf } from '../access/allow.ts';
import { requiringFreshProofs } from '../access/fresh-proofs.ts';
import { toLookUp, toRead } from '../access/required-permission.ts';
import { together } from '../access/seen.ts';
import { payForRow } from '../ledger/budget.ts';
import { filterPathsOf } from '../ledger/filterable.ts';
import { assertPaths, type PatternMaker, parseConditions } from '../ledger/match.ts';
import { seenAs } from '../ledger/names.ts';
import { anythingIn, assertMembers } from '../ledger/path-member.ts';
import { parseKindFilters } from '../ledger/query.ts';
import type { LedgerRecord, RecordData, Version } from '../ledger/record.ts';
import type { Action, Answer, Call } from '../port/action.ts';
import { inFairOrder } from '../query/fair-queue.ts';
import { cursors, listAnswer, type PageQuery, pageNames, parsePage } from '../query/page.ts';
import { byPath } from '../record/find.ts';
import { LookupBody } from '../shape/anchor.ts';
import { dataMembersOf } from '../shape/body.ts';
import type { SignedBody } from '../shape/record.ts';

const reading = toRead('wallet', byPath('wallet'));
const lookup = toLookUp('anchor', reading);

/**
 * Lists the anchors of the wallet in the path, newest change first. Errors: `api.query-malformed` (page or filter);
 * `auth.unauthorized`, `auth.forbidden`, `record.not-found` (the wallet cannot be read).
 */
export const listAnchors: Action = {
  requires: reading,
  query: { names: pageNames, paths: filterPathsOf('anchor') },
  run: async (call) => {
    const { matches } = parseKindFilters('anchor', call.query, call.work.patternMaker);
    const page = parsePage(call.query, cursors.moment);
    return answer(call, await reading.allow(call), page, matches);
  },
};

/**
 * Lists the anchors of the wallet whose data meets every condition of the signed body. Decision 21. Errors:
 * - `record.invalid`: a condition that cannot be read, or that leads to no member of an anchor
 * - `api.query-malformed`: page
 * - `auth.forbidden`, `record.not-found`: no permission to look up anchors, or to read the wallet
 * - `crypto.signature-invalid`: a proof that is needed for the permission is too old, or its data could be a record
 */
export const lookupAnchors: Action = {
  requires: lookup,
  query: { names: pageNames },
  body: LookupBody,
  signed: 'record',
  run: requiringFreshProofs(async (call) => {
    const { data } = call.body as SignedBody;
    const matches = lookedFor(data, call.work.patternMaker);
    const page = parsePage(call.query, cursors.moment);
    const wallet = await lookup.allow(call);
    return answer(call, wallet, page, ({ data: anchor }) => matches(anchor));
  }),
};

/** The test for the conditions of a lookup, on every form of the names in an anchor. Decisions 21 and 42. */
function lookedFor(
  conditions: Readonly<Record<string, unknown>>,
  patternMaker: PatternMaker,
): (anchor: RecordData) => boolean {
  assertPaths(conditions);
  const matches = parseConditions(conditions, patternMaker);
  assertMembers(conditions, anythingIn(dataMembersOf('anchor')), 'the data of an anchor');
  return (anchor) => matches(together(seenAs('anchor', anchor)));
}

async function answer(
  call: Call,
  { record: wallet }: Version,
  page: PageQuery,
  matches: (record: LedgerRecord) => boolean,
): Promise<Answer> {
  const { store } = call.services;
  const { handle: ledger } = call.ledger;
  const { index, limit, after = '~' } = page;
  const { work } = call;
  const anchors = await inFairOrder(ledger, () =>
    store.indexed(ledger, 'anchor', wallet.data.handle),
  );
  const all = anchors.map(({ record }) => record);
  for (const record of all) payForRow(work, record);
  const found = await readableOf(call, 'anchor', all.filter(matches));
  const behind = found.filter((record) => placeOf(record) < after).sort(newestFirst);
  const rows = behind.slice(index * limit, (index + 1) * limit);
  return listAnswer(call, rows, page, { cursorOf: placeOf });
}

function newestFirst(one: LedgerRecord, other: LedgerRecord): number {
  return placeOf(one) < placeOf(other) ? 1 : -1;
}

function placeOf({ meta, luid }: LedgerRecord): string {
  return `${meta.moment} ${luid}`;
}
