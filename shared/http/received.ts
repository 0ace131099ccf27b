/**
 * Reconstruction of a request as its sender signed it, for tokens that are bound to a request. The base address comes
 * from the configuration. API Gateway decodes the query, so each encoding that clients use is tried, in the order of
 * arrival. Ruling 27, Decision 33.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Query } from '../ledger/query.ts';

/** The input for the check of `hsh`. */
interface Received {
  readonly method: string;
  readonly urls: readonly string[];
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

type Encode = (text: string) => string;

const asForm: Encode = (text) => new URLSearchParams([[text, '']]).toString().slice(0, -1);
/** As it is, but for characters that a reader of the query would take for something else. */
const asIs: Encode = (text) => text.replace(/[&+#]|%(?=[\da-f]{2})/gi, encodeURIComponent);
const nameAsIs: Encode = (text) => asIs(text).replaceAll('=', '%3D');
const asAxios: Encode = (text) =>
  encodeURIComponent(text)
    .replaceAll(/%3A|%24|%2C|%5B|%5D/g, decodeURIComponent)
    .replaceAll('%20', '+');

/** Encodings of queries by common clients: of names, and of values. */
const ways: readonly (readonly [name: Encode, value: Encode])[] = [
  [asForm, asForm],
  [encodeURIComponent, encodeURIComponent],
  [asAxios, asAxios],
  // Queries written by hand: most names need no encoding.
  [nameAsIs, encodeURIComponent],
  [nameAsIs, asForm],
  [nameAsIs, asIs],
];

/** The request of an event whose body was parsed. */
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

/** The query in each encoding, without repetitions. */
function searchesOf(query: Query): string[] {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );
  if (pairs.length === 0) return [''];
  const written = ways.map(([asName, asValue]) =>
    pairs.map(([name, value]) => `${asName(name)}=${asValue(value)}`).join('&'),
  );
  // URL parsers encode only what they must.
  const parsed = new URL(`http://host/?${written.at(-1)}`).search.slice(1);
  return [...new Set([...written, parsed])].map((search) => `?${search}`);
}
