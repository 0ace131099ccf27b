/**
 * One run: the steps of a scenario begin one after the other while all that runs goes on in the order of the seed,
 * through whatever trouble there is; then the trouble ends, the banks become good, time passes, and all comes to its
 * end.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';
import { bridgedIn } from '../../shared/ledger/intent.ts';
import type { Json } from '../fixture/client.ts';
import { quiet } from '../fixture/quiet.ts';
import { type Bank, newBank } from './bank.ts';
import { type Book, decidedStatuses, finalStatuses, newBook } from './book.ts';
import { bankNames, type Ledger, newLedger } from './ledger.ts';
import { newRequests, type Requests } from './requests.ts';
import type { Scenario, Step } from './scenario.ts';
import { newScheduler, noTrouble, randomOf, type Scheduler } from './scheduler.ts';
import { newWorkers, type Workers } from './workers.ts';

/** All that takes part. */
export interface World {
  readonly scheduler: Scheduler;
  readonly ledger: Ledger;
  readonly book: Book;
  readonly banks: readonly Bank[];
  readonly workers: Workers;
  readonly requests: Requests;
  /** When the trouble ended, by the right clock. */
  calmMs: number;
  /** The number of stored writes when the trouble ended. */
  writtenAtCalm: number;
}

/** The number of lines shown before a failure. */
const logLength = Number(process.env['SIMULATION_LOG'] ?? 30);
export const startMs = Date.parse('2060-03-01T00:00:00.000Z');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The number of requests, and of each worker, that run beside each other. */
const requestCountMax = 8;
const relayCountMax = 2;
const courierCountMax = 6;
/** The times between two looks once all is good: retries, then expiry, then the daily ones. */
const pausesMs = [1_000, minuteMs, 2 * minuteMs, 61 * minuteMs, ...Array(8).fill(25 * hourMs)];
/** The times by which an intent is given more. */
const extensionsMs = [10 * minuteMs, 3 * hourMs, 48 * hourMs];
/** The most looks: a ledger that may not send now sends bit by bit. */
const pauseCountMax = 1_000;
/** A run that takes longer than this counts as endless. */
const turnCountMax = 200_000;

/** A world as it is before the first step. */
async function newWorld({ seed, manners }: Scenario): Promise<World> {
  const random = randomOf(seed);
  const scheduler = newScheduler(random, startMs);
  // Only the clock of the ledger is set.
  const outside = { ...scheduler, now: scheduler.steady };
  const banks = bankNames.map((name, index) =>
    newBank(name, outside, manners[index % manners.length] as Scenario['manners'][number]),
  );
  const book = newBook(scheduler.steady);
  const clock = scheduler.now;
  const ledger = await newLedger({ clock, random }, banks, book.committed);
  const workers = newWorkers(ledger, scheduler, banks);
  const requests = newRequests(ledger, workers, scheduler.steady);
  const all = { scheduler, ledger, book, banks, workers, requests };
  return { ...all, calmMs: startMs, writtenAtCalm: 0 };
}

/** Runs a scenario to its end, in a time of its own; `inspect` is told of what came of it. */
export async function simulate(
  scenario: Scenario,
  inspect: (world: World) => Promise<void> = async () => undefined,
): Promise<World> {
  const world = await newWorld(scenario);
  await inTimeOf(world.scheduler, async () => {
    await storm(world, scenario);
    world.writtenAtCalm = world.ledger.written.length;
    await calm(world);
    await inspect(world);
  });
  return world;
}

/** Timers and chance are those of the world, for what runs in it and for nobody else in this process. */
async function inTimeOf(scheduler: Scheduler, work: () => Promise<void>): Promise<void> {
  const inside = new AsyncLocalStorage<true>();
  const { setTimeout: begin, clearTimeout: end } = globalThis;
  vi.stubGlobal('setTimeout', (...values: Parameters<Scheduler['setTimeout']>) =>
    inside.getStore() ? scheduler.setTimeout(...values) : begin(...values),
  );
  vi.stubGlobal('clearTimeout', (timer: never) =>
    inside.getStore() ? scheduler.clearTimeout(timer) : end(timer),
  );
  const chance = vi.spyOn(Math, 'random').mockImplementation(() => scheduler.pick(1_000) / 1_000);
  try {
    await inside.run(true, work);
  } finally {
    chance.mockRestore();
    vi.unstubAllGlobals();
  }
}

/** Everything at once. */
async function storm(world: World, { steps, trouble, length, isHushed }: Scenario): Promise<void> {
  const { scheduler, workers } = world;
  scheduler.meet(trouble);
  workers.hush(isHushed);
  const left = [...steps];
  let rest = length;
  while (left.length > 0 || rest > 0) {
    if (left.length === 0) rest -= 1;
    await drawn(scheduler, waysOn(world, left))();
    checkSoFar(world);
  }
}

/** Something that may happen next, and how likely that is beside the others. */
type Way = readonly [weight: number, isPossible: boolean, does: () => unknown];

function waysOn(world: World, left: Step[]): Way[] {
  const { scheduler, workers } = world;
  const isRoom = workers.countOf('request') < requestCountMax;
  const isRelayFree = workers.countOf('relay') < relayCountMax;
  const isCourierFree = workers.countOf('courier') < courierCountMax;
  return [
    [40, scheduler.waitingCount() > 0, scheduler.turn],
    [3, isRoom && left.length > 0, () => take(world, left.shift())],
    [4, isRoom, () => hearOne(world)],
    [3, isRelayFree, workers.relay],
    [0.1, isRelayFree, workers.relayAll],
    [6, isCourierFree && workers.eventCount() > 0, workers.deliver],
    [0.5, workers.countOf('sweep') === 0, workers.sweep],
    [0.3, workers.countOf('expiry') === 0, workers.expire],
    [2, scheduler.timerCount() > 0, scheduler.tick],
    [1, true, () => scheduler.one(world.banks).hearLate()],
  ];
}

function drawn({ pick }: Scheduler, ways: readonly Way[]): () => unknown {
  const possible = ways.filter(([, isPossible]) => isPossible);
  const sum = possible.reduce((all, [weight]) => all + weight, 0);
  let left = (pick(1_000_000) / 1_000_000) * sum;
  for (const [weight, , does] of possible) {
    left -= weight;
    if (left < 0) return does;
  }
  return () => undefined;
}

function take(world: World, step: Step | undefined): void {
  if (!step) return;
  const { scheduler, workers, requests, banks } = world;
  scheduler.note(`step ${JSON.stringify(step)}`);
  if (step.does === 'wait') scheduler.wait(step.ms);
  else if (step.does === 'set') setClock(world, step.aheadMs);
  else if (step.does === 'kill') workers.kill();
  else if (step.does === 'ask') requests.ask(step);
  else if (step.does === 'plant') requests.plant(step.kind, step.isHopeless);
  else if (step.does === 'steal') requests.steal(step.amount, step.noteLength);
  else if (step.does === 'look') requests.look();
  else if (step.does === 'freeze') requests.freeze(step.wallet, step.isFrozen);
  else if (step.does === 'batch') requests.batch(step.mode, step.lists);
  else if ('which' in step) takeAbout(world, step);
  else requests[step.does](banks[step.bank] as Bank);
}

/** A step about one of the intents. */
function takeAbout(world: World, step: Extract<Step, { readonly which: number }>): void {
  if (step.does === 'reverse') reverse(world, step);
  else if (step.does === 'stuff') stuff(world, step);
  else if (step.does === 'lie') lie(world, step);
  else speak(world, step);
}

/** Sets the clock of the ledger, and lets it be seen. */
function setClock({ scheduler, workers }: World, aheadMs: number): void {
  scheduler.set(aheadMs);
  workers.followClock();
}

type Saying = Extract<
  Step,
  { readonly does: 'repeat' | 'agree' | 'extend' | 'commit' | 'abort' | 'capture' }
>;

/** Says something of an intent that was asked for. */
function speak(world: World, step: Saying): void {
  const { book, requests } = world;
  if (step.does === 'capture') {
    const held = requests.bodies.filter(({ data }) => {
      const { record } = book.intents.get(String(data['handle'])) ?? {};
      return isManual(data) && record?.meta.status === 'prepared';
    });
    const meant = held[step.which % held.length];
    if (meant) requests.say.capture(meant, step.part);
    else requests.charge(step.claims, step.part);
    return;
  }
  const body = requests.bodies[step.which % requests.bodies.length];
  if (!body) return;
  if (step.does === 'extend')
    requests.say.extend(body, extensionsMs[step.which % extensionsMs.length] ?? 0);
  else requests.say[step.does](body);
}

function isManual(data: Json): boolean {
  const { config } = data as { readonly config?: Json };
  return config?.['commit'] === 'manual';
}

/** Asks to undo something of an intent, also of one that a route has made, and now and then of one that has not moved. */
function reverse({ book, requests }: World, step: Step & { does: 'reverse' }): void {
  const all = [...book.intents.values()];
  const moved = all.filter(({ record }) => decidedStatuses.includes(record.meta.status));
  const some = step.which % 5 === 0 ? all : moved;
  const intent = some[step.which % some.length];
  if (intent) requests.reverse(intent.record, step.part, step);
}

/** Has a bank say something of an entry, mostly of one of its own. */
function lie({ banks, book }: World, { bank, which, what }: Step & { does: 'lie' }): void {
  const entries = [...book.intents.values()].flatMap((intent) =>
    bridgedIn(intent).map((entry) => ({ ...entry, record: intent.record })),
  );
  const entry = entries[which % entries.length];
  if (!entry) return;
  const { hash, data } = entry.record;
  const liar = bank === 0 ? banks[0] : banks.find(({ name }) => name === entry.bridge);
  liar?.lie(entry.handle, { hash, handle: data.handle }, what);
}

/** A client adds a proof to an intent, also to one that a route has made. */
function stuff({ book, requests }: World, { which, length }: Step & { does: 'stuff' }): void {
  const intents = [...book.intents.values()];
  const intent = intents[which % intents.length];
  if (intent) requests.stuff(intent.record, length);
}

/** A bank sends a report that it owes, or all of them at once. */
function hearOne({ scheduler, banks, requests }: World): void {
  const owing = banks.filter(({ owed }) => owed.length > 0);
  if (owing.length === 0) return;
  const bank = scheduler.one(owing);
  for (let count = scheduler.chance(500) ? 1 : bank.owed.length; count > 0; count -= 1) {
    const report = bank.nextReport();
    if (report) requests.report(report);
  }
}

/** All becomes good, and comes to its end. */
async function calm(world: World): Promise<void> {
  const { scheduler, banks, requests } = world;
  scheduler.note('calm');
  scheduler.meet(noTrouble);
  setClock(world, 0);
  world.calmMs = scheduler.now();
  for (const bank of banks) bank.reform();
  world.workers.hush(false);
  await exhaust(world);
  for (const bank of banks) requests.wake(bank);
  await drain(world);
}

/** Lets time pass until every intent has ended, or nothing is left that could help. */
export async function drain(world: World): Promise<void> {
  await exhaust(world);
  const pauses = [...pausesMs];
  for (let count = 0; count < pauseCountMax && pauses.length > 0; count += 1) {
    if (unfinishedIn(world).length === 0 && (await openDeliveries(world)).length === 0) break;
    world.scheduler.wait((await untilNextDue(world)) ?? pauses.shift() ?? 0);
    await exhaust(world);
  }
  await exhaust(world);
}

/** The time until postponed work is due, a minute at least; undefined where none is due before other work. */
async function untilNextDue({ ledger, scheduler }: World): Promise<number | undefined> {
  const nowMs = scheduler.now();
  const { due } = await ledger.memory.deliveries.due(nowMs + hourMs);
  const [next] = due;
  return next && Math.max(minuteMs, next.dueMs - nowMs);
}

/** The handles of the intents that have not ended. */
export function unfinishedIn({ book }: World): string[] {
  return [...book.intents.values()]
    .filter(({ record }) => !finalStatuses.includes(record.meta.status))
    .map(({ record }) => record.data.handle);
}

/** The deliveries that have not ended. */
export async function openDeliveries({ ledger }: World): Promise<string[]> {
  const { due } = await ledger.memory.deliveries.due(Number.MAX_SAFE_INTEGER);
  return due.map(({ luid }) => luid);
}

/** Lets everything go on that can at this moment. */
async function exhaust(world: World): Promise<void> {
  const { scheduler, workers } = world;
  workers.relayAll();
  workers.sweep();
  workers.expire();
  for (let count = 0; count < turnCountMax; count += 1) {
    checkSoFar(world);
    if (!(await goOn(world))) return;
  }
  throw new Error(toldBy(scheduler, ['It goes on and on.']));
}

/** True when work was left to go on with. */
async function goOn(world: World): Promise<boolean> {
  const { scheduler, workers, banks } = world;
  // What was begun may not have come to a gate yet: what it has read of late needs none.
  await quiet();
  if (scheduler.waitingCount() > 0) await scheduler.turn();
  else if (banks.some((bank) => bank.hearLate())) return true;
  else if (banks.some(({ owed }) => owed.length > 0)) hearOne(world);
  else if (workers.eventCount() > 0) workers.deliver();
  else if (await workers.isRelayWanted()) await workers.relay();
  else if (scheduler.timerCount() > 0) await scheduler.tick();
  else return false;
  return true;
}

/** Stops at the first thing that does not hold. */
function checkSoFar({ book, banks, workers, requests, scheduler }: World): void {
  const faults = [
    ...book.faults,
    ...banks.flatMap((bank) => bank.faults),
    ...workers.complaints,
    ...requests.faults,
  ];
  if (faults.length > 0) throw new Error(toldBy(scheduler, faults));
}

/** The findings, with the last lines before them. */
export function toldBy({ log }: Scheduler, wrong: readonly string[]): string {
  return [...wrong, ...log.slice(-logLength)].join('\n');
}
