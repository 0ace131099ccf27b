/** The limits of a wallet. No claim sets one in this version, so the list is empty. Ruling 41. */
import type { Action } from './action.ts';
import { toRead } from './asks.ts';
import { byPath } from './find.ts';
import { assertNoFilters, listAnswer, parsePage } from './list.ts';

const asks = toRead('wallet', byPath('wallet'));

/** Lists the limits of the wallet that the path names. */
export const limits: Action = {
  asks,
  run: async (call) => {
    const page = parsePage(call.query);
    assertNoFilters(call);
    await asks.allow(call);
    return listAnswer(call, [], page);
  },
};
