/**
 * Pauses of each ledger between two drains of its outbox. What a drain finds together it writes together, so a busy
 * ledger costs less CPU the longer it collects; but a bridge or webhook waits meanwhile. Decision 122.
 */
import type { Scope } from '../../shared/port/ports.ts';

/** The longest pause of a ledger that nobody waits for, in milliseconds. */
const collectMsMax = 100;
/** The same where a bridge or webhook may wait for its events. */
const awaitedMsMax = 10;
/** The time after an event for the courier in which the next one is expected. */
const awaitedForMs = 1_000;
/** The pause of a ledger that was woken once since its last drain began; of one that was woken n times, n² of it. */
const collectMs = 25;
/** The pauses that a ledger may skip after a rest, in milliseconds, such as those of some intents. */
const skippedMsMax = 1_000;

/** State of a ledger. Times are those of the steady clock. */
interface LedgerPace {
  /** The times that it was woken since its last drain began. */
  wakeCount: number;
  /** The time at which it has won back all of the pauses that it skipped. */
  restedMs: number;
  /** The time of its last event that went to the courier. */
  receivedMs: number;
  /** The beginning of its last drain, and how busy it was then, from 0 to 1. */
  startMs: number;
  load: number;
}

export interface DrainPace {
  readonly woken: (scope: Scope) => void;
  /** Notes an event for the courier: a bridge or webhook may wait for the next. */
  readonly received: (scope: Scope) => void;
  /** Begins a drain and returns 0, or returns the milliseconds until it may begin. */
  readonly begin: (scope: Scope) => number;
  /** Ends the drain that began last: the pauses of a busy ledger do not pass while it is drained. */
  readonly end: (scope: Scope) => void;
}

export function newPace(clock: () => number = () => performance.now()): DrainPace {
  const ledgers = new Map<Scope, LedgerPace>();

  const paceOf = (scope: Scope): LedgerPace => {
    const known = ledgers.get(scope);
    if (known) return known;
    const never = Number.NEGATIVE_INFINITY;
    const one = { wakeCount: 0, restedMs: 0, receivedMs: never, startMs: 0, load: 0 };
    ledgers.set(scope, one);
    return one;
  };

  return {
    woken: (scope) => {
      paceOf(scope).wakeCount += 1;
    },
    received: (scope) => {
      paceOf(scope).receivedMs = clock();
    },
    begin: (scope) => {
      const [one, nowMs] = [paceOf(scope), clock()];
      const isAwaited = nowMs - one.receivedMs < awaitedForMs;
      const mostMs = isAwaited ? awaitedMsMax : collectMsMax;
      const pauseMs = Math.min(mostMs, collectMs * one.wakeCount ** 2);
      const restedMs = Math.max(nowMs, one.restedMs) + pauseMs;
      const restMs = restedMs - nowMs - skippedMsMax;
      if (restMs > 0) return restMs;
      Object.assign(one, { wakeCount: 0, restedMs, startMs: nowMs, load: pauseMs / mostMs });
      return 0;
    },
    end: (scope) => {
      const one = paceOf(scope);
      one.restedMs += (clock() - one.startMs) * one.load;
    },
  };
}
