/** Which ledger a request addresses. Nothing else is looked at before that is known. Ruling 25. */
import type middy from '@middy/core';
import type { Services } from '../action/action.ts';
import { isHandleText } from '../ledger/address.ts';
import { LedgerError } from '../ledger/errors.ts';
import { headerOf } from './header.ts';
import type { Step } from './state.ts';

/** Finds the ledger that `x-ledger` names, or the default one. */
export function addressed(services: Services): middy.MiddlewareObj {
  return {
    before: async (request) => {
      const { event, context } = request as unknown as Step;
      const handle = headerOf(event, 'x-ledger') ?? services.settings.defaultLedger;
      const ledger = isHandleText(handle) ? await services.identityOf(handle) : undefined;
      if (!ledger)
        throw new LedgerError('api.route-not-found', 'Server does not host requested ledger');
      context.state.ledger = ledger;
    },
  };
}
