/**
 * Turns: whoever looks at many records does so a part at a time, and waits for its turn before each part. A process has
 * few places, of which a ledger has one at a time, and the ledgers that wait come one after the other. So what looks at
 * much, however often it was asked for, leaves the others time: a read waits for a part, never for a whole.
 */

/** Does something once it is the turn of the ledger that asks. */
export type Turns = <Result>(ledger: string, take: () => Promise<Result>) => Promise<Result>;

/** How many turns a process takes at once. */
const placeCount = 2;

/** Turns of so many places. */
export function turnsOf(places: number): Turns {
  const waiting = new Map<string, readonly (() => void)[]>();
  const taking = new Set<string>();
  /** Puts those who wait for a ledger behind all others. */
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
      // What came in meanwhile goes first.
      setImmediate(advance);
    }
  };
}

/** The turns of this process. */
export const inTurn: Turns = turnsOf(placeCount);
