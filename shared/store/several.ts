/** Works of a list, several at a time. */

/** Does a work for each of a list, at most so many at a time. After an error no further one begins. */
export async function severalOf<One>(
  all: readonly One[],
  runningMax: number,
  work: (one: One) => Promise<unknown>,
): Promise<void> {
  const rest = all.values();
  let hasFailed = false;
  const run = async (): Promise<void> => {
    for (const one of rest) {
      if (hasFailed) return;
      await work(one);
    }
  };
  const running = Array.from({ length: Math.min(runningMax, all.length) }, () =>
    run().catch((error: unknown) => {
      hasFailed = true;
      throw error;
    }),
  );
  await Promise.all(running);
}
