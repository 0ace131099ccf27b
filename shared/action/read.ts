/** Reading of one record, by handle, address or luid. */
import { toRead } from '../access/required-permission.ts';
import type { Kind } from '../ledger/kind.ts';
import type { Action } from '../port/action.ts';
import { byLedger, byPath, type Finder } from '../record/find.ts';
import { leafQuery, withLeaf } from './leaf.ts';

/**
 * Reads the record in the path. Errors: `auth.unauthorized`, `auth.forbidden`, `record.not-found` (it cannot be read);
 * `api.query-malformed` (another `include` than `leaf`).
 */
export function read(kind: Kind): Action {
  return readOf(kind, byPath(kind));
}

/** The same for the addressed ledger. */
export const readOwnLedger: Action = readOf('ledger', byLedger);

function readOf(kind: Kind, find: Finder): Action {
  const requires = toRead(kind, find);
  return {
    requires,
    query: leafQuery,
    run: async (call) => {
      const { record, change } = await requires.allow(call);
      return { status: 200, body: await withLeaf(call, kind, record, change) };
    },
  };
}
