/** Hands a form on to the action that reads it by itself, if it is not too large to be looked at. */
import { isUtf8 } from 'node:buffer';
import type middy from '@middy/core';
import { LedgerError } from '../ledger/errors.ts';
import type { Action } from '../port/action.ts';
import { headerOf } from './header.ts';
import type { Step } from './state.ts';

/** Credentials take a few hundred. */
const formBytesMax = 8192;

/** Keeps what was sent where the action reads it. */
export function form(action: Action): middy.MiddlewareObj {
  return {
    before: (request) => {
      if (action.reads !== 'form') return;
      const { event, context } = request as unknown as Step;
      const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
      if (bytes.length > formBytesMax)
        throw new LedgerError('api.body-malformed', `A form has at most ${formBytesMax} bytes.`);
      if (!isUtf8(bytes)) throw new LedgerError('api.body-malformed', 'The form is not UTF-8.');
      context.state.sent = {
        type: headerOf(event, 'content-type'),
        text: bytes.toString('utf8'),
        authorization: headerOf(event, 'authorization'),
        address: event.requestContext?.identity?.sourceIp ?? '',
      };
    },
  };
}
