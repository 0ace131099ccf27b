/**
 * The threads that sign and verify for a request: its own, or those of Node's pool. The pool pays only where requests
 * meet, since the way to another thread and back takes as long as a signature. Decision 150.
 */

let requestCount = 0;
let batchCount = 0;

/**
 * Runs a request of a process that takes others meanwhile. An instance on AWS has one at a time and never calls this: it
 * signs in its own thread.
 */
export async function runBesideOthers<Result>(request: () => Promise<Result>): Promise<Result> {
  requestCount += 1;
  try {
    return await request();
  } finally {
    requestCount -= 1;
  }
}

/**
 * Runs an independent batch, which judges one intent after the other. The pool would fall asleep between their
 * signatures, and waking it takes longer than they do: all requests sign in their own thread until the batch has ended.
 */
export async function runSigningHere<Result>(batch: () => Promise<Result>): Promise<Result> {
  batchCount += 1;
  try {
    return await batch();
  } finally {
    batchCount -= 1;
  }
}

/** True while two requests or more meet, and none of them is an independent batch. */
export function signsInPool(): boolean {
  return requestCount > 1 && batchCount === 0;
}
