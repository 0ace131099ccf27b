/** Targets that are told nothing, and told again: effects, and bridges. Rulings 18 and 61. */
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { active, inactive } from '../ledger/vouching.ts';
import { RequestBody } from '../shape/effect.ts';
import type { Action, Identity, Services } from './action.ts';
import { advance } from './advance.ts';
import { toDo } from './asks.ts';
import { hurry } from './events.ts';
import { byPath } from './find.ts';
import { hearing } from './heard.ts';
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

/** Lets an effect be told nothing any more, by the ledger's word; nothing happens when it is gone. */
export function silence(services: Services, ledger: Identity, effect: LedgerRecord): Promise<void> {
  return advance(services, ledger, 'effect', effect, { status: inactive });
}
