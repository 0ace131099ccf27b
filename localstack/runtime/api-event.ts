/**
 * Events of API Gateway (REST, proxy integration), for the offline runtime and the Lambda emulator of the tests.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { groupOf, mountsOf, stage } from '../../infra/topology.ts';

/** Headers of the connection, which the gateway does not pass on. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

type Values = Record<string, string[]>;

/** Makes the event of a request; `path` is its path below the stage. */
export function apiEventOf(
  message: IncomingMessage,
  path: string,
  body: Buffer,
): APIGatewayProxyEvent {
  const [pathname = '/', ...search] = (message.url ?? '/').split('?');
  const query = queryOf(search.join('?'));
  const headers = headersOf(message.rawHeaders);
  const [mount, below] = mountsOf(groupOf(path));
  const proxy = path === mount ? undefined : path.slice(below.indexOf('{'));
  const resource = proxy === undefined ? mount : below;
  return {
    resource,
    path,
    httpMethod: message.method ?? 'GET',
    headers: lastOf(headers),
    multiValueHeaders: headers,
    queryStringParameters: query && lastOf(query),
    multiValueQueryStringParameters: query,
    pathParameters: proxy === undefined ? null : { proxy: decoded(proxy) },
    stageVariables: null,
    requestContext: contextOf(message, resource, pathname),
    body: body.length > 0 ? body.toString('base64') : null,
    isBase64Encoded: body.length > 0,
  };
}

/** The path below the stage; undefined for a path outside of it. */
export function pathBelowStage(pathname: string): string | undefined {
  const prefix = `/${stage}`;
  if (pathname === prefix) return '/';
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : undefined;
}

function contextOf(
  message: IncomingMessage,
  resourcePath: string,
  path: string,
): APIGatewayProxyEvent['requestContext'] {
  const now = new Date();
  const [domainName = ''] = (message.headers.host ?? '').split(':');
  const identity = {
    sourceIp: message.socket.remoteAddress ?? '',
    userAgent: message.headers['user-agent'] ?? null,
  };
  return {
    accountId: '000000000000',
    apiId: 'local',
    domainName,
    domainPrefix: domainName.split('.')[0],
    extendedRequestId: randomUUID(),
    httpMethod: message.method ?? 'GET',
    identity: identity as APIGatewayProxyEvent['requestContext']['identity'],
    authorizer: null,
    // The whole path, with the stage.
    path,
    protocol: `HTTP/${message.httpVersion}`,
    requestId: randomUUID(),
    requestTime: now.toUTCString(),
    requestTimeEpoch: now.getTime(),
    resourceId: 'local',
    resourcePath,
    stage,
  };
}

/** Headers with their names as sent, each with all its values. */
function headersOf(raw: readonly string[]): Values {
  const values: Values = Object.create(null) as Values;
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]];
    if (ofConnection.has(name.toLowerCase())) continue;
    values[name] = [...(values[name] ?? []), value];
  }
  return values;
}

/** The query, decoded; null when there is none. */
function queryOf(search: string): Values | null {
  const parsed = new URLSearchParams(search);
  const values: Values = Object.create(null) as Values;
  for (const name of parsed.keys()) values[name] ??= parsed.getAll(name);
  return Object.keys(values).length > 0 ? values : null;
}

/** The single-value form, in which the gateway keeps the last value of each name. */
function lastOf(values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? '']));
}

/** The gateway decodes path parameters, but not the path itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
