/**
 * The processes of a simulation: requests, each by itself, and the workers of the deployment, of which each begins
 * anew after its end with nothing in its memory. The bus keeps an event until somebody has taken it to its end.
 */

import { relayPorts } from '../../functions/relay-ports.ts';
import { recentOfInstance } from '../../functions/table-ports.ts';
import type { AcceptPorts } from '../../shared/delivery/accepted.ts';
import { clockFollower, watched } from '../../shared/delivery/ahead.ts';
import { rates } from '../../shared/delivery/bytes.ts';
import { carry } from '../../shared/delivery/carry.ts';
import { accept } from '../../shared/delivery/courier.ts';
import { type DuePorts, dueWalk } from '../../shared/delivery/due.ts';
import {
  hostPlaces,
  quickMs,
  type Room,
  sharedRoom,
  wholeRoom,
} from '../../shared/delivery/room.ts';
import { sweep } from '../../shared/delivery/sweep.ts';
import { Targets } from '../../shared/delivery/targets.ts';
import { tokens } from '../../shared/delivery/tokens.ts';
import { FirstAttempts } from '../../shared/delivery/unstored.ts';
import { expireDue } from '../../shared/intent/expire-due.ts';
import type { Reminder } from '../../shared/intent/remind.ts';
import { reportUnsupported } from '../../shared/intent/unprompted.ts';
import type { AttemptOutcome } from '../../shared/ledger/delivery.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import { stackOf } from '../../shared/ledger/thrown.ts';
import type { OutgoingRequest } from '../../shared/outgoing/send.ts';
import type { Services } from '../../shared/port/action.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { type Bus, drain, drainAll } from '../../shared/signal/relay.ts';
import { scopesOf } from '../../shared/signal/shards.ts';
import { outboxShardCount } from '../../shared/store/keys.ts';
import { type RecentReads, withRecent, withRecentEffects } from '../../shared/store/recent.ts';
import type { Item } from '../fixture/client.ts';
import { memoryNotes } from '../fixture/memory-notes.ts';
import { invokes } from '../fixture/rules.ts';
import type { Bank } from './bank.ts';
import { changeName } from './book.ts';
import { type Ledger, main, thiefHost, webhookHost } from './ledger.ts';
import { gated, type Process, type Scheduler } from './scheduler.ts';

const leaseMs = 60_000;
const sweeperPatienceMs = 35_000;
/** The time after which a silent endpoint is given up. */
const attemptMs = 10_000;
/** So few that a ledger is over it now and then. */
export const bytesPerSecond = 20_000;
const shards = Array.from({ length: outboxShardCount }, (_, shard) => shard);

/** An event on the bus, and who is taking care of it. */
interface Carried {
  readonly event: LedgerEvent;
  by?: Process;
}

export type Workers = ReturnType<typeof newWorkers>;

/** The workers of a ledger, none of which runs. */
export function newWorkers(ledger: Ledger, scheduler: Scheduler, banks: readonly Bank[]) {
  const { now, steady, note, chance } = scheduler;
  const complaints: string[] = [];
  const running = new Map<string, Set<Process>>();
  let bus: Carried[] = [];
  let processCount = 0;

  const newProcess = (name: string, ended = () => {}): Process => {
    processCount += 1;
    return { name: `${name} ${processCount}`, isDead: false, ended };
  };
  /** An error of the service: trouble that the simulation has made, or a finding. */
  const report = (error: unknown): void => {
    const isMade = error instanceof LedgerError && error.reason === 'api.request-timeout';
    if (!isMade) complaints.push(stackOf(error));
  };
  /** The services of a process, with what it has read of late, by the clock that nobody sets. */
  const servicesOf = (process: Process, recent = recentOfInstance(steady)): Services => ({
    ...ledger.services,
    store: withRecent(gated(scheduler, process, 'store', ledger.services.store), recent),
    deliveries: withRecentEffects(
      gated(scheduler, process, 'deliveries', ledger.services.deliveries),
      recent,
    ),
  });
  /** What the instances have read of late that serve no request at the moment. */
  const rested: RecentReads[] = [];
  /** Lets something run; it is counted until it has come to its end, whatever that is. */
  const start = (kind: string, process: Process, work: () => Promise<void>): void => {
    const own = running.get(kind) ?? new Set();
    running.set(kind, own.add(process));
    note(`${process.name} begins`);
    void work()
      .catch(report)
      .finally(() => own.delete(process));
  };
  const countOf = (kind: string): number =>
    [...(running.get(kind) ?? [])].filter(({ isDead }) => !isDead).length;

  /** The outboxes of the ledger in which something waits. */
  const waitingShards = async (): Promise<number[]> => {
    const { outbox } = ledger.memory;
    const found = await Promise.all(shards.map((shard) => outbox.oldest(main, shard, 1)));
    return shards.filter((_, index) => found[index]?.length);
  };
  const freeEvents = () => bus.filter(({ by }) => by === undefined || by.isDead);
  const publish: Bus['publish'] = async (lines) =>
    lines.map((line) => {
      const count = chance(100) ? scheduler.pick(line.length + 1) : line.length;
      for (const event of line.slice(0, count)) if (invokes('courier', event)) bus.push({ event });
      return count;
    });

  let isWebhookSilent = false;
  /** Lasts as long as nothing is heard of the endpoint of the effect: until it is given up, or its time is over. */
  const silence = (givenUp?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, attemptMs);
      givenUp?.addEventListener('abort', () => resolve());
    });
  /** When the endpoint first heard of each change, by the right clock, and how many bytes it has heard. */
  const heard = { changes: new Map<string, number>(), byteCount: 0 };
  const webhook = ({ body = '' }: OutgoingRequest): AttemptOutcome => {
    if (isWebhookSilent) return { kind: 'unreachable', why: 'timeout' };
    const { data } = JSON.parse(String(body)) as Item;
    const name = changeName((data['intent'] as Item).luid, Number(data['change']));
    if (!heard.changes.has(name)) heard.changes.set(name, steady());
    heard.byteCount += body.length;
    return { kind: 'answered', status: 204 };
  };
  const roomNotes = memoryNotes();

  const relay = resident(() => {
    const process = newProcess('relay');
    const { memory } = ledger;
    const portOf = <Port extends object>(where: string, port: Port): Port =>
      gated(scheduler, process, where, port);
    const ports = relayPorts(
      {
        ...{ store: servicesOf(process).store, layouts: portOf('layouts', memory.layouts) },
        ...{ outbox: portOf('outbox', memory.outbox), catalog: portOf('catalog', memory.catalog) },
        ...{ books: portOf('books', memory.books), logs: portOf('log', memory.logs) },
        monitors: portOf('monitors', memory.monitors),
      },
      {
        ...{ bus: portOf('bus', { publish }), sign: ledger.sign, clock: now },
        ...{ metric: () => undefined, complain: (_where, error) => report(error) },
      },
    );
    return { process, ports };
  });

  const carrier = (name: string) =>
    resident(() => {
      const process = newProcess(name);
      const services = servicesOf(process);
      const targets = new Targets({
        ...{ all: 8, ofLedger: 6, ofUnproven: 4, ofTarget: 2, waiting: 100 },
      });
      const answer = async (request: OutgoingRequest): Promise<AttemptOutcome> => {
        const { host } = new URL(request.endpoint);
        if (host === webhookHost) return webhook(request);
        if (host === thiefHost) complaints.push('An effect was told of what it does not ask for.');
        const bank = banks.find((one) => host.startsWith(`${one.name}.`));
        if (!bank) throw new Error(`Nobody is at ${host}.`);
        return bank.hear(request);
      };
      const asked = gated(scheduler, process, 'bank', { send: answer });
      // A process that waits at a gate holds up the world, so long work is awaited before.
      const send: DuePorts['send'] = async (request, givenUp) => {
        const { host } = new URL(request.endpoint);
        if (host === webhookHost && isWebhookSilent) await silence(givenUp);
        return asked.send(request);
      };
      const refused: AcceptPorts['refused'] = async (call) => {
        const home = await services.identityOf(call.scope);
        if (home) await reportUnsupported(services, home, call);
      };
      const shared = { services, deliveries: services.deliveries, leaseMs, refused, report };
      const bounds = { rates: rates(bytesPerSecond), hosts: hostPlaces(2) };
      const room: Room =
        name === 'sweeper'
          ? wholeRoom(bounds)
          : sharedRoom({ notes: roomNotes, clock: now }, bounds);
      const accepting: AcceptPorts = {
        ...shared,
        patternMaker: services.patternMaker,
        postponedUntil: (of, nowMs) => targets.postponedUntil(of, nowMs),
      };
      const carrying = (patienceMs: () => number): DuePorts => ({
        ...shared,
        ...kept,
        room,
        patienceMs,
        metric: () => undefined,
        send,
      });
      const kept = {
        targets,
        walk: dueWalk(),
        tokens: tokens({
          clock: now,
          ask: async () => ({ kind: 'unreachable', why: 'refused', detail: '' }),
        }),
      };
      const followClock = clockFollower(
        carrying(() => 0),
        watched(now, steady),
      );
      const first = new FirstAttempts(services.deliveries, now);
      return { process, accepting, carrying, followClock, first };
    });
  // Events that come at the same time are taken by different ones.
  const couriers = [carrier('courier'), carrier('courier')];
  const sweeper = carrier('sweeper');

  const reminders = new Map<string, Reminder>();

  const self = {
    complaints,
    countOf,
    heard,
    /** Sets whether the endpoint of the effect answers from now on. */
    hush: (isSilent: boolean): void => {
      isWebhookSilent = isSilent;
    },
    /** The number of events on the bus that no worker handles. */
    eventCount: () => freeEvents().length,
    isRelayWanted: async (): Promise<boolean> => (await waitingShards()).length > 0,
    /** Something that is asked from outside, with services of its own. */
    request: (
      name: string,
      work: (services: Services) => Promise<void>,
      ended?: () => void,
    ): void => {
      const process = newProcess(name, ended);
      const recent = rested.pop() ?? recentOfInstance(steady);
      start('request', process, () =>
        work(servicesOf(process, recent)).finally(() => rested.push(recent)),
      );
    },
    /** Tells what waits in an outbox, as whoever was woken for it does. */
    relay: async (): Promise<void> => {
      const { process, ports } = relay.here();
      const waiting = await waitingShards();
      if (waiting.length > 0)
        start('relay', process, async () => void (await drain(ports, main, waiting)));
    },
    /** Tells what was forgotten in all outboxes. */
    relayAll: (): void => {
      const { process, ports } = relay.here();
      const all = { ...ports, hasTime: () => true, report: () => undefined };
      start('relay', process, () => drainAll(all, scopesOf(ports.outbox)));
    },
    /** Brings an event of the bus to the courier, any of them, now and then twice. */
    deliver: (): void => {
      const free = freeEvents();
      const carried = free[scheduler.pick(free.length)];
      if (!carried) return;
      const { process, accepting, carrying, first } = scheduler.one(couriers).here();
      carried.by = process;
      start('courier', process, async () => {
        const ports = carrying(() => Number.NEGATIVE_INFINITY);
        try {
          await first.bring({
            eventCount: 1,
            accept: (deliveries) => accept({ ...accepting, deliveries }, [carried.event]),
            carry: (all) => carry({ ...ports, deliveries: first.deliveries }, all),
            momentMs: quickMs,
          });
          await ports.targets.queues.idle();
          const isOver = !chance(100);
          if (isOver) bus = bus.filter((one) => one !== carried);
        } finally {
          delete carried.by;
        }
      });
    },
    /** Looks whether the clock was set, as is done all the time. */
    followClock: (): void => {
      const { process, followClock } = sweeper.here();
      start('clock', process, followClock);
    },
    sweep: (): void => {
      self.followClock();
      const { process, carrying } = sweeper.here();
      const endMs = steady() + sweeperPatienceMs;
      start('sweep', process, () => sweep(carrying(() => endMs - steady())));
    },
    expire: (): void => {
      const process = newProcess('expiry');
      const services = servicesOf(process);
      const expiries = gated(scheduler, process, 'expiries', ledger.memory.expiries);
      start('expiry', process, () =>
        expireDue({
          ...{ services, expiries, hasTime: () => true, reminders, report },
          ...{ unanswered: () => undefined, forgotten: () => undefined },
        }),
      );
    },
    /** Ends one of the workers in the middle of what it does. */
    kill: (): void => scheduler.end(scheduler.one([relay, ...couriers, sweeper]).here().process),
  };
  return self;
}

/** A process that goes on until it ends; the next one begins anew. */
function resident<One extends { readonly process: Process }>(begin: () => One) {
  let one: One | undefined;
  return {
    here: (): One => {
      if (!one || one.process.isDead) one = begin();
      return one;
    },
  };
}
