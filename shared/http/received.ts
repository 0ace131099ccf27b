/**
 * A request as its sender may have seen it, so that a token can be bound to it. The base address is
 * configuration, and the query arrives decoded: each way in which clients encode one is tried, in the order
 * in which it came. Ruling 27, Decision 33.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Query } from '../ledger/query.ts';

/** What `hsh` is checked against. */
interface Received {
  readonly method: string;
  readonly urls: readonly string[];
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The ways in which clients write a part of a query, most of them named after who writes like that. */
const encoders: readonly ((text: string) => string)[] = [
  (text) => new URLSearchParams([[text, '']]).toString().slice(0, -1),
  encodeURIComponent,
  (text) =>
    encodeURIComponent(text)
      .replaceAll(/%3A|%24|%2C|%5B|%5D/g, decodeURIComponent)
      .replaceAll('%20', '+'),
  (text) => text,
];

/** The request of an event whose body has come through the doors. */
export function receivedOf(
  { httpMethod, path, headers, multiValueQueryStringParameters }: APIGatewayProxyEvent,
  body: unknown,
  servers: readonly string[],
): Received {
  const searches = searchesOf((multiValueQueryStringParameters ?? {}) as Query);
  const paths = path === '/' ? ['', '/'] : [path];
  const urls = servers.flatMap((server) =>
    paths.flatMap((place) => searches.map((search) => `${server}${place}${search}`)),
  );
  return { method: httpMethod, urls, body: body ?? null, headers: headers ?? {} };
}

/** A query as texts, each way of writing it once. */
function searchesOf(query: Query): string[] {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );
  if (pairs.length === 0) return [''];
  const searches = encoders.map((encode) =>
    pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&'),
  );
  return [...new Set(searches)].map((search) => `?${search}`);
}
