/** Reading of an intent, with what it waits for while it is under way. Ruling 55, Decision 57. */
import { toRead } from '../access/required-permission.ts';
import { waitingOf } from '../intent/waiting.ts';
import { isFinal } from '../ledger/intent.ts';
import type { Action } from '../port/action.ts';
import { byPath } from '../record/find.ts';
import { leafQuery, withLeaf } from './leaf.ts';

const requires = toRead('intent', byPath('intent'));

/**
 * Reads the intent in the path. Errors: `auth.unauthorized`, `auth.forbidden`, `record.not-found` (it cannot be read);
 * `api.query-malformed` (another `include` than `leaf`).
 */
export const readIntent: Action = {
  requires,
  query: leafQuery,
  run: async (call) => {
    const version = await requires.allow(call);
    const record = await withLeaf(call, 'intent', version.record, version.change);
    if (isFinal(record.meta.status)) return { status: 200, body: record };
    const waiting = await waitingOf(call.services, call.ledger.handle, version);
    return { status: 200, body: { ...record, meta: { ...record.meta, waiting } } };
  },
};
