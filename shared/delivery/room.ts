/**
 * The limits of a ledger in a process that attempts its deliveries: places, the time in them, and bytes. A delivery at
 * a limit is put off, which is no attempt. Ruling 61, Decision 85.
 */
import type { Notes } from '../port/notes.ts';
import type { Clock } from '../port/ports.ts';
import type { Rates } from './bytes.ts';
import type { TrafficClass } from './queues.ts';

export interface Room {
  /** Resolves to true when an attempt that is not quick may go on; absent where each of them may. */
  readonly mayStay?: (of: TrafficClass) => Promise<boolean>;
  /** True while no delivery of a ledger is attempted here. */
  readonly isFull: (of: TrafficClass, nowMs: number) => boolean;
  /** The rate limit. */
  readonly rates: Rates;
  /** The places of each host of a ledger. */
  readonly hosts: HostPlaces;
  /** True when a delivery that may not be sent here now is handed over to other processes at once. */
  readonly isHandedOver: boolean;
  /** True for the only process: what it puts off comes back to it. */
  readonly isOnly?: boolean;
}

/** An attempt that takes longer is not quick, in milliseconds. */
export const quickMs = 1_000;

/** A process with places for every ledger: an attempt that waits for an answer holds up no other. */
export function wholeRoom(bounds: Pick<Room, 'rates' | 'hosts' | 'isOnly'>): Room {
  return { ...bounds, isFull: () => false, isHandedOver: false };
}

/**
 * The number of slow attempts that may begin in a stretch of so many milliseconds: of a ledger, and of all of them. An attempt
 * ends within a stretch, so that those of at most two are under way.
 */
const stretchMs = 20_000;
const ofLedgerMax = 6;
const ofAllMax = 20;

/**
 * A process that is one of many and attempts the deliveries of one event at a time, as a function of Lambda does. An
 * attempt that waits there takes a place from every ledger. So the table counts the waiting ones, but only those that
 * are not quick: the others cost no write. When a ledger has no more places, this process leaves its deliveries to
 * others for a while.
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
      // A later time was set before the clock was set back. Decision 87.
      const isFull = untilMs > nowMs && untilMs <= nowMs + stretchMs;
      if (!isFull) full.delete(nameOf(of));
      return isFull;
    },
    mayStay: async ({ kind, scope }) => {
      const nowMs = clock();
      const startMs = nowMs - (nowMs % stretchMs);
      const stretch = { who: `slow-${kind}`, startMs, endMs: startMs + stretchMs, points: 1 };
      // The ledger's own limit first: a ledger that is at its limit takes nothing from the others.
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
