/** What the steps of one request hand on to each other. */
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Identity } from '../action/action.ts';
import type { BearerClaims } from '../crypto/token.ts';

/** Filled step by step, in the order of the checks. Rulings, section 2. */
export interface State {
  readonly request: string;
  readonly startedMs: number;
  ledger?: Identity;
  endpoint?: string;
  /** The body once it came through the doors. */
  body?: unknown;
  bearer?: BearerClaims;
}

/** The context of an invocation, with the state of its request. */
export type StateContext = Context & { state: State };

/** What middy hands to each step. */
export interface Step {
  event: APIGatewayProxyEvent;
  context: StateContext;
  response: APIGatewayProxyResult | null;
  error: Error | null;
}
