/**
 * The workers of the offline runtime, in one thread: the relay, which nudges of the endpoints and a poll wake; the
 * courier behind the bus; the sweeper and the reporter on timers.
 */
import { BroadcastChannel, parentPort } from 'node:worker_threads';
import { accepting, carrying, onlyHere, targetsHere } from '../../functions/carrying.ts';
import { signCheckpoint, signForgotten } from '../../functions/checkpointing.ts';
import { askAll, askOpen } from '../../functions/cosigning.ts';
import { complain } from '../../functions/environment.ts';
import { expiring } from '../../functions/expiring.ts';
import { relaying } from '../../functions/relaying.ts';
import { producing } from '../../functions/reporting.ts';
import { table } from '../../functions/table.ts';
import { clockFollower, watched } from '../../shared/delivery/ahead.ts';
import { carry } from '../../shared/delivery/carry.ts';
import { accept } from '../../shared/delivery/courier.ts';
import { carryDue, carryLeft, type DuePorts } from '../../shared/delivery/due.ts';
import { expireDue } from '../../shared/intent/expire-due.ts';
import type { Scope } from '../../shared/port/ports.ts';
import { produceDue } from '../../shared/report/produce.ts';
import { drain } from '../../shared/signal/relay.ts';
import { scopesOf } from '../../shared/signal/shards.ts';
import { measure } from '../telemetry/measuring.ts';
import { startTracing } from '../telemetry/tracing.ts';
import { deadLettersAt, localBus } from './bus.ts';
import { paced } from './paced.ts';

interface OutboxShard {
  readonly scope: string;
  readonly shard: number;
}

/** Delay for which a busy ledger collects signals, to publish them together. */
const collectMs = 100;
/** The drains that a ledger may have at once after a rest, such as those of one intent: each wins one back in `collectMs`. */
const burstLength = 10;
/** The most ledgers that are drained at a time. */
const runningMax = 8;
/** First and longest delay before a scope is drained again that could not be drained completely. */
const againMs = 250;
const againMsMax = 10_000;
const sweepMs = 500;
/** Pause after a sweep without any work, or after a look at one of all ledgers, as a multiple of its duration. */
const restFactor = 9;
/** The least time for other work between two sweeps, in milliseconds. */
const sweepGapMs = 20;
const pollMs = 10_000;
/** Delay between two rounds of the witnesses. */
const witnessMs = 1_000;
/** Time for running deliveries to end after a signal to stop. */
const drainMsMax = 3_000;
/**
 * The lease of a delivery. This process is the only courier and never starts a delivery twice, so the lease only delays
 * deliveries whose target became unreachable before their turn.
 */
const leaseMs = 30_000;
/** Work is accepted as long as this process runs. */
const patienceMs = () => Number.POSITIVE_INFINITY;

const carriers = carrying(patienceMs, leaseMs, onlyHere);
const { deliveries } = carriers;
const watch = watched(carriers.services.clock, () => performance.now());
const services = { ...carriers.services, clock: watch.clock };
/** Saving a delivery that is due soon schedules a sweep for its time, as the stream does on AWS. */
const courier: DuePorts = {
  ...carriers,
  services,
  deliveries: {
    ...deliveries,
    save: async (next, previous) => {
      const isSaved = await deliveries.save(next, previous);
      if (isSaved && next.isSoon && next.dueMs !== undefined) sweepIn(next.dueMs - Date.now());
      return isSaved;
    },
  },
};
const reporter = producing(() => !isStopping);
const expirer = expiring(() => !isStopping);
const keepDeadLetter = deadLettersAt(process.env['DEAD_LETTERS']);
const acceptor = { ...accepting(leaseMs), services };
const bus = localBus(
  { courier: async (events) => carry(courier, await accept(acceptor, events)) },
  (event, error) => {
    complain(`dead letter ${event.data.handle}`, error);
    keepDeadLetter(event, error);
  },
);
const relay = relaying(bus, signCheckpoint);

/** The shards with new entries, by scope. */
const waiting = new Map<string, Set<number>>();
const running = new Set<string>();
/** The time at which each scope has won back all of its drains. */
const restedMs = new Map<string, number>();
/** Consecutive incomplete drains of each scope. */
const failureCounts = new Map<string, number>();
let timer: NodeJS.Timeout | undefined;
let isStopping = false;

/**
 * Drains a shard: at once, up to `burstLength` times, then every `collectMs`, so that an intent waits for nothing and the
 * signals of a busy ledger are published together. A shard that is woken while it is drained is drained once more.
 */
function wake({ scope, shard }: OutboxShard): void {
  waiting.set(scope, (waiting.get(scope) ?? new Set()).add(shard));
  pump();
}

function pump(): void {
  for (const [scope, shards] of waiting) {
    if (isStopping || running.size >= runningMax) return;
    if (running.has(scope)) continue;
    const nowMs = performance.now();
    const fullMs = Math.max(nowMs, restedMs.get(scope) ?? 0) + collectMs;
    const restMs = fullMs - nowMs - burstLength * collectMs;
    if (restMs > 0) {
      pumpIn(restMs);
      continue;
    }
    restedMs.set(scope, fullMs);
    waiting.delete(scope);
    running.add(scope);
    void drainScope(scope, [...shards]);
  }
}

function pumpIn(ms: number): void {
  if (timer) return;
  timer = setTimeout(() => {
    timer = undefined;
    pump();
  }, ms);
}

async function drainScope(scope: string, shards: readonly number[]): Promise<void> {
  const startMs = performance.now();
  let isDrained = false;
  try {
    isDrained = await drain(relay, scope, shards);
  } catch (error) {
    complain('relay', error);
  }
  running.delete(scope);
  // Other work has its time between two drains, however long they take.
  restedMs.set(scope, (restedMs.get(scope) ?? 0) + performance.now() - startMs);
  const failureCount = isDrained ? 0 : (failureCounts.get(scope) ?? 0) + 1;
  failureCounts.set(scope, failureCount);
  const again = isDrained ? [] : shards;
  const waitMs = Math.min(againMsMax, againMs * 2 ** (failureCount - 1));
  for (const shard of again) setTimeout(wake, waitMs, { scope, shard });
  pump();
}

/** Wakes every shard of the scopes that something waits in: what an earlier process left, or whose nudge was lost. */
async function wakeFilled(scopes: AsyncIterable<Scope>): Promise<void> {
  for await (const scope of scopes) {
    if (isStopping) return;
    const shards = await table.outbox.shards(scope);
    const first = await Promise.all(shards.map((shard) => table.outbox.oldest(scope, shard, 1)));
    for (const [index, shard] of shards.entries()) if (first[index]?.length) wake({ scope, shard });
  }
}

/** The server and its ledgers, without haste. */
const allInTime = () => paced(scopesOf(table.outbox), restFactor);

/** Repeats work, each time `ms` after the last run has ended. */
function every(ms: number, where: string, work: () => Promise<unknown>): void {
  const next = async (): Promise<void> => {
    if (isStopping) return;
    await work().catch((error: unknown) => complain(where, error));
    setTimeout(next, ms);
  };
  void next();
}

/** The next sweep. One runs at a time, and other work has as much time afterwards as the sweep took. */
const nextSweep: { atMs: number; notBeforeMs: number; isRunning: boolean; timer?: NodeJS.Timeout } =
  {
    atMs: Number.POSITIVE_INFINITY,
    notBeforeMs: 0,
    isRunning: false,
  };

/** Sweeps in at most `ms` milliseconds, measured by a monotonic clock. */
function sweepIn(ms: number): void {
  const nowMs = performance.now();
  nextSweep.atMs = Math.min(nextSweep.atMs, Math.max(nowMs + ms, nextSweep.notBeforeMs));
  if (nextSweep.isRunning || isStopping) return;
  clearTimeout(nextSweep.timer);
  nextSweep.timer = setTimeout(() => void sweepNow(), Math.max(0, nextSweep.atMs - nowMs));
}

async function sweepNow(): Promise<void> {
  nextSweep.isRunning = true;
  nextSweep.atMs = Number.POSITIVE_INFINITY;
  const startMs = performance.now();
  const restMs = await sweep().catch((error: unknown) => {
    complain('sweeper', error);
    return sweepMs;
  });
  const endMs = performance.now();
  nextSweep.isRunning = false;
  nextSweep.notBeforeMs = endMs + Math.max(sweepGapMs, endMs - startMs);
  sweepIn(restMs);
}

/**
 * Attempts deliveries that are due; returns the pause until the next sweep. The pause grows with the duration of a sweep
 * that found no work, and ends by the time of the next known delivery.
 */
async function sweep(): Promise<number> {
  const startMs = performance.now();
  const { handledCount, nextMs } = await carryDue(courier);
  const tookMs = performance.now() - startMs;
  const restMs = handledCount > 0 ? sweepMs : Math.max(sweepMs, tookMs * restFactor);
  return nextMs === undefined ? restMs : Math.min(restMs, Math.max(0, nextMs - Date.now()));
}

async function stop(): Promise<void> {
  isStopping = true;
  const late = new Promise((resolve) => setTimeout(resolve, drainMsMax));
  await Promise.race([targetsHere.queues.idle(), late]);
  await tracing?.close();
  process.exit(0);
}

/** Produces reports until none is due. */
async function produceAll(): Promise<void> {
  while (!isStopping && (await produceDue(reporter)));
}

/** Deliveries that the previous process left running go first, so that no new one overtakes them. */
async function begin(): Promise<void> {
  await carryLeft(courier);
  const nudges = new BroadcastChannel(process.env['OUTBOX_CHANNEL'] ?? 'outbox');
  nudges.onmessage = (message) => {
    for (const place of (message as { data: readonly OutboxShard[] }).data) wake(place);
  };
  void wakeFilled(scopesOf(table.outbox)).catch((error: unknown) => complain('relay', error));
  every(pollMs, 'relay', () => wakeFilled(allInTime()));
  every(pollMs, 'log', () => signForgotten(() => !isStopping, allInTime()));
  void askAll(() => !isStopping).catch((error: unknown) => complain('witness', error));
  every(witnessMs, 'witness', askOpen);
  every(sweepMs, 'clock', clockFollower(courier, watch));
  sweepIn(0);
  every(sweepMs, 'expiry', () => expireDue(expirer));
  every(sweepMs, 'reporter', produceAll);
}

const tracing = await startTracing();
measure((measured) => parentPort?.postMessage({ measured }));
parentPort?.on('message', () => void stop());
parentPort?.postMessage('ready');
await begin();
