/**
 * Removal of the base path. Behind a custom domain, API Gateway leaves the mapped base path (the name of the stage) in
 * `event.path`. Without one, `event.path` lacks the stage and differs from `requestContext.path`. For the base address
 * without a slash some gateways send an empty path.
 * https://docs.aws.amazon.com/powertools/typescript/latest/features/event-handler/rest/
 */
import type middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';

export function stripBasePath(): middy.MiddlewareObj<APIGatewayProxyEvent> {
  return {
    before: ({ event }) => {
      event.path = pathBelowBase(event);
    },
  };
}

/** The path below the base path. */
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
