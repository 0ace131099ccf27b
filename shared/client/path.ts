/** Paths of requests. */

/**
 * Refuses a path with a part that is `.` or `..`: whoever reads a URL takes these out of it, encoded or not, and the request
 * would reach another path. Throws `TypeError`.
 */
function assertCarried(path: string): void {
  if (/\/\.\.?(\/|$)/.test(path))
    throw new TypeError(`No URL can carry '.' or '..' as a part of a path, as in ${path}.`);
}

/** A record, as far as a path names it. */
interface Named {
  readonly luid?: string;
  readonly data: object;
}

/** The members of a path that a record does not name: `{ path: { signer: 'alice' } }` for one of her factors. */
export interface PlaceParams {
  readonly path?: Readonly<Record<string, string>>;
}

/** The path of a record. */
export function placeOf(path: string, record: Named, { path: others }: PlaceParams): string {
  return targetOf(path, { path: { id: idOf(record), ...others } });
}

/** The place of a record, by its luid, and that of its last change, where its kind has a history. */
export function endOf(
  dropping: string,
  luid: string,
): { readonly place: string; readonly history?: string } {
  const place = dropping.replace(/[^/]+\/drop$/, encodeURIComponent(luid));
  // The members of circles have none.
  return place.startsWith('/circles/')
    ? { place }
    : { place, history: `${place}/changes?page.limit=1` };
}

/** The id of a record in a path. */
function idOf({ luid, data }: Named): string {
  return (data as { handle?: string }).handle ?? luid ?? '';
}

/** The path with its members filled in, and the query. */
export function targetOf(
  path: string,
  { path: members = {}, query = {} }: { path?: unknown; query?: object },
): string {
  const named = members as Readonly<Record<string, unknown>>;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(named[name] ?? '');
    // With an empty part it would be another path, as that of the list.
    if (text === '') throw new TypeError(`The path ${path} needs '${name}'.`);
    return encodeURIComponent(text);
  });
  assertCarried(filled);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one));
  return search.size > 0 ? `${filled}?${search}` : filled;
}
