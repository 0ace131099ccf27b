/** A thread that runs the functions for the pool, like one warm instance on AWS. */
import { parentPort } from 'node:worker_threads';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { type FunctionGroup, groups } from '../../infra/topology.ts';
import type { StateContext } from '../../shared/http/state.ts';
import { measure } from '../telemetry/measuring.ts';
import { startTracing } from '../telemetry/tracing.ts';
import type { Invocation, WorkerAnswer } from './pool.ts';
import './quiet.ts';

type LambdaHandler = (
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<APIGatewayProxyResult>;

/** The time limit of API Gateway, in milliseconds. */
const invocationMs = 29_000;

async function loadHandlers(): Promise<Record<FunctionGroup, LambdaHandler>> {
  const names = Object.keys(groups) as FunctionGroup[];
  const loaded = names.map(async (name) => {
    const { handler } = (await import(`../../functions/${name}/handler.ts`)) as {
      handler: LambdaHandler;
    };
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

async function answerTo({ id, group, event }: Invocation): Promise<WorkerAnswer> {
  const context = contextOf(event);
  try {
    const result = await handlers[group](event, context);
    // The handler leaves the line of its log in the context.
    const { line } = (context as StateContext).state;
    return { id, result, ...(line && { line }) };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

const tracing = await startTracing();
measure((measured) => parentPort?.postMessage({ measured }));
const handlers = await loadHandlers();
parentPort?.on('message', (invocation: Invocation | 'stop') => {
  if (invocation === 'stop') void stop();
  else void answerTo(invocation).then((answer) => parentPort?.postMessage(answer));
});

/** Ends the thread, once its spans are sent. */
async function stop(): Promise<void> {
  await tracing?.close();
  process.exit(0);
}

parentPort?.postMessage('ready');
