/**
 * A deployment as Lambda runs it, in a time of its own: couriers of which each attempts the deliveries of one event at
 * a time, and knows what it has seen itself; a sweeper that its clock wakes, and what is to be attempted soon. What
 * they share is the table. Timers are those of the test.
 */

import { rates } from '../../shared/delivery/bytes.ts';
import { carry } from '../../shared/delivery/carry.ts';
import { type DuePorts, dueWalk } from '../../shared/delivery/due.ts';
import { hostPlaces, type Room, sharedRoom, wholeRoom } from '../../shared/delivery/room.ts';
import { sweep } from '../../shared/delivery/sweep.ts';
import { Targets } from '../../shared/delivery/targets.ts';
import type { AttemptOutcome } from '../../shared/ledger/delivery.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Delivery } from '../../shared/port/deliveries.ts';
import type { Notes } from '../../shared/port/notes.ts';
import { memoryNotes } from '../fixture/memory-notes.ts';
import { acceptedBy, courier, leaseMs } from './carrier.ts';

/** What a target does with what is sent to it. */
export type Manner = (endpoint: string) => Promise<AttemptOutcome>;

const courierCount = 100;
/** How long it takes to accept an event, and until the stream wakes somebody. */
const acceptMs = 20;
const bellMs = 300;
const minuteMs = 60_000;
const sweepMsMax = 95_000;
const sweeperCount = 4;

interface Here {
  readonly kept: Omit<DuePorts, keyof ReturnType<typeof courier>['ports']> & Partial<DuePorts>;
  isBusy: boolean;
}

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A deployment of targets that behave like that. */
export function deployment(others: readonly Version[], manner: Manner, bytesPerSecond = 1e9) {
  const base = courier({ others });
  let noteCount = 0;
  const memory = memoryNotes();
  const notes: Pick<Notes, 'attempt'> = {
    attempt: (attempts) => {
      noteCount += 1;
      return memory.attempt(attempts);
    },
  };
  let openCount = 0;
  const self = {
    deliveries: base.deliveries,
    openMax: 0,
    noteCount: () => noteCount,
    reports: base.reports,
  };
  const send: DuePorts['send'] = async ({ endpoint }, givenUp) => {
    openCount += 1;
    self.openMax = Math.max(self.openMax, openCount);
    const gone = new Promise<AttemptOutcome>((resolve) => {
      givenUp?.addEventListener('abort', () => resolve({ kind: 'unreachable', why: 'timeout' }));
    });
    const outcome = await Promise.race([manner(endpoint), gone]);
    openCount -= 1;
    return outcome;
  };
  const here = (roomOf: (bounds: Pick<Room, 'rates' | 'hosts'>) => Room): Here => ({
    isBusy: false,
    kept: {
      services: { ...base.ports.services, clock: Date.now },
      send,
      targets: new Targets({
        all: 512,
        ofLedger: 128,
        ofUnproven: 64,
        ofTarget: 32,
        waiting: 10_000,
      }),
      room: roomOf({ rates: rates(bytesPerSecond), hosts: hostPlaces(32) }),
      walk: dueWalk(),
    },
  });
  const couriers = Array.from({ length: courierCount }, () =>
    here((bounds) => sharedRoom({ notes, clock: Date.now }, bounds)),
  );
  const sweepers = Array.from({ length: sweeperCount }, () => here(wholeRoom));
  const bus: (readonly Delivery[])[] = [];

  const portsOf = ({ kept }: Here, patienceMs: () => number): DuePorts => ({
    ...base.ports,
    deliveries: ringing,
    ...kept,
    patienceMs,
  });
  const sweepNow = async (): Promise<void> => {
    const free = sweepers.find(({ isBusy }) => !isBusy);
    if (!free) return;
    free.isBusy = true;
    const endMs = Date.now() + sweepMsMax;
    await sweep(portsOf(free, () => endMs - Date.now()));
    free.isBusy = false;
  };
  let isRung = false;
  const ring = (): void => {
    if (isRung) return;
    isRung = true;
    setTimeout(() => {
      isRung = false;
      void sweepNow();
    }, bellMs);
  };
  const ringing: DuePorts['deliveries'] = {
    ...base.deliveries,
    save: async (next, previous) => {
      if (next.isSoon) ring();
      return base.deliveries.save(next, previous);
    },
  };
  const pump = (): void => {
    for (let free = couriers.find(({ isBusy }) => !isBusy); free && bus.length > 0; ) {
      void invoke(free, bus.shift() ?? []);
      free = couriers.find(({ isBusy }) => !isBusy);
    }
  };
  const invoke = async (free: Here, told: readonly Delivery[]): Promise<void> => {
    free.isBusy = true;
    await wait(acceptMs);
    const ports = portsOf(free, () => Number.NEGATIVE_INFINITY);
    carry(ports, await base.deliveries.add(told));
    await ports.targets.queues.idle();
    free.isBusy = false;
    pump();
  };
  setInterval(() => void sweepNow(), minuteMs);
  return Object.assign(self, {
    /** Something happens that these effects of a ledger hear. */
    tell: (scope: string, effects: readonly Version[], parts: Partial<Delivery> = {}): void => {
      const all = effects.map((one) => acceptedBy(one, Date.now(), { scope, ...parts }));
      bus.push(all.map((one) => ({ ...one, dueMs: Date.now() + leaseMs })));
      pump();
    },
  });
}
