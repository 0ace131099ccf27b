/**
 * What browsers are told of every answer: which pages may read it, and what of it. It is said here and not by API
 * Gateway, so that the offline runtime says the same. An answer to `HEAD` loses its body here. Ruling 80, Decision 82.
 */
import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Settings } from '../port/action.ts';
import { headerOf } from './header.ts';
import type { Step } from './state.ts';

/** What a page may read of an answer beside what it always may; API Gateway renames the challenge. */
const exposed =
  'allow, content-disposition, link, retry-after, www-authenticate, x-amzn-remapped-www-authenticate, x-request-id';

/** Headers that a page may send beside what it always may. */
const sendable = 'authorization, content-type, x-ledger';

/** How long a browser may remember what a path allows, in seconds: the longest that browsers take. */
const rememberedSeconds = 7_200;

/** The headers of an answer to `OPTIONS`. */
export function allowing(allow: string): Readonly<Record<string, string>> {
  return {
    allow,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': sendable,
    'access-control-max-age': String(rememberedSeconds),
  };
}

/** The last step outwards: tells browsers who may read the answer. */
export function browsers(
  settings: Settings,
): middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  const tell = (request: unknown): void => {
    const step = request as Step;
    const { event, response } = step;
    if (!response) return;
    const headers = { ...response.headers, ...originHeaders(settings, event, response) };
    const body = event.httpMethod === 'HEAD' ? '' : response.body;
    step.response = { ...response, headers, body };
  };
  return { after: tell, onError: tell };
}

function originHeaders(
  { origins }: Settings,
  event: APIGatewayProxyEvent,
  { headers }: APIGatewayProxyResult,
): Readonly<Record<string, string>> {
  const told = { 'access-control-expose-headers': exposed };
  if (!origins) return { ...told, 'access-control-allow-origin': '*' };
  const origin = headerOf(event, 'origin') ?? '';
  const { vary } = headers ?? {};
  return {
    ...told,
    // Whoever keeps an answer must not show it to the pages of another origin.
    vary: vary === undefined ? 'origin' : `${vary}, origin`,
    ...(origins.includes(origin) && { 'access-control-allow-origin': origin }),
  };
}
