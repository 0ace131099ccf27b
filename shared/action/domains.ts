/** Domains of a wallet: its own and all ancestors, nearest first. Decision 19. */
import { readableOf } from '../access/allow.ts';
import { toRead } from '../access/required-permission.ts';
import type { Action } from '../port/action.ts';
import { listAnswer, pageNames, parsePage, startOf } from '../query/page.ts';
import { byPath } from '../record/find.ts';
import { lineageOf } from '../record/lineage.ts';

const requires = toRead('wallet', byPath('wallet'));

/**
 * Lists those domains of the wallet in the path that the caller may read. Errors: `api.query-malformed` (the page, or
 * any filter or search); `auth.unauthorized`, `auth.forbidden`, `record.not-found` (the wallet cannot be read).
 */
export const walletDomains: Action = {
  requires,
  query: { names: pageNames },
  run: async (call) => {
    const page = parsePage(call.query);
    const { record } = await requires.allow(call);
    const lineage = await lineageOf(call, record.meta.domain);
    const all = lineage.map((domain) => domain.record);
    const domains = await readableOf(call, 'domain', all);
    const start = startOf(page);
    return listAnswer(call, domains.slice(start, start + page.limit), page, {
      cursorOf: (_, index) => String(start + index + 1),
    });
  },
};
