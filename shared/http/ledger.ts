/** Which ledger a request addresses. Nothing else is looked at before that is known. Rulings 25 and 76. */
import type middy from '@middy/core';
import { isHandleText, isLuidText } from '../ledger/address.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Services } from '../port/action.ts';
import { handlesByLuid } from '../record/identity.ts';
import { headerOf } from './header.ts';
import type { Step } from './state.ts';

/** Finds the ledger that `x-ledger` names, or the default one. */
export function addressed(services: Services): middy.MiddlewareObj {
  const handleOf = handlesByLuid(services.store);
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
