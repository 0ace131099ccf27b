/** Dead letters of the offline runtime: events that a target never took, one line each, to be read by people. */
import { appendFileSync } from 'node:fs';
import type { LedgerEvent } from '../../shared/signal/event.ts';

/** What keeps a dead letter: the file at the path, for its owner only, or nothing without a path. */
export function lettersAt(
  path: string | undefined,
  clock: () => number = Date.now,
): (event: LedgerEvent, error: unknown) => void {
  return (event, error) => {
    if (!path) return;
    const why = error instanceof Error ? error.message : String(error);
    const letter = { moment: new Date(clock()).toISOString(), why, event };
    appendFileSync(path, `${JSON.stringify(letter)}\n`, { mode: 0o600 });
  };
}
