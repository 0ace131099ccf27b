/** A token that was sent is always checked, even where no rule needs one. Ruling 29. */
import type middy from '@middy/core';
import { authenticate } from '../access/authenticate.ts';
import type { Action, Services } from '../port/action.ts';
import { headerOf } from './header.ts';
import { receivedOf } from './received.ts';
import type { Step } from './state.ts';

/** Checks the `authorization` header, but where the action reads it by itself. */
export function authorization(services: Services, action: Action): middy.MiddlewareObj {
  return {
    before: async (request) => {
      const { event, context } = request as unknown as Step;
      const header = headerOf(event, 'authorization');
      const { state } = context;
      if (header === undefined || !state.ledger || action.reads) return;
      const received = receivedOf(event, state.body, services.settings.servers);
      state.bearer = await authenticate(services, state.ledger, header, received);
    },
  };
}
