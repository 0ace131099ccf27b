/**
 * The workers of the offline runtime, in a thread of their own: the relay, woken by nudges from the
 * endpoints and by a poll; the courier behind the bus; the sweeper on its clock.
 */
import { BroadcastChannel, parentPort } from 'node:worker_threads';
import { accepting, carrying, onlyHere, targetsHere } from '../../functions/carrying.ts';
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
import { produceDue } from '../../shared/report/produce.ts';
import { drain } from '../../shared/signal/relay.ts';
import { scopesOf } from '../../shared/signal/shards.ts';
import { outboxShardCount } from '../../shared/store/keys.ts';
import { localBus } from './bus.ts';
import { lettersAt } from './letters.ts';

interface Place {
  readonly scope: string;
  readonly shard: number;
}

/** How long a busy ledger gathers what is to be told. */
const breathMs = 100;
/** How many ledgers are drained at a time. */
const runningMax = 8;
/** How long a scope waits at first, and at most, when not all of it could be told. */
const againMs = 250;
const againMsMax = 10_000;
const sweepMs = 500;
/** How many times as long as it took a sweep that found nothing to do is rested from. */
const restFactor = 9;
/** How long other work has at least between two sweeps, in milliseconds. */
const breakMs = 20;
const pollMs = 10_000;
/** How long deliveries on their way may end after a stop was asked for. */
const drainMsMax = 3_000;
/**
 * What this process holds it does not take on twice, and nobody else does: the lease is how long a
 * delivery is left alone whose target went silent before its turn.
 */
const leaseMs = 30_000;
/** Whatever is due is taken on as long as this process runs. */
const patienceMs = () => Number.POSITIVE_INFINITY;

const carriers = carrying(patienceMs, leaseMs, onlyHere);
const { deliveries } = carriers;
const watch = watched(carriers.services.clock, () => performance.now());
const services = { ...carriers.services, clock: watch.clock };
/** Whoever says of a delivery that it is to be attempted soon wakes the sweep for it, as the stream does on AWS. */
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
const keepLetter = lettersAt(process.env['DEAD_LETTERS']);
const acceptor = { ...accepting(leaseMs), services };
const bus = localBus(
  { courier: async (events) => carry(courier, await accept(acceptor, events)) },
  (event, error) => {
    complain(`dead letter ${event.data.handle}`, error);
    keepLetter(event, error);
  },
);
const relay = relaying(bus);

/** The shards that have something new, by scope. */
const waiting = new Map<string, Set<number>>();
const running = new Set<string>();
/** When each scope was drained last. */
const drainedMs = new Map<string, number>();
/** How often in a row each scope could not be told whole. */
const failureCounts = new Map<string, number>();
let timer: NodeJS.Timeout | undefined;
let isStopping = false;

/**
 * Drains a shard soon: at once when its ledger was quiet, else after a breath, so that what comes in
 * quick succession is told together. Woken while it is being drained, it is drained once more.
 */
function wake({ scope, shard }: Place): void {
  waiting.set(scope, (waiting.get(scope) ?? new Set()).add(shard));
  pump();
}

function pump(): void {
  for (const [scope, shards] of waiting) {
    if (isStopping || running.size >= runningMax) return;
    if (running.has(scope)) continue;
    const restMs = (drainedMs.get(scope) ?? 0) + breathMs - performance.now();
    if (restMs > 0) {
      pumpIn(restMs);
      continue;
    }
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
  let isDrained = false;
  try {
    isDrained = await drain(relay, scope, shards);
  } catch (error) {
    complain('relay', error);
  }
  running.delete(scope);
  drainedMs.set(scope, performance.now());
  const failureCount = isDrained ? 0 : (failureCounts.get(scope) ?? 0) + 1;
  failureCounts.set(scope, failureCount);
  const again = isDrained ? [] : shards;
  const waitMs = Math.min(againMsMax, againMs * 2 ** (failureCount - 1));
  for (const shard of again) setTimeout(wake, waitMs, { scope, shard });
  pump();
}

/** Wakes every shard there is: at the start, and for nudges that were lost. */
async function wakeAll(): Promise<void> {
  for await (const scope of scopesOf(table.outbox)) {
    for (let shard = 0; shard < outboxShardCount; shard += 1) wake({ scope, shard });
  }
}

/** Does something again and again: so long after the last time ended. */
function every(ms: number, where: string, work: () => Promise<unknown>): void {
  const next = async (): Promise<void> => {
    if (isStopping) return;
    await work().catch((error: unknown) => complain(where, error));
    setTimeout(next, ms);
  };
  void next();
}

/** The next sweep: one runs at a time, and between two of them other work finds as much time as the last one took. */
const coming: { atMs: number; notBeforeMs: number; isRunning: boolean; timer?: NodeJS.Timeout } = {
  atMs: Number.POSITIVE_INFINITY,
  notBeforeMs: 0,
  isRunning: false,
};

/** Sweeps in so many milliseconds, or before. A clock that is set does not come into it. */
function sweepIn(ms: number): void {
  const nowMs = performance.now();
  coming.atMs = Math.min(coming.atMs, Math.max(nowMs + ms, coming.notBeforeMs));
  if (coming.isRunning || isStopping) return;
  clearTimeout(coming.timer);
  coming.timer = setTimeout(() => void sweepNow(), Math.max(0, coming.atMs - nowMs));
}

async function sweepNow(): Promise<void> {
  coming.isRunning = true;
  coming.atMs = Number.POSITIVE_INFINITY;
  const startMs = performance.now();
  const restMs = await sweep().catch((error: unknown) => {
    complain('sweeper', error);
    return sweepMs;
  });
  const endMs = performance.now();
  coming.isRunning = false;
  coming.notBeforeMs = endMs + Math.max(breakMs, endMs - startMs);
  sweepIn(restMs);
}

/**
 * Takes on what is due; answers how long to rest then. It is longer when there was much to look at and nothing of it to
 * do, and ends when something is to be attempted at its time.
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
  process.exit(0);
}

/** Produces the reports whose intervals are over, until nothing is left to do. */
async function produceAll(): Promise<void> {
  while (!isStopping && (await produceDue(reporter)));
}

/** What the process before left on its way goes first, so that nothing new overtakes it. */
async function begin(): Promise<void> {
  await carryLeft(courier);
  const nudges = new BroadcastChannel(process.env['OUTBOX_CHANNEL'] ?? 'outbox');
  nudges.onmessage = (message) => {
    for (const place of (message as { data: readonly Place[] }).data) wake(place);
  };
  every(pollMs, 'relay', wakeAll);
  every(sweepMs, 'clock', clockFollower(courier, watch));
  sweepIn(0);
  every(sweepMs, 'expiry', () => expireDue(expirer));
  every(sweepMs, 'reporter', produceAll);
}

parentPort?.on('message', () => void stop());
await begin();
