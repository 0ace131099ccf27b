/** Targets that are told again: effects, and bridges. Rulings 18 and 61. */
import type { Kind } from '../ledger/kind.ts';
import { active, inactive } from '../ledger/vouching.ts';
import { RequestBody } from '../shape/effect.ts';
import type { Action } from './action.ts';
import { advance } from './advance.ts';
import { toDo } from './asks.ts';
import { byPath } from './find.ts';
import { hearing } from './heard.ts';
import { hurry } from './resend.ts';
import { assertVouchable } from './vouch.ts';

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
