/** The domains of a wallet: its own, and the ones that it lies in, nearest first. Decision 19. */

import { readableOf } from '../access/allow.ts';
import { toRead } from '../access/asks.ts';
import type { Action } from '../port/action.ts';
import { listAnswer, parsePage, startOf } from '../query/page.ts';
import { byPath } from '../record/find.ts';
import { lineageOf } from '../record/lineage.ts';
import { assertNoFilters } from './list.ts';

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
