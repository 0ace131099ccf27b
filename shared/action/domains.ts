/** The domains of a wallet: its own, and the ones that it lies in, nearest first. Decision 19. */
import type { Action } from './action.ts';
import { readableOf } from './allow.ts';
import { toRead } from './asks.ts';
import { byPath } from './find.ts';
import { lineageOf } from './lineage.ts';
import { assertNoFilters } from './list.ts';
import { listAnswer, parsePage, startOf } from './page.ts';

const asks = toRead('wallet', byPath('wallet'));

/** Lists the domains of the wallet that the path names. */
export const walletDomains: Action = {
  asks,
  run: async (call) => {
    const page = parsePage(call.query);
    assertNoFilters(call);
    const { record } = await asks.allow(call);
    const lineage = await lineageOf(call, record.meta.domain);
    const all = lineage.map((domain) => domain.record);
    const domains = await readableOf(call, 'domain', all);
    const start = startOf(page);
    return listAnswer(call, domains.slice(start, start + page.limit), page, {
      cursorOf: (_, index) => String(start + index + 1),
    });
  },
};
