/**
 * Yields one after the other and rests in between, for `restFactor` times as long as the one before was worked on. So
 * a walk through a thousand ledgers takes no more of the process than a walk through one.
 */
export async function* paced<One>(
  all: AsyncIterable<One>,
  restFactor: number,
): AsyncGenerator<One> {
  for await (const one of all) {
    const startMs = performance.now();
    yield one;
    const restMs = (performance.now() - startMs) * restFactor;
    await new Promise((resolve) => setTimeout(resolve, restMs));
  }
}
