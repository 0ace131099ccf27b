/** Reading of one record, by handle, address or luid. */
import { toRead } from '../access/required-permission.ts';
import type { Kind } from '../ledger/kind.ts';
import type { Action } from '../port/action.ts';
import { byLedger, byPath, type Finder } from '../record/find.ts';

/**
 * Reads the record in the path. Errors: `auth.unauthorized`, `auth.forbidden`, `record.not-found` (it cannot be read).
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
    run: async (call) => {
      const { record } = await requires.allow(call);
      return { status: 200, body: record };
    },
  };
}
