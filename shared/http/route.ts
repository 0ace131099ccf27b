/** Which endpoint a request meets, and what its path says: one router, for requests and for whoever asks about one. */
import httpRouter from '@middy/http-router';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { LedgerError } from '../ledger/errors.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What an endpoint does with the event of a request. */
type Answering<Result> = (event: APIGatewayProxyEvent, context: never) => Result;

/** A request, as far as it says which endpoint it means. */
type Requested = Pick<APIGatewayProxyEvent, 'httpMethod' | 'path' | 'pathParameters'>;

/** The endpoint that a request meets. */
export interface Met<Endpoint extends string> {
  readonly endpoint: Endpoint;
  /** The path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
}

/** Hands each request to the endpoint that it means; refuses with `api.route-not-found`. */
export function routerOf<Endpoint extends string, Result>(
  endpoints: readonly Endpoint[],
  answeringOf: (endpoint: Endpoint) => Answering<Result>,
): (event: Requested, context: Context) => Result {
  const routes = endpoints.map((endpoint) => {
    const [method, path] = endpoint.split(' ') as [Method, string];
    return { method, path, handler: answeringOf(endpoint) };
  });
  const options = { routes, notFoundResponse: refuseRoute };
  const router = httpRouter(options as unknown as Parameters<typeof httpRouter>[0]) as unknown as (
    event: Requested,
    context: Context,
  ) => Result;
  return (event, context) => {
    const { httpMethod, path } = event;
    if (!isText(httpMethod) || !isText(path))
      throw new LedgerError('api.route-not-found', 'The event names no method and path.');
    // The router is told which form the event has. What the gateway made of the path has been decoded already; what
    // the router finds in it has not.
    return router({ ...event, ...ofRestApi, pathParameters: null }, context);
  };
}

/** The form of the events of a REST API, as the router calls it. */
const ofRestApi = { version: '1.0' };

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** The endpoint that a request would meet. */
export function endpointAt<Endpoint extends string>(
  endpoints: readonly Endpoint[],
  method: string,
  path: string,
): Met<Endpoint> {
  const router = routerOf(endpoints, (endpoint) => ({ pathParameters }) => ({
    endpoint,
    path: decoded(pathParameters),
  }));
  return router({ httpMethod: method, path, pathParameters: null }, {} as Context);
}

/** Path parameters arrive URL-encoded, as the client sent them. Ruling 11. */
export function decoded(
  parameters: APIGatewayProxyEvent['pathParameters'],
): Record<string, string> {
  const entries = Object.entries(parameters ?? {}).map(([name, text = '']) => {
    try {
      return [name, decodeURIComponent(text)] as const;
    } catch {
      throw new LedgerError('api.route-not-found', 'The path is not a valid URL encoding.');
    }
  });
  return Object.fromEntries(entries);
}

function refuseRoute({ method, path }: { method: string; path: string }): never {
  throw new LedgerError('api.route-not-found', `There is no ${method} ${path.slice(0, 200)}.`);
}
