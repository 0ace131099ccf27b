/** Opens the body of a request, or says what is wrong with it. Ruling 6. */
import type middy from '@middy/core';
import { LedgerError } from '../ledger/errors.ts';
import type { Action } from '../port/action.ts';
import { openBody } from './doors.ts';
import { headerOf } from './header.ts';
import type { Step } from './state.ts';

/** Parses the body where the action takes one. */
export function doors(action: Action): middy.MiddlewareObj {
  return {
    before: (request) => {
      if (!action.body) return;
      const { event, context } = request as unknown as Step;
      assertJsonType(headerOf(event, 'content-type'));
      const text = event.body ?? '';
      context.state.body = openBody(event.isBase64Encoded ? Buffer.from(text, 'base64') : text);
    },
  };
}

/** Refuses a body that says it is something else than JSON. */
function assertJsonType(contentType: string | undefined): void {
  if (contentType === undefined || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType))
    return;
  throw new LedgerError(
    'api.body-malformed',
    `The body must be application/json, not ${contentType.slice(0, 100)}.`,
    { fault: 'not-json-type' },
  );
}
