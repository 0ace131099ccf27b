/**
 * The threads that sign and verify for a request: its own, or those of Node's pool. The pool pays only where requests
 * meet, since the way to another thread and back takes as long as a signature. Decision 150.
 */

/** Requests and independent batches under way. */
const counts = { request: 0, batch: 0 };

/**
 * Runs a request of a process that takes others meanwhile. An instance on AWS has one at a time and never calls this: it
 * signs in its own thread.
 */
export function runBesideOthers<Result>(request: () => Promise<Result>): Promise<Result> {
  return counted('request', request);
}

/**
 * Runs an independent batch, which judges one intent after the other. The pool would fall asleep between their
 * signatures, and waking it takes longer than they do: all requests sign in their own thread until the batch has ended.
 */
export function runSigningHere<Result>(batch: () => Promise<Result>): Promise<Result> {
  return counted('batch', batch);
}

/** True while two requests or more meet, and none of them is an independent batch. */
export function signsInPool(): boolean {
  return counts.request > 1 && counts.batch === 0;
}

async function counted<Result>(
  what: keyof typeof counts,
  run: () => Promise<Result>,
): Promise<Result> {
  counts[what] += 1;
  try {
    return await run();
  } finally {
    counts[what] -= 1;
  }
}
