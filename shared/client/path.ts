/** Paths of requests. */

/**
 * Refuses a path with a part that is `.` or `..`: whoever reads a URL takes these out of it, encoded or not, and the request
 * would reach another path. Throws `TypeError`.
 */
export function assertCarried(path: string): void {
  if (/\/\.\.?(\/|$)/.test(path))
    throw new TypeError(`No URL can carry '.' or '..' as a part of a path, as in ${path}.`);
}
