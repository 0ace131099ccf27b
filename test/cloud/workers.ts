/**
 * The workers behind a ledger of the model, each as often as AWS runs it: a relay for each shard of the table's stream, couriers behind the bus, and the sweeper at each minute. An instance serves one invocation at
 * a time, is kept for the next one, and begins anew when it has died.
 */
import { type CarrierOptions, newCarriers } from '../../functions/carriers.ts';
import { relayPorts } from '../../functions/relay-ports.ts';
import type { TablePorts } from '../../functions/table-ports.ts';
import { sweep } from '../../shared/delivery/sweep.ts';
import { expireDue } from '../../shared/intent/expire-due.ts';
import type { Reminder } from '../../shared/intent/remind.ts';
import type { Services } from '../../shared/port/action.ts';
import { checkpoints } from '../../shared/record/log-signer.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { type Bus, drain, drainAll, type RelayPorts } from '../../shared/signal/relay.ts';
import { scopesOf } from '../../shared/signal/shards.ts';
import { dynamoExpiries, type OutboxPlace, type TableOptions } from '../../shared/store/store.ts';
import { invokes } from '../fixture/rules.ts';
import type { VirtualClock } from './clock.ts';
import { type Mortal, newMortal } from './mortal.ts';
import {
  busLatency,
  courierCount,
  redeliveryMs,
  streamPollMs,
  streamShardCount,
  streamTaken,
  sweepMs,
} from './parameters.ts';
import { type Pool, poolOf } from './pool.ts';
import { drawn, type Random } from './random.ts';

/** What a process of the service has. */
export interface Process {
  readonly table: TablePorts;
  readonly services: Services;
}

export interface WorkerOptions {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly at: TableOptions;
  /** A process with a client of its own. */
  readonly processAt: (at: TableOptions) => Process;
  readonly report: (error: unknown) => void;
  /** What a bridge or a webhook answers to. */
  readonly send?: CarrierOptions['send'] | undefined;
  /** The part of the runs of workers in which they die. */
  readonly mortality?: number | undefined;
}

const leaseMs = 60_000;
/** The time that a run of the sweeper has, without that of a last attempt. */
const patienceMs = 95_000;
const bounds = { bytesPerSecond: 1e9, effectsPerSignal: 100 };
const metric = () => {};

/** The work of a kind of worker: its invocations, their time together, and the most that waited for one. */
export interface Done {
  count: number;
  ms: number;
  waitingMax: number;
  /** Instances that died. */
  deaths: number;
}

/** The workers; none runs before `begin`. */
export function newWorkers(options: WorkerOptions) {
  const { clock, random, report } = options;
  const waiting: LedgerEvent[] = [];
  /** The outboxes with something new, by the shard of the stream that says so. */
  const streams = new Map<number, Map<string, OutboxPlace>>();
  const done = { relay: noneDone(), courier: noneDone(), sweeper: noneDone() };
  const relays = poolOf(() => newRelay(options, { publish }));
  const couriers = poolOf(() => newCarrier(options));
  const sweepers = poolOf(() => newSweeper(options, { publish }));
  let onTheWay = 0;

  /** Lets an instance do something; false when it has died or failed, and the work may not be done. */
  const invoke = async <One extends Instance>(
    kind: keyof typeof done,
    pool: Pool<One>,
    work: (one: One) => Promise<void>,
  ): Promise<boolean> => {
    const one = pool.take();
    const startMs = clock.now();
    let isDone = false;
    const isLive = await one.process.live(() =>
      work(one).then(() => {
        isDone = true;
      }, report),
    );
    done[kind].count += 1;
    done[kind].ms += clock.now() - startMs;
    if (isLive) pool.give(one);
    else done[kind].deaths += 1;
    return isLive && isDone;
  };
  const courier = async (): Promise<void> => {
    for (let event = waiting.shift(); event; event = waiting.shift()) {
      const own = event;
      const isTaken = await invoke('courier', couriers, (one) => one.bring(own));
      if (!isTaken) void bring(own, redeliveryMs);
    }
  };
  let courierBusyCount = 0;
  const bring = async (event: LedgerEvent, ms: number): Promise<void> => {
    onTheWay += 1;
    await clock.sleep(ms);
    onTheWay -= 1;
    waiting.push(event);
    done.courier.waitingMax = Math.max(done.courier.waitingMax, waiting.length);
    if (courierBusyCount >= courierCount) return;
    courierBusyCount += 1;
    await courier();
    courierBusyCount -= 1;
  };
  const publish: Bus['publish'] = async (lines) => {
    for (const event of lines.flat())
      if (invokes('courier', event)) void bring(event, drawn(busLatency, random));
    return lines.map(({ length }) => length);
  };
  /** Lets the relay run for a shard of the stream until nothing more was stored meanwhile. */
  const follow = async (stream: number, stored: Map<string, OutboxPlace>): Promise<void> => {
    while (stored.size > 0) {
      await clock.sleep(random() * streamPollMs);
      const some = [...stored].slice(0, streamTaken);
      done.relay.waitingMax = Math.max(done.relay.waitingMax, stored.size);
      for (const [name] of some) stored.delete(name);
      let isDrained = false;
      await invoke('relay', relays, async ({ ports }) => {
        isDrained = await drainEach(
          ports,
          some.map(([, place]) => place),
        );
      });
      // The stream brings again what was not taken.
      if (!isDrained) for (const [name, place] of some) stored.set(name, place);
    }
    streams.delete(stream);
  };
  const tick = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(sweepMs);
      void invoke('sweeper', sweepers, (one) => one.sweepAll());
    }
  };
  return {
    done,
    clear: (): void => {
      for (const one of Object.values(done)) Object.assign(one, noneDone());
    },
    /** Lets the sweeper run at each minute from now on. */
    begin: (): void => void tick(),
    wake: (stored: readonly OutboxPlace[]): void => {
      for (const place of stored) {
        const name = `${place.shard} ${place.scope}`;
        const stream = streamOf(name);
        const waits = streams.get(stream)?.set(name, place);
        if (waits) continue;
        const begun = new Map([[name, place]]);
        streams.set(stream, begun);
        void follow(stream, begun);
      }
    },
    /** True while the relay or a courier has something to do. */
    isBusy: (): boolean => streams.size + waiting.length + courierBusyCount + onTheWay > 0,
  };
}

/** The shard of the stream of the table that tells of an outbox: it is that of a partition. */
function streamOf(name: string): number {
  let hash = 0;
  for (const unit of name) hash = (hash * 31 + (unit.codePointAt(0) ?? 0)) % 1_000_003;
  return hash % streamShardCount;
}

/** Drains some outboxes at the same time, as `functions/relay` does; false when some have to wait. */
async function drainEach(ports: RelayPorts, some: readonly OutboxPlace[]): Promise<boolean> {
  const scopes = new Map<string, number[]>();
  for (const { scope, shard } of some) scopes.set(scope, [...(scopes.get(scope) ?? []), shard]);
  const drained = await Promise.all(
    [...scopes].map(([scope, shards]) => drain(ports, scope, shards)),
  );
  return !drained.includes(false);
}

interface Instance {
  readonly process: Mortal;
}

function noneDone(): Done {
  return { count: 0, ms: 0, waitingMax: 0, deaths: 0 };
}

function mortalOf({ at, random, processAt, mortality = 0 }: WorkerOptions) {
  const process = newMortal(at.client, random, mortality);
  return { process, ...processAt({ ...at, client: process.client }) };
}

function newRelay(options: WorkerOptions, bus: Bus) {
  const { process, table, services } = mortalOf(options);
  return { process, ports: relayPortsAt(options, { table, services }, bus) };
}

function relayPortsAt({ report }: WorkerOptions, { table, services }: Process, bus: Bus) {
  const complain = (_where: string, error: unknown): void => report(error);
  return relayPorts(table, { bus, clock: services.clock, metric, complain });
}

/** A process that attempts deliveries. */
function newCarrier(options: WorkerOptions) {
  const { report, send = nobody } = options;
  const { process, table, services } = mortalOf(options);
  const carriers = newCarriers({
    ...{ services, metric, report, ...bounds },
    ask: nobody,
    send: (request, givenUp) => process.heard(send(request, givenUp)),
  });
  return {
    ...{ process, table, services, carriers },
    /** Accepts an event, and attempts what follows from it once. */
    bring: (event: LedgerEvent): Promise<void> => carriers.bring(event, leaseMs),
  };
}

function newSweeper(options: WorkerOptions, bus: Bus) {
  const { process, table, services, carriers } = newCarrier(options);
  const { clock, report } = options;
  const relay = relayPortsAt(options, { table, services }, bus);
  const expiries = dynamoExpiries(table.at);
  const reminders = new Map<string, Reminder>();
  const { store, keyring, logs } = services;
  const sign = checkpoints({ logs, store, keyring });
  const signAll = async (hasTime: () => boolean): Promise<void> => {
    for await (const scope of scopesOf(table.outbox)) {
      if (!hasTime()) return;
      await sign(scope).catch(report);
    }
  };
  return {
    process,
    /** As `functions/sweeper`, without witnesses. */
    sweepAll: async (): Promise<void> => {
      const endMs = clock.now() + patienceMs;
      const hasTime = () => clock.now() < endMs;
      await Promise.all([
        sweep(carriers.carrying(() => endMs - clock.now(), leaseMs)),
        drainAll({ ...relay, hasTime, report }, scopesOf(relay.outbox)).then(() =>
          signAll(hasTime),
        ),
        expireDue({
          ...{ services, expiries, hasTime, reminders, report },
          ...{ unanswered: metric, forgotten: metric },
        }),
      ]);
    },
  };
}

function nobody(): Promise<never> {
  return Promise.reject(new Error('Nobody is asked here.'));
}
