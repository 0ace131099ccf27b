/** State of one request, shared by its steps. */
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Action, Identity, SentBody } from '../port/action.ts';
import type { Bearer } from '../port/bearer.ts';
import type { LoggedIntents, LogLine } from '../port/trace.ts';

/** Each step fills its part, in the order of the checks. SPEC, Requests and answers. */
export interface RequestState {
  readonly request: string;
  readonly startedMs: number;
  ledger?: Identity;
  endpoint?: string;
  /** The parsed body. */
  body?: unknown;
  /** The raw body, for an action that reads it by itself. */
  sent?: SentBody;
  /** Converts errors for an endpoint with an error format of its own. */
  refuse?: Action['refuse'];
  bearer?: Bearer;
  /** Read from the answer, for the log. */
  outcome?: LoggedIntents;
  /** Set at the end of the request. */
  line?: LogLine;
}

/** With the id of the trace, where requests are traced. */
export type StateContext = Context & { state: RequestState; trace?: string };

/** The request of a step, as middy passes it. */
export interface MiddyRequest {
  event: APIGatewayProxyEvent;
  context: StateContext;
  response: APIGatewayProxyResult | null;
  error: Error | null;
}
