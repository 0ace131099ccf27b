/** Targets that are told again: effects, and bridges. Rulings 18 and 61. */

import { toDo } from '../access/asks.ts';
import { hearing } from '../access/heard.ts';
import { assertVouchable } from '../access/vouch.ts';
import type { Kind } from '../ledger/kind.ts';
import { active, inactive } from '../ledger/vouching.ts';
import type { Action } from '../port/action.ts';
import { advance } from '../record/advance.ts';
import { byPath } from '../record/find.ts';
import { hurry } from '../record/resend.ts';
import { RequestBody } from '../shape/effect.ts';

/**
 * Lets a record of the kind be told again, and what waits for a bridge go on at once. A bridge becomes active whatever
 * it was: whoever may ask for it answers for it. Rulings 18 and 69, Decisions 55 and 79.
 */
export function activate(kind: Kind): Action {
  const asks = toDo('activate', kind, byPath(kind));
  return {
    asks,
    body: RequestBody,
    signed: 'record',
    run: hearing(async (call) => {
      const version = await asks.allow(call);
      const { record } = version;
      if (kind === 'bridge') await assertVouchable(call, version);
      const to = { status: active, ...(kind === 'effect' && { after: [inactive] }) };
      await advance(call.services, call.ledger, kind, record, to);
      if (kind === 'bridge') await hurry(call.services, call.ledger.handle, record.luid);
      return { status: 202 };
    }),
  };
}
