/**
 * The workers of the offline runtime, in one thread: the relay, which nudges of the endpoints and a poll wake; the
 * courier behind the bus; the sweeper and the reporter on timers.
 */
import { BroadcastChannel, parentPort } from 'node:worker_threads';
// First: the functions open the table as they are loaded.
import '../engine/provide.ts';
import { carriers } from '../../functions/carrying.ts';
import { checkpointsAtOnce, signCheckpoint, signForgotten } from '../../functions/checkpointing.ts';
import { askAll, askOpen } from '../../functions/cosigning.ts';
import { complain } from '../../functions/environment.ts';
import { expiring } from '../../functions/expiring.ts';
import { relaying } from '../../functions/relaying.ts';
import { producing } from '../../functions/reporting.ts';
import { type Nudge, table } from '../../functions/table.ts';
import { clockFollower, watched } from '../../shared/delivery/ahead.ts';
import { carry } from '../../shared/delivery/carry.ts';
import { accept } from '../../shared/delivery/courier.ts';
import { carryLeft, type DuePorts } from '../../shared/delivery/due.ts';
import type { Scope } from '../../shared/port/ports.ts';
import { drain } from '../../shared/signal/relay.ts';
import { scopesOf } from '../../shared/signal/shards.ts';
import type { OutboxPlace } from '../../shared/store/store.ts';
import { watchInPlace } from '../engine/in-place.ts';
import { measure } from '../telemetry/measuring.ts';
import { startTracing } from '../telemetry/tracing.ts';
import { runInBackground } from './background.ts';
import { deadLettersAt, localBus } from './bus.ts';
import { dueWork } from './due-work.ts';
import { newPace } from './pace.ts';
import { paced } from './paced.ts';
import { endThread, reportFailure } from './thread-end.ts';

/** The most ledgers that are drained at a time. */
const runningMax = 8;
/** First and longest delay before a scope is drained again that could not be drained completely. */
const againMs = 250;
const againMsMax = 10_000;
/** Pause after a look at one of all ledgers, as a multiple of its duration. */
const restFactor = 9;
/** Delay between two looks for what other processes left, in milliseconds. */
const pollMs = 30_000;
/** Delay between two looks at the clocks, and the step of the clock after which everything is looked at. */
const clockMs = 500;
const stepMsMin = 1_000;
/** Delay between two rounds of the witnesses. */
const witnessMs = 1_000;
/** Time for running deliveries to end after a signal to stop. */
const drainMsMax = 3_000;
/**
 * The lease of a delivery. This process is the only courier and never starts a delivery twice, so the lease only delays
 * deliveries whose target became unreachable before their turn.
 */
const leaseMs = 30_000;
/** Events wait this long for the answers to those before them, so that a quick one is stored once, in milliseconds. */
const firstMs = 20;
/** Work is accepted as long as this process runs. */
const patienceMs = () => Number.POSITIVE_INFINITY;

const { first, targets, accepting, carrying, onlyHere } = carriers;
const carrier = carrying(patienceMs, leaseMs, onlyHere);
const watch = watched(carrier.services.clock, () => performance.now());
const services = { ...carrier.services, clock: watch.clock };
const courier: DuePorts = { ...carrier, services, deliveries: first.deliveries };
const keepDeadLetter = deadLettersAt(process.env['DEAD_LETTERS']);
const acceptor = { ...accepting(leaseMs), services };
const pace = newPace();
const bus = localBus(
  {
    courier: (events) => {
      for (const { ledger } of events) pace.received(ledger);
      return first.bring({
        eventCount: events.length,
        accept: (ports) => accept({ ...acceptor, deliveries: ports }, events),
        carry: (all) => carry(courier, all),
        momentMs: firstMs,
      });
    },
  },
  (event, error) => {
    complain(`dead letter ${event.data.handle}`, error);
    keepDeadLetter(event, error);
  },
);
const relay = relaying(bus, signCheckpoint, checkpointsAtOnce);

/** The shards with new entries, by scope. */
const waiting = new Map<string, Set<number>>();
const running = new Set<string>();
/** Consecutive incomplete drains of each scope. */
const failureCounts = new Map<string, number>();
/** The next look at the ledgers that rest, and its time of the steady clock. */
let timer: { readonly timeout: NodeJS.Timeout; readonly dueMs: number } | undefined;
let isStopping = false;

/**
 * Drains a shard, as soon as the pace of its ledger allows: at once while it has little to do. A shard that is woken
 * while it is drained is drained once more.
 */
function wake({ scope, shard }: OutboxPlace): void {
  waiting.set(scope, (waiting.get(scope) ?? new Set()).add(shard));
  pace.woken(scope);
  pump();
}

function pump(): void {
  for (const [scope, shards] of waiting) {
    if (isStopping || running.size >= runningMax) return;
    if (running.has(scope)) continue;
    const restMs = pace.begin(scope);
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
  const dueMs = performance.now() + ms;
  if (timer && timer.dueMs <= dueMs) return;
  clearTimeout(timer?.timeout);
  const timeout = setTimeout(() => {
    timer = undefined;
    pump();
  }, ms);
  timer = { timeout, dueMs };
}

async function drainScope(scope: string, shards: readonly number[]): Promise<void> {
  let isDrained = false;
  try {
    isDrained = await drain(relay, scope, shards);
  } catch (error) {
    complain('relay', error);
  }
  running.delete(scope);
  pace.end(scope);
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

/** Returns a function that tells whether the clock was set since its last call. */
function stepSeen(): () => boolean {
  let leadMs = Date.now() - performance.now();
  return () => {
    const beforeMs = leadMs;
    leadMs = Date.now() - performance.now();
    return Math.abs(leadMs - beforeMs) > stepMsMin;
  };
}

async function stop(): Promise<void> {
  isStopping = true;
  const late = new Promise((resolve) => setTimeout(resolve, drainMsMax));
  await Promise.race([targets.queues.idle(), late]);
  await tracing?.close();
  await endThread();
}

/** Deliveries that the previous process left running go first, so that no new one overtakes them. */
async function begin(): Promise<void> {
  await carryLeft(courier);
  const isUp = (): boolean => !isStopping;
  const due = dueWork({ courier, expirer: expiring(isUp), reporter: producing(isUp), complain });
  const nudges = new BroadcastChannel(process.env['OUTBOX_CHANNEL'] ?? 'outbox');
  nudges.onmessage = (message) => {
    const { data } = message as { data: Nudge };
    if ('due' in data) due.hear(data.due);
    else for (const place of data.stored) wake(place);
  };
  void wakeFilled(scopesOf(table.outbox)).catch((error: unknown) => complain('relay', error));
  every(pollMs, 'relay', () => wakeFilled(allInTime()));
  every(pollMs, 'log', () => signForgotten(() => !isStopping, allInTime()));
  void askAll(() => !isStopping).catch((error: unknown) => complain('witness', error));
  every(witnessMs, 'witness', askOpen);
  const [follow, hasStepped] = [clockFollower(courier, watch), stepSeen()];
  every(clockMs, 'clock', async () => {
    if (hasStepped()) due.lookNow();
    await follow();
  });
}

const tracing = await startTracing();
reportFailure();
watchInPlace();
measure((measured) => parentPort?.postMessage({ measured }));
parentPort?.on('message', () => void stop());
parentPort?.postMessage('ready');
await runInBackground();
await begin();
