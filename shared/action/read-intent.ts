/** Reading an intent: as it stands and, while it is under way, what it waits for. Ruling 55, Decision 57. */
import { finalStatuses } from '../ledger/intent.ts';
import type { Action } from './action.ts';
import { toRead } from './asks.ts';
import { byPath } from './find.ts';
import { waitingOf } from './waiting.ts';

const asks = toRead('intent', byPath('intent'));

/** Reads the intent that the path names. */
export const readIntent: Action = {
  asks,
  run: async (call) => {
    const version = await asks.allow(call);
    const { record } = version;
    if (finalStatuses.some((status) => status === record.meta.status))
      return { status: 200, body: record };
    const waiting = await waitingOf(call.services, call.ledger.handle, version);
    return { status: 200, body: { ...record, meta: { ...record.meta, waiting } } };
  },
};
