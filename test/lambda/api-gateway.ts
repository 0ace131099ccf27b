/**
 * Emulates API Gateway: its events and limits, its own answers where a function gives none, and the headers that it
 * renames.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type FunctionGroup, groupOf, groupTimeoutSeconds } from '../../infra/topology.ts';
import { apiEventOf, pathBelowStage } from '../../localstack/runtime/api-event.ts';
import { stackOf } from '../../shared/ledger/thrown.ts';
import type { Outcome } from './runtime-api.ts';

/** Runs the function of a group; `undefined` is no answer in time. */
export type InvokeGroup = (group: FunctionGroup, event: APIGatewayProxyEvent) => Promise<Outcome>;

/** Limits in bytes: of a body at the gateway, and of an event for a function. */
const bodyBytesMax = 10 * 1024 * 1024;
const eventBytesMax = 6 * 1024 * 1024;

/** Headers of a function's answer that the gateway renames. */
const renamed: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'server',
  'www-authenticate',
]);

/** The gateway's own answers. */
const own = {
  forbidden: [403, 'Forbidden', 'ForbiddenException'],
  tooLong: [413, 'Request Too Long', 'RequestTooLargeException'],
  failed: [502, 'Internal server error', 'InternalServerErrorException'],
  timedOut: [504, 'Endpoint request timed out', 'InternalServerErrorException'],
} as const;

/** Serves the functions under the stage. */
export function apiGateway(invoke: InvokeGroup, complain: (why: string) => void): Server {
  const server = createServer((message, answer) => {
    serve(invoke, complain, message, answer).catch((error: unknown) => {
      complain(`gateway: ${stackOf(error)}`);
      answer.destroy();
    });
  });
  server.keepAliveTimeout = 65_000;
  return server;
}

async function serve(
  invoke: InvokeGroup,
  complain: (why: string) => void,
  message: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const body = await bodyOf(message);
  const [pathname = '/'] = (message.url ?? '/').split('?');
  const path = pathBelowStage(pathname);
  if (path === undefined) return say(answer, 'forbidden');
  if (body === undefined) return say(answer, 'tooLong');
  const event = apiEventOf(message, path, body);
  if (Buffer.byteLength(JSON.stringify(event)) > eventBytesMax) return say(answer, 'tooLong');
  const outcome = await inTime(invoke(groupOf(path), event));
  if (outcome === undefined) return say(answer, 'timedOut');
  const result = 'answer' in outcome ? resultIn(outcome.answer) : undefined;
  if (result) return pass(answer, result, event.requestContext.requestId);
  if ('answer' in outcome) complain(`gateway: not an answer: ${outcome.answer.slice(0, 500)}`);
  say(answer, 'failed');
}

/** The body; undefined for one over the limit of the gateway. */
async function bodyOf(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= bodyBytesMax) chunks.push(chunk);
    if (length > 2 * bodyBytesMax) break;
  }
  return length > bodyBytesMax ? undefined : Buffer.concat(chunks);
}

async function inTime(outcome: Promise<Outcome>): Promise<Outcome | undefined> {
  let hurry: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    hurry = setTimeout(() => resolve(undefined), groupTimeoutSeconds * 1000);
  });
  try {
    return await Promise.race([outcome, late]);
  } finally {
    clearTimeout(hurry);
  }
}

/** The answer of a function; undefined when the gateway cannot pass it on. */
function resultIn(text: string): APIGatewayProxyResult | undefined {
  const result = JSON.parse(text) as Partial<APIGatewayProxyResult> | null;
  const isStatus = Number.isInteger(result?.statusCode);
  const isBody = result?.body === undefined || typeof result.body === 'string';
  return isStatus && isBody ? (result as APIGatewayProxyResult) : undefined;
}

function pass(
  answer: ServerResponse,
  {
    statusCode,
    headers = {},
    multiValueHeaders = {},
    body,
    isBase64Encoded,
  }: APIGatewayProxyResult,
  requestId: string,
): void {
  const all = Object.entries({ ...headers, ...multiValueHeaders }).map(
    ([name, value]) =>
      [nameOf(name), Array.isArray(value) ? value.map(String) : String(value)] as const,
  );
  answer.writeHead(statusCode, {
    'content-type': 'application/json',
    'x-amzn-requestid': requestId,
    'x-amz-apigw-id': 'local',
    ...Object.fromEntries(all),
  });
  answer.end(Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'));
}

function nameOf(name: string): string {
  return renamed.has(name.toLowerCase()) ? `x-amzn-remapped-${name.toLowerCase()}` : name;
}

function say(answer: ServerResponse, what: keyof typeof own): void {
  const [status, message, type] = own[what];
  answer
    .writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type })
    .end(JSON.stringify({ message }));
}
