/**
 * The workers of the offline runtime, in a thread of their own: the relay, woken by nudges from the
 * endpoints and by a poll; the courier behind the bus; the sweeper on its clock.
 */
import { BroadcastChannel, parentPort } from 'node:worker_threads';
import { accepting, carrying, lanesHere } from '../functions/carrying.ts';
import { relaying } from '../functions/relaying.ts';
import { wiring } from '../functions/wiring.ts';
import { carry, carryDue, carryLeft } from '../shared/delivery/carry.ts';
import { accept } from '../shared/delivery/courier.ts';
import { drain } from '../shared/signal/relay.ts';
import { scopesOf } from '../shared/signal/shards.ts';
import { outboxShardCount } from '../shared/store/keys.ts';
import { localBus } from './bus.ts';

interface Place {
  readonly scope: string;
  readonly shard: number;
}

/** How long a busy ledger gathers what is to be told. */
const breathMs = 100;
/** How many ledgers are drained at a time. */
const runningMax = 8;
/** How long a shard waits when the bus did not take everything. */
const againMs = 250;
const sweepMs = 500;
const pollMs = 10_000;
/** How long deliveries on their way may end after a stop was asked for. */
const drainMsMax = 3_000;
/** Nobody else takes on what this process holds; the next process takes over what it leaves. */
const leaseMs = 3_600_000;
/** Retries in place may take as long as they do here. */
const patienceMs = () => Number.POSITIVE_INFINITY;

const courier = carrying(patienceMs, leaseMs);
const bus = localBus(
  { courier: async (events) => carry(courier, await accept(accepting(leaseMs), events)) },
  (event, error) => wiring.complain(`dead letter ${event.data.handle}`, error),
);
const relay = relaying(bus);

/** The shards that have something new, by scope. */
const waiting = new Map<string, Set<number>>();
const running = new Set<string>();
/** When each scope was drained last. */
const drainedMs = new Map<string, number>();
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
    const restMs = (drainedMs.get(scope) ?? 0) + breathMs - Date.now();
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
    wiring.complain('relay', error);
  }
  running.delete(scope);
  drainedMs.set(scope, Date.now());
  const again = isDrained ? [] : shards;
  for (const shard of again) setTimeout(wake, againMs, { scope, shard });
  pump();
}

/** Wakes every shard there is: at the start, and for nudges that were lost. */
async function wakeAll(): Promise<void> {
  for await (const scope of scopesOf(wiring.services.store)) {
    for (let shard = 0; shard < outboxShardCount; shard += 1) wake({ scope, shard });
  }
}

/** Does something again and again, each time after the last one ended. */
function every(ms: number, where: string, work: () => Promise<unknown>): void {
  const next = (): void => {
    if (isStopping) return;
    void work()
      .catch((error: unknown) => wiring.complain(where, error))
      .then(() => setTimeout(next, ms));
  };
  next();
}

async function stop(): Promise<void> {
  isStopping = true;
  const late = new Promise((resolve) => setTimeout(resolve, drainMsMax));
  await Promise.race([lanesHere.idle(), late]);
  process.exit(0);
}

/** What the process before left on its way goes first, so that nothing new overtakes it. */
async function begin(): Promise<void> {
  await carryLeft(courier);
  const nudges = new BroadcastChannel(process.env['OUTBOX_CHANNEL'] ?? 'outbox');
  nudges.onmessage = (message) => {
    for (const place of (message as { data: readonly Place[] }).data) wake(place);
  };
  every(pollMs, 'relay', wakeAll);
  every(sweepMs, 'sweeper', () => carryDue(courier));
}

parentPort?.on('message', () => void stop());
await begin();
