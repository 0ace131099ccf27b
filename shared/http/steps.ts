/**
 * Steps of a request before its action, in the order of `api.ts`: ledger, body or form, token, shape, hash and proofs,
 * query. Each throws an API error. SPEC, Requests and answers.
 */
import { isUtf8 } from 'node:buffer';
import type middy from '@middy/core';
import { authenticate } from '../access/authenticate.ts';
import { isHandleText, isLuidText } from '../ledger/address.ts';
import { LedgerError } from '../ledger/errors.ts';
import { assertKnown, type Query } from '../ledger/query.ts';
import type { Action, Services } from '../port/action.ts';
import { assertAuthors, assertHash } from '../record/author.ts';
import { handlesByLuid } from '../record/identity.ts';
import { assertShape } from '../record/shape-violation.ts';
import type { SignedBody } from '../shape/record.ts';
import { headerOf } from './header.ts';
import { receivedOf } from './received.ts';
import type { MiddyRequest } from './state.ts';
import { parseStrictJson } from './strict-json.ts';

/** Client credentials take a few hundred bytes. */
const formBytesMax = 8192;

/** Finds the ledger in `x-ledger`, or the default one; refuses with `api.route-not-found`. Rulings 25 and 76. */
export function addressed(services: Services): middy.MiddlewareObj {
  const handleOf = handlesByLuid(services.store);
  return before(async ({ event, context }) => {
    const name = headerOf(event, 'x-ledger') ?? services.settings.defaultLedger;
    const handle = isLuidText(name) ? await handleOf(name) : name;
    const isHandle = handle !== undefined && isHandleText(handle);
    const ledger = isHandle ? await services.identityOf(handle) : undefined;
    if (!ledger)
      throw new LedgerError('api.route-not-found', 'Server does not host requested ledger');
    context.state.ledger = ledger;
  });
}

/** Parses the body strictly. Refuses with `api.body-malformed`. Ruling 6. */
export function strictJson(action: Action): middy.MiddlewareObj {
  return before(({ event, context }) => {
    if (!action.body) return;
    assertJsonType(headerOf(event, 'content-type'));
    const text = event.body ?? '';
    context.state.body = parseStrictJson(
      event.isBase64Encoded ? Buffer.from(text, 'base64') : text,
    );
  });
}

/** Keeps the raw body for an action that reads it by itself. Refuses with `api.body-malformed`. */
export function form(action: Action): middy.MiddlewareObj {
  return before(({ event, context }) => {
    if (action.reads !== 'form') return;
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
  });
}

/** Verifies a token also where no permission is required; refuses with `auth.unauthorized`. Ruling 29. */
export function authorization(services: Services, action: Action): middy.MiddlewareObj {
  return before(async ({ event, context: { state } }) => {
    const header = headerOf(event, 'authorization');
    if (header === undefined || !state.ledger || action.reads) return;
    const received = receivedOf(event, state.body, services.settings.servers);
    state.bearer = await authenticate(services, state.ledger, header, received, action.isTrial);
  });
}

/** Checks the shape of the body. Refuses with `record.schema-invalid`. */
export function shape(action: Action): middy.MiddlewareObj {
  return before(({ context: { state } }) => {
    if (action.body) assertShape(action.body, state.body);
    action.shape?.(state.body);
  });
}

/** Checks the hash of a signed record, then its proofs. */
export function signatures(action: Action): middy.MiddlewareObj {
  return before(async ({ context: { state } }) => {
    if (action.signed !== 'record' || !state.ledger) return;
    const body = state.body as SignedBody;
    assertHash(body);
    if (action.isTrial && body.meta.proofs.length === 0) return;
    await assertAuthors(body, state.ledger);
  });
}

/** Refuses with `api.query-malformed` a parameter that the action does not know. Ruling 20, RFC 6749 3.2. */
export function query(action: Action): middy.MiddlewareObj {
  return before(({ event }) => {
    if (action.reads === 'form') return;
    const sent = (event.multiValueQueryStringParameters ?? {}) as Query;
    assertKnown(sent, action.query ?? { names: [] });
  });
}

/** middy types a request by its event alone; `MiddyRequest` adds the state in the context. */
function before(step: (request: MiddyRequest) => void | Promise<void>): middy.MiddlewareObj {
  return { before: (request) => step(request as unknown as MiddyRequest) };
}

/** A body without a content type is taken for JSON. */
function assertJsonType(contentType: string | undefined): void {
  if (contentType === undefined || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType))
    return;
  throw new LedgerError(
    'api.body-malformed',
    `The body must be application/json, not ${contentType.slice(0, 100)}.`,
    { fault: 'not-json-type' },
  );
}
