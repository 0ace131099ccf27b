/**
 * Which targets are left alone for a while. One that cannot be reached would cost every delivery a long
 * wait, here and at everyone else's expense; so it is asked again by one of them, after a time that
 * grows, and the others wait for what that one hears.
 */

/** What this process knows of its targets. */
export interface Silences {
  /**
   * Until when the target is left alone, in milliseconds; 0 when it may be asked now. After a silence
   * one caller is let through to find out, until the target was heard of again.
   */
  readonly ask: (
    target: string,
    nowMs: number,
  ) => { readonly untilMs: number; readonly isProbe: boolean };
  /** Until when the target is left alone, without asking. */
  readonly peek: (target: string, nowMs: number) => number;
  /** The target answered, whatever it was. */
  readonly heard: (target: string) => void;
  /** The target could not be reached; one that did not answer in time weighs more. */
  readonly missed: (target: string, isTimeout: boolean, nowMs: number) => void;
}

const firstMs = 15_000;
const longestMs = 600_000;
/** How many misses in a row make a silence. */
const missCountMin = 3;

interface Silence {
  missCount: number;
  untilMs: number;
}

/** Knows of no target yet. */
export function silences(): Silences {
  const known = new Map<string, Silence>();
  const silentUntil = (silence: Silence | undefined, nowMs: number): number =>
    silence && silence.missCount >= missCountMin && silence.untilMs > nowMs ? silence.untilMs : 0;
  return {
    peek: (target, nowMs) => silentUntil(known.get(target), nowMs),
    ask: (target, nowMs) => {
      const silence = known.get(target);
      const untilMs = silentUntil(silence, nowMs);
      const isProbe = untilMs === 0 && (silence?.missCount ?? 0) >= missCountMin;
      // The silence is over: this caller finds out, and the others wait for what it hears.
      if (silence && isProbe) silence.untilMs = nowMs + firstMs;
      return { untilMs, isProbe };
    },
    heard: (target) => void known.delete(target),
    missed: (target, isTimeout, nowMs) => {
      const { missCount } = known.get(target) ?? { missCount: 0 };
      const count = missCount + (isTimeout ? missCountMin : 1);
      const doublings = Math.max(0, Math.floor(count / missCountMin) - 1);
      const waitMs = Math.min(longestMs, firstMs * 2 ** Math.min(doublings, 10));
      known.set(target, { missCount: count, untilMs: nowMs + waitMs });
    },
  };
}
