/**
 * The claim `hsh` binds a token to one request, so that a token which is caught on its way is good
 * for nothing else. Ruling 27.
 */

import { hashOf } from './digest.ts';

/** A request as its sender saw it: an absolute URL with its query, and the parsed body or null. */
export type HashedRequest = {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | undefined>> | null;
};

/**
 * The text of `hsh`: the hash of the request and, after a colon, the names of the headers that it
 * protects, lower-case and separated by commas. Headers that are not named do not count.
 *
 * @example
 * requestHashOf({ method: 'GET', url, body: null, headers: { 'x-ledger': 'a' } }, ['x-ledger'])
 */
export function requestHashOf(
  request: HashedRequest,
  protectedHeaderNames: readonly string[],
): string {
  const names = protectedHeaderNames.map((name) => name.toLowerCase());
  const headers = protectedHeadersOf(request, names);
  const { method, url, body } = request;
  const hash = hashOf({ method, url, body: body ?? null, headers });
  return names.length === 0 ? hash : `${hash}:${names.join(',')}`;
}

function protectedHeadersOf(
  request: HashedRequest,
  names: readonly string[],
): Readonly<Record<string, string | undefined>> | null {
  if (names.length === 0) return null;
  const entries = Object.entries(request.headers ?? {});
  return Object.fromEntries(
    entries
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => names.includes(name)),
  );
}
