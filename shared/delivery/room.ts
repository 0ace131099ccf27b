/**
 * What a ledger may take of the process that attempts its deliveries: places, the time of them, and bytes. What it may
 * not take now is put off, which is no attempt. Ruling 61, Decision 85.
 */
import type { Notes } from '../port/notes.ts';
import type { Clock } from '../port/ports.ts';
import type { Rates } from './bytes.ts';
import type { TrafficClass } from './queues.ts';

export interface Room {
  /** Whether an attempt that is not quick may go on; absent where each of them may. */
  readonly mayStay?: (of: TrafficClass) => Promise<boolean>;
  /** Whether nothing of a ledger is attempted here for now. */
  readonly isFull: (of: TrafficClass, nowMs: number) => boolean;
  /** How many bytes may be sent. */
  readonly rates: Rates;
  /** Who may send to a host of a ledger. */
  readonly hosts: HostPlaces;
  /** Whether others are asked to attempt at once what may not be sent here now. */
  readonly isHandedOver: boolean;
  /** Whether what is put off here comes back here, since there is no other process. */
  readonly isOnly?: boolean;
}

/** From when on an attempt is not quick, in milliseconds. */
export const quickMs = 1_000;

/** A process that has places for everybody: whoever waits for an answer there is in nobody's way. */
export function wholeRoom(bounds: Pick<Room, 'rates' | 'hosts' | 'isOnly'>): Room {
  return { ...bounds, isFull: () => false, isHandedOver: false };
}

/**
 * Slow attempts that begin in a stretch of time, in milliseconds: of a ledger, and of all of them. An attempt ends
 * within a stretch, so that at most those of two are under way.
 */
const stretchMs = 20_000;
const ofLedgerMax = 6;
const ofAllMax = 20;

/**
 * A process that is one of many and attempts the deliveries of one event at a time, as a function of Lambda does:
 * whoever waits there for an answer takes a place from everybody. So how many may wait is counted in the table, but
 * only of attempts that are not quick: the others cost nothing. Once a ledger has no more places, what is its own is
 * left to others for a while, at once.
 */
export function sharedRoom(
  { notes, clock }: { readonly notes: Pick<Notes, 'attempt'>; readonly clock: Clock },
  bounds: Pick<Room, 'rates' | 'hosts'>,
): Room {
  const full = new Map<string, number>();
  const nameOf = ({ kind, scope }: TrafficClass): string => `${kind} ${scope}`;
  return {
    ...bounds,
    isHandedOver: true,
    isFull: (of, nowMs) => {
      const untilMs = full.get(nameOf(of)) ?? 0;
      // No stretch is longer: what lies beyond it was set before the clock was set back. Decision 87.
      const isFull = untilMs > nowMs && untilMs <= nowMs + stretchMs;
      if (!isFull) full.delete(nameOf(of));
      return isFull;
    },
    mayStay: async ({ kind, scope }) => {
      const nowMs = clock();
      const startMs = nowMs - (nowMs % stretchMs);
      const stretch = { who: `slow-${kind}`, startMs, endMs: startMs + stretchMs, points: 1 };
      // The ledger's own first: whoever has used them up takes nothing from the others.
      const isOwn = await notes.attempt({ ...stretch, scope, pointsMax: ofLedgerMax });
      const mayStay =
        isOwn && (await notes.attempt({ ...stretch, scope: '', pointsMax: ofAllMax }));
      if (!mayStay) full.set(nameOf({ kind, scope }), stretch.endMs);
      return mayStay;
    },
  };
}

/** Runs a task when one of the places of its host is free, in the order in which tasks came. */
export type HostPlaces = <Done>(host: string, task: () => Promise<Done>) => Promise<Done>;

/** So many places for each host. */
export function hostPlaces(countMax: number): HostPlaces {
  const hosts = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return async (name, task) => {
    const host = hosts.get(name) ?? { running: 0, waiting: [] };
    hosts.set(name, host);
    // A task that ends hands its place to the one that has waited longest, so that none comes in between.
    if (host.running >= countMax)
      await new Promise<void>((resolve) => {
        host.waiting.push(resolve);
      });
    else host.running += 1;
    try {
      return await task();
    } finally {
      const next = host.waiting.shift();
      if (next) next();
      else host.running -= 1;
      if (host.running === 0) hosts.delete(name);
    }
  };
}
