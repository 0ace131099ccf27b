/** Routing: from method and path to an endpoint and its path parameters. The `explain` command uses the same router. */
import httpRouter from '@middy/http-router';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { LedgerError } from '../ledger/errors.ts';

const methodsAll = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const;
type HttpMethod = (typeof methodsAll)[number];

/** The handler of an endpoint. */
type Answering<Result> = (event: APIGatewayProxyEvent, context: never) => Result;

/** The part of an event that routing needs. */
type Requested = Pick<APIGatewayProxyEvent, 'httpMethod' | 'path' | 'pathParameters'>;

/** Passes a request to its handler. */
type Router<Result> = (event: Requested, context: Context) => Result;

/** The endpoint of a request. */
export interface Met<Endpoint extends string> {
  readonly endpoint: Endpoint;
  /** Path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
}

/**
 * Makes a router. `HEAD` goes to the endpoint of `GET`. `OPTIONS` goes to `allowingOf`, with the methods of the path.
 * Refuses with `api.route-not-found`, or with `api.method-not-allowed` for a path with other methods. Ruling 80.
 */
export function routerOf<Endpoint extends string, Result>(
  endpoints: readonly Endpoint[],
  answeringOf: (endpoint: Endpoint) => Answering<Result>,
  allowingOf?: (allow: string) => Answering<Result>,
): Router<Result> {
  const routes = endpoints.flatMap((endpoint) => {
    const [method, path] = endpoint.split(' ') as [HttpMethod, string];
    const route = { method, path, handler: answeringOf(endpoint) };
    return method === 'GET' ? [route, { ...route, method: 'HEAD' as const }] : [route];
  });
  const methodsAt = methodsOf(routes);
  const route = routing<Result | undefined>(routes, () => undefined);
  return (event, context) => {
    const { httpMethod, path } = event;
    if (!isText(httpMethod) || !isText(path))
      throw new LedgerError('api.route-not-found', 'The event names no method and path.');
    // The router needs the version of the event. Path parameters of the gateway are decoded already; the router finds
    // them again, still encoded.
    const met = route({ ...event, ...ofRestApi, pathParameters: null } as Requested, context);
    if (met !== undefined) return met;
    const methods = methodsAt(path);
    if (methods.length === 0) throw refuseRoute(httpMethod, path);
    const allow = [...methods, 'OPTIONS'].join(', ');
    if (httpMethod === 'OPTIONS' && allowingOf)
      return allowingOf(allow)(event as APIGatewayProxyEvent, context as never);
    throw refuseMethod(httpMethod, path, allow);
  };
}

/** The version of REST API events. */
const ofRestApi = { version: '1.0' };

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

interface PathHandler<Result> {
  readonly method: HttpMethod;
  readonly path: string;
  readonly handler: Answering<Result>;
}

function routing<Result>(
  routes: readonly PathHandler<Result>[],
  notFoundResponse: () => Result,
): Router<Result> {
  const options = { routes, notFoundResponse };
  return httpRouter(
    options as unknown as Parameters<typeof httpRouter>[0],
  ) as unknown as Router<Result>;
}

/** The methods of a path, found by the same router. */
function methodsOf(routes: readonly PathHandler<unknown>[]): (path: string) => string[] {
  const isThere = routing(
    routes.map((route) => ({ ...route, handler: () => true })),
    () => false,
  );
  return (path) =>
    methodsAll.filter((httpMethod) =>
      isThere({ httpMethod, path, pathParameters: null }, {} as Context),
    );
}

/** The endpoint that a request would reach; throws as `routerOf` does. */
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

/** Path parameters are URL-encoded, as the client sent them. Ruling 11. */
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

function refuseMethod(method: string, path: string, allow: string): LedgerError {
  const detail = `There is no ${method} ${path.slice(0, 200)}, only ${allow}.`;
  return new LedgerError('api.method-not-allowed', detail, undefined, { allow });
}

function refuseRoute(method: string, path: string): LedgerError {
  return new LedgerError('api.route-not-found', `There is no ${method} ${path.slice(0, 200)}.`);
}
