/**
 * The way of every request, as a middy stack. The order of its steps is the precedence of errors. SPEC, Requests and answers.
 * Errors of the steps, which every endpoint can answer:
 * - ledger, route: `api.route-not-found`, `api.method-not-allowed`
 * - body: `api.body-malformed` (400, 413 or 415)
 * - token: `auth.unauthorized`
 * - shape: `record.schema-invalid`
 * - hash and proofs of signed records: `crypto.hash-invalid`, `crypto.signature-missing`, `crypto.signature-invalid`
 * - query: `api.query-malformed`
 * - time or work: `api.request-timeout`
 * - a bug: `api.unexpected-error`
 */
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { perform } from '../access/perform.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Query } from '../ledger/query.ts';
import type { Action, Call, Services } from '../port/action.ts';
import { newWork } from '../port/request-budget.ts';
import { type RequestSpan, spanned, spans, type TraceHeaders } from '../port/trace.ts';
import { withOwnProofs } from '../record/sign.ts';
import { stripBasePath } from './base-path.ts';
import { allowing, browsers } from './browsers.ts';
import { headerOf } from './header.ts';
import { type Log, log, outcomeIn } from './log.ts';
import { refuse, reply } from './reply.ts';
import { compressed, represented } from './represent.ts';
import { decoded, routerOf } from './route.ts';
import type { MiddyRequest, StateContext } from './state.ts';
import { addressed, authorization, form, query, shape, signatures, strictJson } from './steps.ts';

/** The action of each endpoint. A missing one does not compile. */
export type Actions<Endpoint extends string> = Readonly<Record<Endpoint, Action>>;

export interface Wiring {
  readonly services: Services;
  readonly log: Log;
}

export interface Handler<Endpoint extends string = string> {
  (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult>;
  /** For readers of the declared permissions: tests, the access table and the OpenAPI document. */
  readonly actions: Actions<Endpoint>;
}

type EndpointHandler = (
  event: APIGatewayProxyEvent,
  context: StateContext,
) => Promise<APIGatewayProxyResult>;

/** The time before the end of an invocation at which a request is given up, in milliseconds. */
const reserveMs = 1_000;

export function api<const Endpoint extends string>(
  wiring: Wiring,
  endpoints: readonly Endpoint[],
  actions: Actions<Endpoint>,
): Handler<Endpoint> {
  const router = routerOf(
    endpoints,
    (endpoint) => routeOf(wiring, endpoint, actions[endpoint]),
    (allow) => allowRoute(wiring, allow),
  );
  const handler = middy({
    timeoutEarlyInMillis: reserveMs,
    timeoutEarlyResponse: refuseTimeout,
  })
    .use(browsers(wiring.services.settings))
    .use(log(wiring))
    .use(answering(wiring.services))
    .use(stripBasePath())
    .use(addressed(wiring.services))
    .handler(router as never);
  return Object.assign(watched(handler as unknown as EndpointHandler), {
    actions,
  }) as Handler<Endpoint>;
}

/** A handler whose requests are spans. */
function watched(handler: EndpointHandler) {
  return async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const own = context as StateContext;
    const span: RequestSpan = { headers: traceHeadersOf(event) };
    return spanned(spans.request, span, async () => {
      if (span.trace) own.trace = span.trace;
      try {
        return await handler(event, own);
      } finally {
        if (own.state?.line) span.line = own.state.line;
      }
    });
  };
}

function traceHeadersOf(event: APIGatewayProxyEvent): TraceHeaders {
  const found = ['traceparent', 'tracestate'].map((name) => [name, headerOf(event, name)] as const);
  return Object.fromEntries(found.flatMap(([name, text]) => (text ? [[name, text]] : [])));
}

/** One endpoint: the checks of body and caller, then its action. */
function routeOf(wiring: Wiring, endpoint: string, action: Action): EndpointHandler {
  const { services } = wiring;
  const handler = middy({ timeoutEarlyInMillis: 0 })
    .before((({ context }: MiddyRequest) => {
      context.state.endpoint = endpoint;
      context.state.refuse = action.refuse;
    }) as never)
    .use(strictJson(action))
    .use(form(action))
    .use(authorization(services, action))
    .use(shape(action))
    .use(signatures(action))
    .use(query(action))
    .handler((async (event: APIGatewayProxyEvent, context: StateContext) => {
      const call = callOf(services, event, context);
      const span = { endpoint, ledger: call.ledger.handle };
      const answer = await spanned(spans.action, span, () => perform(action, call));
      context.state.outcome = outcomeIn(endpoint, answer);
      const body = withOwnProofs(call.ledger, answer.body, services.clock());
      const shown = await represented(services.settings, { ...answer, body }, event);
      const response = reply(services, shown, context.state.request);
      return compressed(services.settings, response, event);
    }) as never);
  return handler as unknown as EndpointHandler;
}

/** The answer to `OPTIONS`. */
function allowRoute({ services }: Wiring, allow: string): EndpointHandler {
  const document = { type: 'text/plain', text: '', headers: allowing(allow) };
  return async (_, { state }) => reply(services, { status: 204, document }, state.request);
}

function callOf(
  services: Services,
  { pathParameters, multiValueQueryStringParameters }: APIGatewayProxyEvent,
  { state }: StateContext,
): Call {
  if (!state.ledger) throw new Error('The ledger is known before an action runs.');
  return {
    services,
    ledger: state.ledger,
    path: decoded(pathParameters),
    query: (multiValueQueryStringParameters ?? {}) as Query,
    body: state.body,
    work: newWork(services),
    ...(state.bearer && { bearer: state.bearer }),
    ...(state.sent && { sent: state.sent }),
  };
}

/** Turns a thrown error into a signed answer. It runs before `log` and `browsers` on the way out. */
function answering(
  services: Services,
): middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    onError: async (request) => {
      const { context, error } = request as unknown as MiddyRequest;
      request.response = await refuse(services, error, context.state);
    },
  };
}

function refuseTimeout(): never {
  throw new LedgerError(
    'api.request-timeout',
    'Processing timed out; the request may or may not have been processed.',
  );
}
