/**
 * The request log: one line of JSON for each request, with endpoint, ledger, status and duration. It never holds a
 * body, a query, a token or a key. An unexpected error is logged with its stack, under the request id that the caller
 * got.
 */
import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { LedgerError } from '../ledger/errors.ts';
import type { Clock } from '../port/ports.ts';
import type { MiddyRequest, RequestState } from './state.ts';

export interface LogLine {
  readonly level: 'info' | 'error';
  readonly request: string;
  readonly method: string;
  /** The declared endpoint instead of the path, which would contain handles of customers. */
  readonly endpoint: string;
  readonly ledger: string;
  readonly status: number;
  readonly ms: number;
  readonly reason?: string;
  readonly error?: string;
}
export type Log = (line: LogLine) => void;

/** Starts the state of a request, and writes its line at the end. */
export function log(wiring: {
  readonly log: Log;
  readonly services: { readonly clock: Clock };
}): middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  const { clock } = wiring.services;
  const close = (request: unknown): void => {
    const { event, context, response, error } = request as MiddyRequest;
    wiring.log(lineOf(event, context.state, response, error, clock()));
  };
  return {
    before: (request) => {
      const step = request as unknown as MiddyRequest;
      const id = step.event.requestContext?.requestId ?? step.context.awsRequestId;
      step.context.state = { request: id, startedMs: clock() };
    },
    after: close,
    onError: close,
  };
}

function lineOf(
  event: APIGatewayProxyEvent,
  state: RequestState,
  response: APIGatewayProxyResult | null,
  error: Error | null,
  nowMs: number,
): LogLine {
  const isApiError = error instanceof LedgerError;
  return {
    level: error && !isApiError ? 'error' : 'info',
    request: state.request,
    method: event.httpMethod,
    endpoint: state.endpoint ?? 'none',
    ledger: state.ledger?.handle ?? 'none',
    status: response?.statusCode ?? 500,
    ms: nowMs - state.startedMs,
    ...(isApiError && { reason: error.reason }),
    ...(error && !isApiError && { error: error.stack ?? error.message }),
  };
}
