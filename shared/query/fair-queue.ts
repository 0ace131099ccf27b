/**
 * Fair scheduling of long reads. A search reads in parts and waits for its turn before each. A process runs few
 * parts at once, of each ledger one at a time, and takes the waiting ledgers in rotation. A search delays other
 * requests by one part at most, never by its whole length.
 */

/** Runs `take` when it is the ledger's turn. */
export type FairQueue = <Result>(ledger: string, take: () => Promise<Result>) => Promise<Result>;

/** Parts that a process runs at once. */
const placeCount = 2;

export function fairQueueOf(places: number): FairQueue {
  const waiting = new Map<string, readonly (() => void)[]>();
  const taking = new Set<string>();
  /** Moves the waiting parts of a ledger behind those of all others. */
  const queue = (ledger: string, begins: readonly (() => void)[]): void => {
    waiting.delete(ledger);
    if (begins.length > 0) waiting.set(ledger, begins);
  };
  const advance = (): void => {
    for (const [ledger, [begin, ...others]] of waiting) {
      if (taking.size >= places) return;
      if (taking.has(ledger)) continue;
      queue(ledger, others);
      taking.add(ledger);
      begin?.();
    }
  };
  return async (ledger, take) => {
    await new Promise<void>((begin) => {
      waiting.set(ledger, [...(waiting.get(ledger) ?? []), begin]);
      advance();
    });
    try {
      return await take();
    } finally {
      taking.delete(ledger);
      queue(ledger, waiting.get(ledger) ?? []);
      // Requests that arrived meanwhile are queued first.
      setImmediate(advance);
    }
  };
}

/** The scheduler of this process. */
export const inFairOrder: FairQueue = fairQueueOf(placeCount);
