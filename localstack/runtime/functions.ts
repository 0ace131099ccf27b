/** The functions, invoked by API Gateway's events in this thread: like one warm instance on AWS. */
import { extname } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { type FunctionGroup, groups } from '../../infra/topology.ts';
import { runBesideOthers } from '../../shared/crypto/pool.ts';
import type { StateContext } from '../../shared/http/state.ts';
import type { LogLine } from '../../shared/port/trace.ts';
import { measure } from '../telemetry/measuring.ts';
import type { Measurement } from '../telemetry/metrics.ts';
import { startTracing } from '../telemetry/tracing.ts';

type LambdaHandler = (
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<APIGatewayProxyResult>;

/** An answer, with the line of the log that tells of it. */
export interface FunctionAnswer {
  readonly result: APIGatewayProxyResult;
  readonly line?: LogLine;
}

export interface Functions {
  readonly answer: (group: FunctionGroup, event: APIGatewayProxyEvent) => Promise<FunctionAnswer>;
  /** Sends the last spans. */
  readonly close: () => Promise<void>;
}

/** That of modules here: of sources, or compiled. */
const extension = extname(import.meta.url);
/** The time limit of API Gateway, in milliseconds. */
const invocationMs = 29_000;

/** Loads the functions into this thread. What they measure goes to `record`. */
export async function loadFunctions(
  record: (measurement: Measurement) => void,
): Promise<Functions> {
  const tracing = await startTracing();
  measure(record);
  const handlers = await loadHandlers();
  return {
    answer: async (group, event) => {
      const context = contextOf(event);
      const result = await runBesideOthers(() => handlers[group](event, context));
      // The handler leaves the line of its log in the context.
      const { line } = (context as StateContext).state;
      return { result, ...(line && { line }) };
    },
    close: async () => tracing?.close(),
  };
}

async function loadHandlers(): Promise<Record<FunctionGroup, LambdaHandler>> {
  const names = Object.keys(groups) as FunctionGroup[];
  const loaded = names.map(async (name) => {
    const path = `../../functions/${name}/handler${extension}`;
    const { handler } = (await import(path)) as { handler: LambdaHandler };
    return [name, handler] as const;
  });
  return Object.fromEntries(await Promise.all(loaded)) as Record<FunctionGroup, LambdaHandler>;
}

function contextOf(event: APIGatewayProxyEvent): Context {
  const deadlineMs = performance.now() + invocationMs;
  return {
    awsRequestId: event.requestContext.requestId,
    getRemainingTimeInMillis: () => deadlineMs - performance.now(),
  } as Context;
}
