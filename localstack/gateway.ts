/**
 * The gateway of the offline runtime: an HTTP server that makes the events of API Gateway (REST, proxy
 * integration) and hands them to the same handlers that run on AWS.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type Group, groupOf, rootGroup, stage } from '../infra/topology.ts';
import type { Invoke } from './pool.ts';

/** One byte more than the doors let in, so that they refuse what is larger. Ruling 6. */
const bodyBytesMax = 1024 * 1024 + 1;
/** What is read at all before the connection is cut, as API Gateway does. */
const drainBytesMax = 10 * 1024 * 1024;
/** Serves the functions under `/{stage}`. */
export function gateway(invoke: Invoke): Server {
  const server = createServer((message, answer) => {
    serve(invoke, message, answer).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      answer.destroy();
    });
  });
  server.keepAliveTimeout = 65_000;
  return server;
}

async function serve(
  invoke: Invoke,
  message: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const sourceIp = message.socket.remoteAddress ?? '';
  const body = await bodyOf(message);
  const event = eventOf(message, sourceIp, body);
  const result = await invoke(groupAt(event), event);
  if (body.length >= bodyBytesMax) answer.setHeader('connection', 'close');
  answer.writeHead(result.statusCode, result.headers as Record<string, string>);
  answer.end(result.body);
}

/** The body, cut off where it is too large anyway. */
async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  // What is over the limit is read and thrown away, so that the client hears the answer.
  for await (const chunk of message as AsyncIterable<Buffer>) {
    if (length < bodyBytesMax) chunks.push(chunk);
    length += chunk.length;
    if (length > drainBytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, bodyBytesMax);
}

/** The group that answers; outside of the stage it is the root group. */
function groupAt({ path, requestContext }: APIGatewayProxyEvent): Group {
  return pathBelowStage(requestContext.path) === undefined ? rootGroup : groupOf(path);
}

function eventOf(message: IncomingMessage, sourceIp: string, body: Buffer): APIGatewayProxyEvent {
  // As it came: API Gateway does not resolve dots or second slashes either.
  const [pathname = '/', ...search] = (message.url ?? '/').split('?');
  // Outside of the stage there is nothing; the root group says so, in the caller's own words.
  const path = pathBelowStage(pathname) ?? outsidePath(pathname);
  const multiValueQueryStringParameters = valuesOf(new URLSearchParams(search.join('?')));
  const requestId = randomUUID();
  return {
    resource: '/{proxy+}',
    path,
    httpMethod: message.method ?? 'GET',
    headers: singleValued(message.headers),
    multiValueHeaders: {},
    queryStringParameters: null,
    multiValueQueryStringParameters,
    pathParameters: null,
    stageVariables: null,
    requestContext: {
      requestId,
      stage,
      path: pathname,
      identity: { sourceIp },
    } as APIGatewayProxyEvent['requestContext'],
    body: body.length > 0 ? body.toString('base64') : null,
    isBase64Encoded: body.length > 0,
  };
}

/** The path as the stage sees it; undefined for what lies outside of the stage. */
function pathBelowStage(pathname: string): string | undefined {
  const prefix = `/${stage}`;
  if (pathname === prefix) return '/';
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : undefined;
}

/** A path that no endpoint has. */
function outsidePath(pathname: string): string {
  return pathname === '/' ? '/.' : pathname;
}

function valuesOf(search: URLSearchParams): Record<string, string[]> {
  const values: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const name of search.keys()) values[name] ??= search.getAll(name);
  return values;
}

function singleValued(headers: IncomingMessage['headers']): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  return Object.fromEntries(entries);
}
