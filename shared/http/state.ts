/** What the steps of one request hand on to each other. */
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Action, Identity, Sent } from '../port/action.ts';
import type { Bearer } from '../port/bearer.ts';

/** Filled step by step, in the order of the checks. Rulings, section 2. */
export interface State {
  readonly request: string;
  readonly startedMs: number;
  ledger?: Identity;
  endpoint?: string;
  /** The body once it came through the doors. */
  body?: unknown;
  /** What was sent to an action that reads it by itself. */
  sent?: Sent;
  /** How refusals are answered, where not in the ledger's own words. */
  refuse?: Action['refuse'];
  bearer?: Bearer;
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
