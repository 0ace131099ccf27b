/** Which endpoint a request meets, and what its path says: one router, for requests and for whoever asks about one. */
import httpRouter from '@middy/http-router';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { LedgerError } from '../ledger/errors.ts';

const methodsAll = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const;
type HttpMethod = (typeof methodsAll)[number];

/** What an endpoint does with the event of a request. */
type Answering<Result> = (event: APIGatewayProxyEvent, context: never) => Result;

/** A request, as far as it says which endpoint it means. */
type Requested = Pick<APIGatewayProxyEvent, 'httpMethod' | 'path' | 'pathParameters'>;

/** Hands a request on to whatever answers it. */
type Router<Result> = (event: Requested, context: Context) => Result;

/** The endpoint that a request meets. */
export interface Met<Endpoint extends string> {
  readonly endpoint: Endpoint;
  /** The path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
}

/**
 * Hands each request to the endpoint that it means, `HEAD` to that of `GET`; refuses with `api.route-not-found`, or
 * with `api.method-not-allowed` where the path has other methods. `OPTIONS` is answered by `allowingOf`, which is
 * told the methods of the path. Ruling 80.
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
    // The router is told which form the event has. What the gateway made of the path has been decoded already; what
    // the router finds in it has not.
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

/** The form of the events of a REST API, as the router calls it. */
const ofRestApi = { version: '1.0' };

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** A path with its method, and what answers there. */
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

/** Which methods a path has, found as its endpoint is found. */
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

function refuseMethod(method: string, path: string, allow: string): LedgerError {
  const detail = `There is no ${method} ${path.slice(0, 200)}, only ${allow}.`;
  return new LedgerError('api.method-not-allowed', detail, undefined, { allow });
}

function refuseRoute(method: string, path: string): LedgerError {
  return new LedgerError('api.route-not-found', `There is no ${method} ${path.slice(0, 200)}.`);
}
