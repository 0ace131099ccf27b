/** Whether the body looks as the endpoint expects. */
import type middy from '@middy/core';
import type { Action } from '../port/action.ts';
import type { Step } from './state.ts';
import { assertShape } from './violation.ts';

/** Checks the shape of the body where the action takes one. */
export function shape(action: Action): middy.MiddlewareObj {
  return {
    before: (request) => {
      const { state } = (request as unknown as Step).context;
      if (action.body) assertShape(action.body, state.body);
      action.shape?.(state.body);
    },
  };
}
