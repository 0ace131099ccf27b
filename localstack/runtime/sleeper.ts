/**
 * Work that sleeps until it has something to do: until a time that is known, or until it is woken. It looks now and
 * then by itself, for what others have left in the table. Decision 122.
 */
import { aheadMs } from '../../shared/store/due-marks.ts';

/** The pause after a look that failed, or that left something over, in milliseconds. */
export const againMs = 500;
/** The least pause between two looks, in milliseconds: other work has as much time as the look took. */
const gapMs = 20;
/** The least sleep after a look that took long, as a multiple of its duration. */
export const restFactor = 9;

export interface Sleeper {
  /** Looks at this time of the clock at the latest, in milliseconds. */
  readonly wakeAt: (dueMs: number) => void;
  readonly stop: () => void;
}

export interface SleeperPorts {
  /** Does what is due; returns the time of the next look, where one is known. */
  readonly look: () => Promise<number | undefined>;
  readonly failed: (error: unknown) => void;
}

/** Begins with a look, as soon as it is woken. One look runs at a time. */
export function sleeper({ look, failed }: SleeperPorts): Sleeper {
  let [isRunning, isStopped] = [false, false];
  // Times of the steady clock.
  let [nextMs, notBeforeMs] = [Number.POSITIVE_INFINITY, 0];
  let timer: NodeJS.Timeout | undefined;

  const wakeIn = (ms: number): void => {
    const nowMs = performance.now();
    nextMs = Math.min(nextMs, nowMs + ms);
    if (isRunning || isStopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => void run(), Math.max(0, Math.max(nextMs, notBeforeMs) - nowMs));
  };
  const wakeAt = (dueMs: number): void => wakeIn(Math.max(0, dueMs - Date.now()));

  const run = async (): Promise<void> => {
    [isRunning, nextMs] = [true, Number.POSITIVE_INFINITY];
    const startMs = performance.now();
    const dueMs = await look().catch((error: unknown) => {
      failed(error);
      return Date.now() + againMs;
    });
    const tookMs = performance.now() - startMs;
    isRunning = false;
    notBeforeMs = performance.now() + Math.max(gapMs, tookMs);
    wakeIn(Math.max(aheadMs, tookMs * restFactor));
    if (dueMs !== undefined) wakeAt(dueMs);
  };

  return {
    wakeAt,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
