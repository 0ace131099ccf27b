/** Runs tasks at the same time, except for those that share a name: they run in their order. Decision 102. */

export interface NamedTask<Result> {
  readonly names: readonly string[];
  readonly run: () => Promise<Result>;
}

/** Returns the results in the order of the tasks, once all have ended; throws the first error. */
export async function inOrder<Result>(
  tasks: readonly NamedTask<Result>[],
  atOnce: number,
): Promise<Result[]> {
  const take = placesOf(atOnce);
  const last = new Map<string, Promise<unknown>>();
  const running = tasks.map(({ names, run }) => {
    const before = names.flatMap((name) => last.get(name) ?? []);
    const result = Promise.allSettled(before).then(() => take(run));
    for (const name of names) last.set(name, result);
    return result;
  });
  // A task that goes on after the answer would be cut off.
  await Promise.allSettled(running);
  return Promise.all(running);
}

/** A queue in which so many run at once. */
function placesOf(count: number): <Result>(run: () => Promise<Result>) => Promise<Result> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
