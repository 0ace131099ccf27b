/** Which ledger a request addresses. Nothing else is looked at before that is known. Rulings 25 and 76. */
import type middy from '@middy/core';
import type { Services } from '../action/action.ts';
import { isLuid } from '../crypto/luid.ts';
import { isHandleText, isLuidText } from '../ledger/address.ts';
import { LedgerError } from '../ledger/errors.ts';
import { lineOf } from '../ledger/kind.ts';
import { headerOf } from './header.ts';
import type { Step } from './state.ts';

/** Finds the ledger that `x-ledger` names, or the default one. */
export function addressed(services: Services): middy.MiddlewareObj {
  const handleOf = handlesOf(services);
  return {
    before: async (request) => {
      const { event, context } = request as unknown as Step;
      const name = headerOf(event, 'x-ledger') ?? services.settings.defaultLedger;
      const handle = isLuidText(name) ? await handleOf(name) : name;
      const isHandle = handle !== undefined && isHandleText(handle);
      const ledger = isHandle ? await services.identityOf(handle) : undefined;
      if (!ledger)
        throw new LedgerError('api.route-not-found', 'Server does not host requested ledger');
      context.state.ledger = ledger;
    },
  };
}

/** How many luids are remembered; the one that was asked for first is forgotten first. */
const luidCountMax = 1_000;

/** Finds the handles of ledgers by luid. A ledger keeps both for ever, so each is read once. */
function handlesOf({ store }: Services): (luid: string) => Promise<string | undefined> {
  const known = new Map<string, string>();
  return async (luid) => {
    const remembered = known.get(luid);
    if (remembered !== undefined) return remembered;
    if (!isLuid(luid, lineOf('ledger').prefix)) return undefined;
    const [pointer] = await store.load([{ what: 'pointer', scope: '', kind: 'ledger', luid }]);
    if (pointer?.kind !== 'ledger') return undefined;
    if (known.size >= luidCountMax) known.delete(known.keys().next().value ?? '');
    known.set(luid, pointer.handle);
    return pointer.handle;
  };
}
