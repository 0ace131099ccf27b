/**
 * Access checks: what the caller may do with a record, as the rules that grant it. Rules are kept and
 * not enforced in this version, so none of them grants anything yet. Ruling 35.
 */
import type { Kind } from '../ledger/kind.ts';
import { CheckBody } from '../shape/access.ts';
import type { Action } from './action.ts';
import { byLedger, byPath, currentOf, type Finder } from './find.ts';
import { signed } from './sign.ts';

/** Checks access to the record that the path names. */
export function checkAccess(kind: Kind): Action {
  return checkOf(kind, byPath(kind));
}

/** Checks access to the ledger that was addressed. */
export const checkOwnLedger: Action = checkOf('ledger', byLedger);

function checkOf(kind: Kind, find: Finder): Action {
  return {
    body: CheckBody,
    signed: 'record',
    run: async (call) => {
      currentOf(await find(call), kind);
      return { status: 200, body: signed(call.ledger, [], call.services.clock()) };
    },
  };
}
