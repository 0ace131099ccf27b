/**
 * The gateway of the offline runtime: an HTTP server that makes events of API Gateway (REST, proxy integration) and
 * invokes the same handlers that run on AWS.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type FunctionGroup, groupOf, rootGroup, stage } from '../../infra/topology.ts';
import { cut } from '../../shared/ledger/cut.ts';
import { stackOf } from '../../shared/ledger/thrown.ts';
import { noteCall } from '../engine/caller.ts';
import { isAnswerTooLarge } from './answer-limit.ts';
import { apiEventOf, pathBelowStage } from './api-event.ts';
import { isMetrics, type ServeMetrics } from './metrics-page.ts';
import type { IsOwnName } from './own-name.ts';
import type { Invoke } from './pool.ts';

/** One byte more than the limit, so that the handlers can refuse a larger body. Ruling 6. */
const bodyBytesMax = 1024 * 1024 + 1;
/** The connection is cut after so many bytes, as by API Gateway. */
const drainBytesMax = 10 * 1024 * 1024;

interface GatewayOptions {
  readonly metrics?: ServeMetrics;
  /** Absent where a request may call the server by any name. */
  readonly isOwnName?: IsOwnName | undefined;
}

/** Serves the functions under `/{stage}`, and metrics at `/metrics`. */
export function gateway(invoke: Invoke, { metrics, isOwnName }: GatewayOptions = {}): Server {
  const server = createServer((message, answer) => {
    toOriginForm(message);
    if (isOwnName?.(message.headers.host) === false) return misdirected(message, answer);
    const isStopping = () => !server.listening;
    const served =
      metrics && isMetrics(message)
        ? metrics(answer, isStopping)
        : serve(invoke, message, answer, isStopping);
    served.catch((error: unknown) => {
      // One that its sender has cut short is no fault of the ledger.
      if (message.complete) process.stderr.write(`${stackOf(error)}\n`);
      answer.destroy();
    });
  });
  server.keepAliveTimeout = 65_000;
  // All are read: their bytes are limited.
  server.maxHeadersCount = 0;
  return server;
}

/**
 * Gives a target in absolute form, as a client sends it that takes the server for a proxy, the usual form. Its host takes the
 * place of the header. RFC 9112 3.2.2.
 */
function toOriginForm(message: IncomingMessage): void {
  const { url = '', rawHeaders } = message;
  const [start, host = ''] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (start === undefined) return;
  message.url = url.slice(start.length).replace(/^(?!\/)/, '/');
  message.headers.host = host;
  message.rawHeaders = rawHeaders.map((text, index) =>
    index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host' ? host : text,
  );
}

/** Refuses a request for a server of another name. RFC 9110 15.5.20. */
function misdirected(message: IncomingMessage, answer: ServerResponse): void {
  const host = cut(message.headers.host ?? '');
  const detail = `No server here is called ${host}: name it in LEDGER_URLS, or use localhost.`;
  answer.writeHead(421, { 'content-type': 'application/json', connection: 'close' });
  answer.end(JSON.stringify({ message: detail }));
}

async function serve(
  invoke: Invoke,
  message: IncomingMessage,
  answer: ServerResponse,
  isStopping: () => boolean,
): Promise<void> {
  const body = await bodyOf(message);
  const event = eventOf(message, body);
  noteCall(message.socket);
  const result = carried(await invoke(groupAt(event), event));
  // A client that always has one more request would keep a server that is about to stop from its end. RFC 9112 9.6.
  if (body.length >= bodyBytesMax || isStopping()) answer.setHeader('connection', 'close');
  const bytes = Buffer.from(result.body, result.isBase64Encoded === true ? 'base64' : 'utf8');
  const headers = result.headers as Record<string, string>;
  if (bytes.length === 0 || message.method === 'HEAD') {
    answer.writeHead(result.statusCode, headers).end();
    return;
  }
  answer.writeHead(result.statusCode, { ...headers, 'content-length': bytes.length });
  if (bytes.length <= answer.writableHighWaterMark) answer.end(bytes);
  else endOnceSent(answer, bytes, isStopping);
}

/**
 * Ends an answer when the system has its last byte. For Node, a connection whose answer has ended is idle, and a stop
 * closes it, even while a slow client has still to read most of it.
 */
function endOnceSent(answer: ServerResponse, bytes: Buffer, isStopping: () => boolean): void {
  answer.write(bytes, () => {
    const { socket } = answer;
    answer.end();
    if (isStopping()) socket?.destroySoon();
  });
}

/** The answer as on AWS, where the gateway replaces one that is too large by a 502. */
function carried(result: APIGatewayProxyResult): APIGatewayProxyResult {
  if (!isAnswerTooLarge(result)) return result;
  process.stderr.write('Function.ResponseSizeTooLarge: the answer is larger than Lambda allows.\n');
  const headers = { 'content-type': 'application/json' };
  return { statusCode: 502, headers, body: '{"message":"Internal server error"}' };
}

/** Reads the body, up to the first byte that is too much. */
async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  // The rest is read and discarded, so that the client receives the answer.
  for await (const chunk of message as AsyncIterable<Buffer>) {
    if (length < bodyBytesMax) chunks.push(chunk);
    length += chunk.length;
    if (length > drainBytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, bodyBytesMax);
}

/** The group that answers; outside of the stage it is the root group. */
function groupAt({ path, requestContext }: APIGatewayProxyEvent): FunctionGroup {
  return pathBelowStage(requestContext.path) === undefined ? rootGroup : groupOf(path);
}

function eventOf(message: IncomingMessage, body: Buffer): APIGatewayProxyEvent {
  // The path as sent: API Gateway does not resolve dots or double slashes either.
  const [pathname = '/'] = (message.url ?? '/').split('?');
  // A path outside of the stage goes to the root group, which answers 404 with this path.
  return apiEventOf(message, pathBelowStage(pathname) ?? outsidePath(pathname), body);
}

/** A path that no endpoint has. That of the server itself leads to the ledger, since the answer names the path. */
function outsidePath(pathname: string): string {
  if (pathname !== '/') return pathname;
  return `/: the ledger is at /${stage}, its reference at /${stage}/docs`;
}
