/**
 * The runtime client in a function's process: loads the bundle that `_HANDLER` names, asks the runtime API for one event
 * after another and passes each to the handler, as Lambda's own runtime for Node does. It is compiled to one file, and
 * reads only the environment.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-custom.html
 */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';

type Handler = (event: unknown, context: Context) => unknown;

/** An error in the format of the runtime API. */
interface ToldError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly stackTrace: readonly string[];
}

const version = '2018-06-01';
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const [host = '', port = ''] = variable('AWS_LAMBDA_RUNTIME_API').split(':');

/** The running invocation, which an uncaught error belongs to. */
let running: string | undefined;

function variable(name: string): string {
  return process.env[name] ?? '';
}

/** Calls the runtime API, without a timeout: the next event may come late. */
function ask(method: string, path: string, body?: string): Promise<[IncomingHttpHeaders, string]> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = { host, port, agent, method, headers, path: `/${version}/runtime${path}` };
    const collect = (answer: IncomingMessage): void => {
      const chunks: Buffer[] = [];
      answer
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => resolve([answer.headers, Buffer.concat(chunks).toString()]))
        .on('error', reject);
    };
    request(options, collect).on('error', reject).end(body);
  });
}

function toldOf(error: unknown): ToldError {
  if (!(error instanceof Error))
    return { errorType: typeof error, errorMessage: String(error), stackTrace: [] };
  const stackTrace = (error.stack ?? '').split('\n');
  return { errorType: error.name, errorMessage: error.message, stackTrace };
}

async function load(): Promise<Handler> {
  const [file = '', name = ''] = variable('_HANDLER').split('.');
  const path = join(variable('LAMBDA_TASK_ROOT'), `${file}.mjs`);
  const module = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  const handler = module[name];
  if (typeof handler !== 'function') throw new Error(`${file}.mjs exports no function ${name}.`);
  return handler as Handler;
}

function contextOf(headers: IncomingHttpHeaders): Context {
  const said = (name: string) => String(headers[`lambda-runtime-${name}`] ?? '');
  const deadlineMs = Number(said('deadline-ms'));
  const unused = (): never => {
    throw new Error('Handlers here answer with a promise.');
  };
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: variable('AWS_LAMBDA_FUNCTION_NAME'),
    functionVersion: variable('AWS_LAMBDA_FUNCTION_VERSION'),
    memoryLimitInMB: variable('AWS_LAMBDA_FUNCTION_MEMORY_SIZE'),
    logGroupName: variable('AWS_LAMBDA_LOG_GROUP_NAME'),
    logStreamName: variable('AWS_LAMBDA_LOG_STREAM_NAME'),
    invokedFunctionArn: said('invoked-function-arn'),
    awsRequestId: said('aws-request-id'),
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
    done: unused,
    fail: unused,
    succeed: unused,
  };
}

async function answerNext(handler: Handler): Promise<void> {
  const [headers, event] = await ask('GET', '/invocation/next');
  process.env['_X_AMZN_TRACE_ID'] = String(headers['lambda-runtime-trace-id'] ?? '');
  const context = contextOf(headers);
  running = context.awsRequestId;
  const place = `/invocation/${running}`;
  try {
    const result = await handler(JSON.parse(event), context);
    await ask('POST', `${place}/response`, JSON.stringify(result) ?? 'null');
  } catch (error) {
    await ask('POST', `${place}/error`, JSON.stringify(toldOf(error)));
  }
  running = undefined;
}

/** Reports an uncaught error and ends, since the state of the process is unknown. */
function give(up: 'Runtime.UnhandledPromiseRejection' | 'Runtime.UncaughtException') {
  return (error: unknown): void => {
    const told = JSON.stringify({ ...toldOf(error), errorType: up });
    const path = running === undefined ? '/init/error' : `/invocation/${running}/error`;
    ask('POST', path, told).then(
      () => process.exit(1),
      () => process.exit(1),
    );
  };
}

process.on('unhandledRejection', give('Runtime.UnhandledPromiseRejection'));
process.on('uncaughtException', give('Runtime.UncaughtException'));

try {
  const handler = await load();
  for (;;) await answerNext(handler);
} catch (error) {
  await ask('POST', '/init/error', JSON.stringify(toldOf(error))).catch(() => undefined);
  process.exit(1);
}
