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

type Encode = (text: string) => string;

const asForm: Encode = (text) => new URLSearchParams([[text, '']]).toString().slice(0, -1);
const asIs: Encode = (text) => text;
const asAxios: Encode = (text) =>
  encodeURIComponent(text)
    .replaceAll(/%3A|%24|%2C|%5B|%5D/g, decodeURIComponent)
    .replaceAll('%20', '+');

/** The ways in which clients write a query: its names, and its values. */
const ways: readonly (readonly [name: Encode, value: Encode])[] = [
  [asForm, asForm],
  [encodeURIComponent, encodeURIComponent],
  [asAxios, asAxios],
  // Written by hand: most names need no encoding.
  [asIs, encodeURIComponent],
  [asIs, asForm],
  [asIs, asIs],
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
  const written = ways.map(([asName, asValue]) =>
    pairs.map(([name, value]) => `${asName(name)}=${asValue(value)}`).join('&'),
  );
  // What was written as it is, a URL encodes as far as it must.
  const parsed = new URL(`http://host/?${written.at(-1)}`).search.slice(1);
  return [...new Set([...written, parsed])].map((search) => `?${search}`);
}
