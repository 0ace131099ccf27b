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

/** How long a busy shard gathers what is to be told. */
const breathMs = 100;
/** How many shards are drained at a time. */
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

const waiting = new Map<string, Place>();
const running = new Set<string>();
/** When each shard was drained last. */
const drainedMs = new Map<string, number>();
let isStopping = false;

/**
 * Drains a shard soon: at once when it was quiet, else after a breath, so that what comes in quick
 * succession is told together. Woken while it is being drained, it is drained once more.
 */
function wake(place: Place): void {
  const name = `${place.scope} ${place.shard}`;
  if (waiting.has(name)) return;
  waiting.set(name, place);
  const restMs = (drainedMs.get(name) ?? 0) + breathMs - Date.now();
  if (restMs <= 0) pump();
  else setTimeout(pump, restMs);
}

function pump(): void {
  for (const [name, place] of waiting) {
    if (isStopping || running.size >= runningMax) return;
    if (running.has(name) || Date.now() < (drainedMs.get(name) ?? 0) + breathMs) continue;
    waiting.delete(name);
    running.add(name);
    void drainOne(name, place);
  }
}

async function drainOne(name: string, place: Place): Promise<void> {
  let isDrained = false;
  try {
    isDrained = await drain(relay, place.scope, place.shard);
  } catch (error) {
    wiring.complain('relay', error);
  }
  running.delete(name);
  drainedMs.set(name, Date.now());
  if (waiting.has(name)) setTimeout(pump, breathMs);
  if (!isDrained) setTimeout(wake, againMs, place);
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
