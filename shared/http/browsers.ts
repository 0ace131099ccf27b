/**
 * CORS headers of every answer, and the removal of the body from answers to `HEAD`. They are set here and not in API
 * Gateway, so that the offline runtime answers the same. Ruling 80, Decision 82.
 */
import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Settings } from '../port/action.ts';
import { headerOf } from './header.ts';
import type { MiddyRequest } from './state.ts';

/** Response headers that pages may read beside the safelisted ones. API Gateway renames `www-authenticate`. */
const exposed =
  'allow, content-disposition, link, retry-after, www-authenticate, x-amzn-remapped-www-authenticate, x-request-id';

/** Request headers that pages may send beside the safelisted ones. */
const sendable = 'authorization, content-type, x-ledger';

/** The lifetime of a preflight answer, in seconds; browsers accept no more. */
const rememberedSeconds = 7_200;

export function allowing(allow: string): Readonly<Record<string, string>> {
  return {
    allow,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': sendable,
    'access-control-max-age': String(rememberedSeconds),
  };
}

/** The last step outwards. */
export function browsers(
  settings: Settings,
): middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  const addHeaders = (request: unknown): void => {
    const step = request as MiddyRequest;
    const { event, response } = step;
    if (!response) return;
    const headers = { ...response.headers, ...originHeaders(settings, event, response) };
    const body = event.httpMethod === 'HEAD' ? '' : response.body;
    step.response = { ...response, headers, body };
  };
  return { after: addHeaders, onError: addHeaders };
}

function originHeaders(
  { origins }: Settings,
  event: APIGatewayProxyEvent,
  { headers }: APIGatewayProxyResult,
): Readonly<Record<string, string>> {
  const exposedHeaders = { 'access-control-expose-headers': exposed };
  if (!origins) return { ...exposedHeaders, 'access-control-allow-origin': '*' };
  const origin = headerOf(event, 'origin') ?? '';
  const { vary } = headers ?? {};
  return {
    ...exposedHeaders,
    // A cache must not give an answer for one origin to another.
    vary: vary === undefined ? 'origin' : `${vary}, origin`,
    ...(origins.includes(origin) && { 'access-control-allow-origin': origin }),
  };
}
