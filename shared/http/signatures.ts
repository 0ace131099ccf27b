/** Whether the body is what its authors signed: its hash first, then its proofs. */
import type middy from '@middy/core';
import type { Action } from '../port/action.ts';
import { assertAuthors, assertHash } from '../record/check.ts';
import type { SignedBody } from '../shape/record.ts';
import type { Step } from './state.ts';

/** Checks hash and proofs where the action takes a signed record. */
export function signatures(action: Action): middy.MiddlewareObj {
  return {
    before: (request) => {
      const { state } = (request as unknown as Step).context;
      if (action.signed !== 'record' || !state.ledger) return;
      const body = state.body as SignedBody;
      assertHash(body);
      assertAuthors(body, state.ledger);
    },
  };
}
