/** The claim `hsh` binds a token to one request, so that an intercepted token cannot be used for another. Ruling 27. */

import { canonicalOf } from './canonical.ts';
import { hashOfText } from './digest.ts';

/** A request as its sender saw it: an absolute URL with its query, and the parsed body or null. */
export type HashedRequest = {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | undefined>> | null;
};

/** A request as it arrived, with every URL by which its sender may have addressed it. */
export type ReceivedRequest = Omit<HashedRequest, 'url'> & { readonly urls: readonly string[] };

/**
 * The value of `hsh`: the hash of the request, a colon, and the lower-case names of the protected headers, separated by
 * commas. Other headers do not count.
 *
 * @example
 * requestHashOf({ method: 'GET', url, body: null, headers: { 'x-ledger': 'a' } }, ['x-ledger'])
 */
export function requestHashOf(
  request: HashedRequest,
  protectedHeaderNames: readonly string[],
): string {
  return hashOfRequest(request, canonicalOf(request.body ?? null), protectedHeaderNames);
}

/** The value of `hsh` for a request whose body has this canonical JSON. RFC 8785 3.2.3. */
function hashOfRequest(
  request: Omit<HashedRequest, 'body'>,
  bodyText: string,
  protectedHeaderNames: readonly string[],
): string {
  const names = protectedHeaderNames.map((name) => name.toLowerCase());
  const rest = canonicalOf({
    headers: protectedHeadersOf(request, names),
    method: request.method,
    url: request.url,
  });
  const hash = hashOfText(`{"body":${bodyText},${rest.slice(1)}`);
  return names.length === 0 ? hash : `${hash}:${names.join(',')}`;
}

/**
 * True when the claim `hsh` was made for this request, under one of its URLs. Ruling 27.
 *
 * The public client hashes an empty body as null, so `{}` matches both.
 */
export function checkRequestHash(hsh: string, request: ReceivedRequest): boolean {
  const [, nameList = ''] = hsh.split(':', 2);
  const names = nameList === '' ? [] : nameList.split(',');
  const { method, headers } = request;
  const bodies = isEmpty(request.body) ? [request.body, null] : [request.body];
  const texts = bodies.map((body) => canonicalOf(body ?? null));
  return request.urls.some((url) =>
    texts.some((text) => hashOfRequest({ method, url, headers }, text, names) === hsh),
  );
}

/** Of headers whose names differ in their case alone the first counts, as wherever a header is read. */
function protectedHeadersOf(
  request: Pick<HashedRequest, 'headers'>,
  names: readonly string[],
): Readonly<Record<string, string | undefined>> | null {
  if (names.length === 0) return null;
  const entries = Object.entries(request.headers ?? {});
  return Object.fromEntries(
    entries
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => names.includes(name))
      .reverse(),
  );
}

const isEmpty = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.keys(body).length === 0;
