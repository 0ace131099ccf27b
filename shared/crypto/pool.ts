/**
 * The threads that sign and verify for a request: its own, or those of Node's pool. The pool pays only where there is much
 * to do at a time, since the way to another thread and back takes as long as a signature. Decisions 150 and 160.
 */

/** Requests under way, and those among them that do the same for many intents. */
const counts = { request: 0, many: 0 };

/**
 * Runs a request of a process that takes others meanwhile. An instance on AWS has one at a time and never calls this: it
 * signs in its own thread.
 */
export function runBesideOthers<Result>(request: () => Promise<Result>): Promise<Result> {
  return counted('request', request);
}

/** Runs a part of a request that signs or verifies for many intents at a time: it counts as several requests. */
export function runForMany<Result>(part: () => Promise<Result>): Promise<Result> {
  return counted('many', part);
}

/** True while two requests or more meet, or one does much at a time. */
export function signsInPool(): boolean {
  return counts.request > 0 && counts.request + counts.many > 1;
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
