/**
 * The callers of this thread: one, or several. One caller waits for each answer before the next request, and requests of
 * others come over connections of their own: while all come over the same one, nobody else waits for this thread.
 */

/** So many requests in a row over one connection are of one caller, not of many who happen to meet so. */
const inRowMin = 4;

let last: WeakRef<object> | undefined;
let inRow = 0;

/** Notes a request that arrived over a connection. */
export function noteCall(connection: object): void {
  const isSame = last?.deref() === connection;
  inRow = isSame ? inRow + 1 : 1;
  if (!isSame) last = new WeakRef(connection);
}

/** True while one caller sends one request after the other. */
export function hasOneCaller(): boolean {
  return inRow >= inRowMin;
}
