/** The limits of a wallet. No claim sets one in this version, so the list is empty. Ruling 41. */
import type { Action } from './action.ts';
import { findReadable } from './allow.ts';
import { byPath } from './find.ts';
import { assertNoFilters, listAnswer, parsePage } from './list.ts';

/** Lists the limits of the wallet that the path names. */
export const limits: Action = {
  run: async (call) => {
    const page = parsePage(call.query);
    assertNoFilters(call);
    await findReadable(call, 'wallet', byPath('wallet'));
    return listAnswer(call, [], page);
  },
};
