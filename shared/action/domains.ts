/** The domains of a wallet: its own, and the ones that it lies in, nearest first. Decision 19. */
import type { LedgerRecord } from '../ledger/record.ts';
import type { Action, Call } from './action.ts';
import { readableOf } from './allow.ts';
import { toRead } from './asks.ts';
import { byPath } from './find.ts';
import { assertNoFilters, listAnswer, parsePage } from './list.ts';

/** How many domains lie in one another at most, as far as they are followed. */
const depthMax = 100;

const asks = toRead('wallet', byPath('wallet'));

/** Lists the domains of the wallet that the path names. */
export const walletDomains: Action = {
  asks,
  run: async (call) => {
    const page = parsePage(call.query);
    assertNoFilters(call);
    const { record } = await asks.allow(call);
    const lineage = await lineageOf(call, record.meta.domain);
    const domains = await readableOf(call, 'domain', lineage);
    const start = page.index * page.limit;
    return listAnswer(call, domains.slice(start, start + page.limit), page);
  },
};

/** The domain of this handle and its ancestors; none of them can lie in itself. Ruling 37. */
async function lineageOf(
  { services, ledger }: Call,
  handle: string | undefined,
): Promise<LedgerRecord[]> {
  const lineage: LedgerRecord[] = [];
  let next = handle;
  while (next !== undefined && lineage.length < depthMax) {
    const want = { what: 'record', scope: ledger.handle, kind: 'domain', handle: next } as const;
    const [domain] = await services.store.load([want]);
    if (domain) lineage.push(domain.record);
    next = domain?.record.meta.domain;
  }
  return lineage;
}
