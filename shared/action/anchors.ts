/** The anchors of a wallet: all of them, or those that a lookup asks for. Rulings 18 and 64. */
import { parseConditions } from '../ledger/match.ts';
import { parseKindFilters } from '../ledger/query.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { LookupBody } from '../shape/anchor.ts';
import type { SignedBody } from '../shape/record.ts';
import type { Action, Answer, Call } from './action.ts';
import { readableOf } from './allow.ts';
import { toLookUp, toRead } from './asks.ts';
import { byPath } from './find.ts';
import { hearing } from './heard.ts';
import { listAnswer, parsePage } from './list.ts';
import type { Page } from './ports.ts';

const reading = toRead('wallet', byPath('wallet'));
const lookup = toLookUp('anchor', reading);

/** Lists the anchors of the wallet that the path names, newest change first. */
export const listAnchors: Action = {
  asks: reading,
  run: async (call) => {
    const { matches } = parseKindFilters('anchor', call.query, call.services.patternMaker);
    const page = parsePage(call.query);
    return answer(call, await reading.allow(call), page, matches);
  },
};

/** Lists the anchors of the wallet whose data meets every condition of the body. Decision 21. */
export const lookupAnchors: Action = {
  asks: lookup,
  body: LookupBody,
  signed: 'record',
  run: hearing(async (call) => {
    const { data } = call.body as SignedBody;
    const matches = parseConditions(data, call.services.patternMaker);
    const page = parsePage(call.query);
    const wallet = await lookup.allow(call);
    return answer(call, wallet, page, ({ data: anchor }) => matches(anchor));
  }),
};

async function answer(
  call: Call,
  { record: wallet }: Version,
  page: Page,
  matches: (record: LedgerRecord) => boolean,
): Promise<Answer> {
  const { store } = call.services;
  const anchors = await store.indexed(call.ledger.handle, 'anchor', wallet.data.handle);
  const all = anchors.map(({ record }) => record).filter(matches);
  const found = await readableOf(call, 'anchor', all);
  const start = page.index * page.limit;
  return listAnswer(call, found.sort(newestFirst).slice(start, start + page.limit), page);
}

function newestFirst(one: LedgerRecord, other: LedgerRecord): number {
  const [left, right] = [`${one.meta.moment} ${one.luid}`, `${other.meta.moment} ${other.luid}`];
  return left < right ? 1 : -1;
}
