/**
 * The path as endpoints have it. The base address without a slash has an empty one at some gateways. Behind a domain of its own API Gateway leaves the mapped base path in an
 * event's path, and only there: without one, the path is below the stage already, and differs from that of
 * the request.
 * https://docs.aws.amazon.com/powertools/typescript/latest/features/event-handler/rest/
 */
import type middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Takes the base path off, which is the name of the stage. */
export function belowBase(): middy.MiddlewareObj<APIGatewayProxyEvent> {
  return {
    before: ({ event }) => {
      event.path = pathBelowBase(event);
    },
  };
}

/** The path of an event without the base path of a domain. */
export function pathBelowBase({
  path,
  requestContext,
}: Pick<APIGatewayProxyEvent, 'path' | 'requestContext'>): string {
  const base = `/${requestContext?.stage}`;
  if (path === '') return '/';
  if (typeof path !== 'string' || path !== requestContext?.path) return path;
  if (path === base) return '/';
  return path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}
