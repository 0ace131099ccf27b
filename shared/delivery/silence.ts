/**
 * Which targets are left alone for a while. One that cannot be reached would cost every delivery a long
 * wait, here and at everyone else's expense; so it is asked again by one of them, after a time that
 * grows up to a minute, and the others wait for what that one hears.
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
  /** Whether there was a silence, and the target was not heard of since. */
  readonly isDoubted: (target: string) => boolean;
  /** The target answered, whatever it was, quickly or not; true when that ended a silence. */
  readonly heard: (target: string, isQuick?: boolean) => boolean;
  /** Whether the target answered quickly when it was asked last. */
  readonly isProven: (target: string) => boolean;
  /** The target could not be reached; one that did not answer in time weighs more. */
  readonly missed: (target: string, isTimeout: boolean, nowMs: number) => void;
}

const firstMs = 15_000;
const longestMs = 60_000;
/** How many misses in a row make a silence. */
const missCountMin = 3;
/** Of how many targets it is remembered that they answer quickly; of more, those are forgotten that it was learnt of first. */
const provenCountMax = 50_000;

interface Silence {
  missCount: number;
  /** How many silences there were in a row. */
  rounds: number;
  untilMs: number;
  isProbed: boolean;
}

/** Knows of no target yet. */
export function silences(): Silences {
  const known = new Map<string, Silence>();
  const proven = new Set<string>();
  const isSilence = (silence: Silence | undefined): silence is Silence =>
    (silence?.rounds ?? 0) > 0;
  const silentUntil = (silence: Silence | undefined, nowMs: number): number =>
    isSilence(silence) && isToCome(silence.untilMs, nowMs) ? silence.untilMs : 0;
  return {
    peek: (target, nowMs) => silentUntil(known.get(target), nowMs),
    ask: (target, nowMs) => {
      const silence = known.get(target);
      const untilMs = silentUntil(silence, nowMs);
      if (untilMs > 0 || !isSilence(silence)) return { untilMs, isProbe: false };
      // The silence is over: this caller finds out, and the others wait for what it hears.
      Object.assign(silence, { untilMs: nowMs + firstMs, isProbed: true });
      return { untilMs, isProbe: true };
    },
    isDoubted: (target) => isSilence(known.get(target)),
    isProven: (target) => proven.has(target),
    heard: (target, isQuick = true) => {
      proven.delete(target);
      if (isQuick) proven.add(target);
      for (const oldest of proven) {
        if (proven.size <= provenCountMax) break;
        proven.delete(oldest);
      }
      const wasSilent = isSilence(known.get(target));
      known.delete(target);
      return wasSilent;
    },
    missed: (target, isTimeout, nowMs) => {
      proven.delete(target);
      const silence = known.get(target) ?? newSilence();
      known.set(target, silence);
      silence.missCount += isTimeout ? missCountMin : 1;
      // What was on its way when the silence began says nothing new.
      const isNews = silence.isProbed || !isToCome(silence.untilMs, nowMs);
      if (silence.missCount < missCountMin || !isNews) return;
      silence.rounds += 1;
      silence.isProbed = false;
      silence.untilMs = nowMs + Math.min(longestMs, firstMs * 2 ** (silence.rounds - 1));
    },
  };
}

/** No silence is longer than the longest: what lies beyond it was set before the clock was set back. Decision 87. */
function isToCome(untilMs: number, nowMs: number): boolean {
  return untilMs > nowMs && untilMs <= nowMs + longestMs;
}

function newSilence(): Silence {
  return { missCount: 0, rounds: 0, untilMs: 0, isProbed: false };
}
