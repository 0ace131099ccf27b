/**
 * The request log: one line for each request, with time, endpoint, ledger, status and duration, and what became of an
 * intent. It never holds a path, a body, a query, a token or a key. An unexpected error is logged with its stack, under
 * the request id that the caller got.
 */
import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { LedgerError } from '../ledger/errors.ts';
import { kinds } from '../ledger/kind.ts';
import type { Answer } from '../port/action.ts';
import type { Clock } from '../port/ports.ts';
import type { IntentLine, LoggedIntents, LogLine } from '../port/trace.ts';
import type { MiddyRequest, StateContext } from './state.ts';

export type Log = (line: LogLine) => void;

/** Starts the state of a request, and writes its line at the end. */
export function log(wiring: {
  readonly log: Log;
  readonly services: { readonly clock: Clock };
}): middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  const { clock } = wiring.services;
  const close = (request: unknown): void => {
    const { event, context, response, error } = request as MiddyRequest;
    const line = lineOf(event, context, response, error, clock());
    context.state.line = line;
    wiring.log(line);
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
  { state, trace }: StateContext,
  response: APIGatewayProxyResult | null,
  error: Error | null,
  nowMs: number,
): LogLine {
  const isApiError = error instanceof LedgerError;
  return {
    level: error && !isApiError ? 'error' : 'info',
    time: new Date(nowMs).toISOString(),
    request: state.request,
    method: event.httpMethod,
    endpoint: state.endpoint ?? 'none',
    ledger: state.ledger?.handle ?? 'none',
    status: response?.statusCode ?? 500,
    ms: nowMs - state.startedMs,
    ...(trace !== undefined && { trace }),
    ...(!error && state.outcome),
    ...(isApiError && { reason: error.reason }),
    ...(error && !isApiError && { error: error.stack ?? error.message }),
  };
}

/** A stored intent, as far as the log reads an answer. */
interface AnsweredIntent {
  readonly luid?: unknown;
  readonly data?: unknown;
  readonly meta?: {
    readonly status?: string;
    readonly proofs?: readonly {
      /** Absent on proofs of the ledger. */
      readonly origin?: string;
      readonly custom?: Readonly<Record<string, unknown>>;
    }[];
  };
}

/** Reads what became of the intent of an answer, or of those of a batch. A list tells nothing. */
export function outcomeIn(endpoint: string, { body }: Answer): LoggedIntents {
  const answered = (body ?? {}) as AnsweredIntent;
  if (isIntent(answered)) return { intent: intentLineOf(answered) };
  if (endpoint !== batchEndpoint || !Array.isArray(answered.data)) return {};
  const intents: Record<string, number> = {};
  for (const { meta } of (answered.data as AnsweredIntent[]).filter(isIntent)) {
    const status = meta?.status ?? '';
    intents[status] = (intents[status] ?? 0) + 1;
  }
  return { intents };
}

const batchEndpoint = 'POST /intents/!batch';

function isIntent({ luid }: AnsweredIntent): boolean {
  return typeof luid === 'string' && luid.startsWith(`$${kinds.intent.prefix}.`);
}

function intentLineOf({ luid, meta = {} }: AnsweredIntent): IntentLine {
  const { status = '', proofs = [] } = meta;
  // Only the ledger's own reason: others may write anything.
  const { custom } =
    proofs.find((one) => one.origin === undefined && one.custom?.['status'] === 'failed') ?? {};
  const reason = custom?.['reason'];
  return { luid: luid as string, status, ...(typeof reason === 'string' && { reason }) };
}
