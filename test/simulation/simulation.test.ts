/**
 * Goal: whatever is asked in whatever order, however the banks behave, whatever ends in the middle, however dear the
 * patterns are that somebody lays down and however the clock is set, nothing is lost, nothing happens twice, everybody is
 * told, nobody is held up by others, and every intent ends once, alike in the ledger and at the banks. Method: random
 * scenarios in one process, in an order that follows from a seed; after each commit a bookkeeper looks at all
 * balances and statuses, and some of the runs are written to a table and audited. A failure prints its seed and its path:
 * `SIMULATION_SEED` and `SIMULATION_PATH` run it again, and nothing else. `SIMULATION_LOG` shows how many of its last lines,
 * and `SIMULATION_RUNS` says how many runs there are.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bridgedIn } from '../../shared/ledger/intent.ts';
import type { LedgerRecord, Version } from '../../shared/ledger/record.ts';
import type { Json } from '../fixture/client.ts';
import { hostileKinds } from '../fixture/hostile.ts';
import { auditedIn, type Ground, startGround } from './audited.ts';
import { wrongIn } from './ending.ts';
import { hostileName } from './ledger.ts';
import { type Scenario, scenario } from './scenario.ts';
import { simulate, startMs, toldBy, type World } from './simulation.ts';

const seed = process.env['SIMULATION_SEED'];
const path = process.env['SIMULATION_PATH'];
const runCount = Number(process.env['SIMULATION_RUNS'] ?? (path === undefined ? 40 : 1));
/** The time for all runs, and for shrinking a failure, in milliseconds. */
const msMax = 120_000 + runCount * 5_000;
const shrinkMsMax = 60_000;
const dayMs = 24 * 3_600_000;

let ground: Ground;
beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

/** Runs a scenario and says what is wrong in the end. */
async function wrongAfter(one: Scenario): Promise<string[]> {
  let wrong: string[] = [];
  const world = await simulate(one, async (ended) => {
    wrong = await wrongIn(ended, one);
  });
  if (wrong.length > 0) throw new Error(toldBy(world.scheduler, wrong));
  return one.isAudited ? auditedIn(ground, world, one) : [];
}

test(
  'whatever happens, the ledger and the banks agree in the end',
  async () => {
    let failedMs = Number.POSITIVE_INFINITY;
    const holds = fc.asyncProperty(scenario, async (one) => {
      if (Date.now() - failedMs > shrinkMsMax) return;
      try {
        expect(await wrongAfter(one)).toEqual([]);
      } catch (error) {
        failedMs = Math.min(failedMs, Date.now());
        throw error;
      }
    });
    const said = { numRuns: runCount, ...(seed !== undefined && { seed: Number(seed) }) };
    if (path === undefined) return fc.assert(holds, said);
    for (const one of scenariosAt(path, said)) expect(await wrongAfter(one)).toEqual([]);
  },
  msMax,
);

/** The scenarios from a path on. A check of fast-check would run all that follow one that was shrunk. */
function scenariosAt(from: string, said: { readonly numRuns: number; readonly seed?: number }) {
  return fc.sample(scenario, { ...said, path: from });
}

test('the path of a failure that was shrunk leads to that scenario alone', () => {
  const isShort = fc.property(scenario, (one) => JSON.stringify(one).length < 2_000);
  const { counterexample, counterexamplePath } = fc.check(isShort, { seed: 4 });
  expect(counterexamplePath).toContain(':');
  const found = scenariosAt(counterexamplePath ?? '', { seed: 4, numRuns: 1 });
  expect(found).toEqual(counterexample);
});

/** Some scenarios that are always the same: of the first ones of a seed those that come by most, each thing twice. */
const chosen = [4, 6, 10, 12, 48, 49, 55, 59, 68, 69, 97, 101];
const samples = fc
  .sample(scenario, { numRuns: 107, seed: 4 })
  .filter((_, index) => chosen.includes(index));

test('a scenario goes the same way each time', { timeout: msMax }, async () => {
  for (const one of samples.slice(0, 4)) {
    const [first, again] = [await simulate(one), await simulate(one)];
    expect(again.scheduler.log).toEqual(first.scheduler.log);
  }
});

/** True for an intent that is hard to end. */
function sizesOf({ data, meta }: LedgerRecord, where: string): string[] {
  const isLarge = JSON.stringify(data).length > 100_000;
  const isCrowded = meta.proofs.length > 400;
  return [...(isLarge ? [`large ${where}`] : []), ...(isCrowded ? [`a crowd ${where}`] : [])];
}

/** True for an intent that a wrong clock made, or that was given up for patterns that cost too much. */
function oddIn({ data, meta }: LedgerRecord, calmMs: number): string[] {
  const madeMs = Date.parse(meta.moment);
  const isGivenUp = meta.proofs.some(({ custom }) => custom?.['reason'] === 'core.routing-failed');
  const isHostile = JSON.stringify(data['claims']).includes(`"${hostileName}"`);
  return [
    ...(madeMs > calmMs + dayMs ? ['made while the clock was ahead'] : []),
    ...(madeMs < startMs ? ['made while the clock was behind'] : []),
    ...(isGivenUp && isHostile ? ['routes that nobody can judge'] : []),
  ];
}

/** The everyday things that became of an intent. */
function everydayIn({ record }: Version): string[] {
  const { meta, data } = record;
  const { config, custom } = data as { readonly config?: Json; readonly custom?: Json };
  const isCompleted = meta.status === 'completed';
  const words = new Set(meta.proofs.map(({ custom: said }) => said?.['status']));
  const isPart = meta.proofs.some(({ custom: said }) => said?.['captured'] !== undefined);
  const isUndoing = isCompleted && data['reverses'] !== undefined;
  return [
    ...(isPart ? ['a capture'] : []),
    ...(isUndoing ? ['a reversal'] : []),
    ...(isUndoing && words.has('processing') ? ['a reversal at a bank'] : []),
    ...(words.has('reinstated') ? ['a reversal that was given up'] : []),
    ...(isCompleted && config?.['notBefore'] !== undefined ? ['a payment for later'] : []),
    ...(custom?.['batch'] !== undefined ? ['an atomic batch'] : []),
    ...(words.has('extended') ? ['more time'] : []),
    ...(meta.proofs.some(isOfFreeze) ? ['a frozen wallet'] : []),
  ];
}

/** True where the ledger says that a wallet neither pays nor receives. */
function isOfFreeze({ origin, custom }: LedgerRecord['meta']['proofs'][number]): boolean {
  return origin === undefined && /-inactive$/.test(String(custom?.['reason']));
}

/** Counts the outcomes of hostile requests. */
function hostileIn({ book, requests, scheduler }: World): string[] {
  const { taken, refused } = requests.hostile;
  return [
    ...[...taken].map((kind) => `a dear ${kind}`),
    ...[...refused].map((kind) => `a hopeless ${kind}`),
    ...([...book.courses.keys()].some((handle) => handle.startsWith('s-')) ? ['a theft'] : []),
    ...(scheduler.log.some((line) => line.includes('look at the wallets')) ? ['a list'] : []),
  ];
}

/** The situations that a scenario met. */
function seenIn(world: World): string[] {
  const { book, scheduler, requests, calmMs } = world;
  const { log } = scheduler;
  const courses = [...book.courses].flatMap(([handle, course]) => {
    const { together, ...intent } = book.intents.get(handle) as Version;
    const where = bridgedIn(intent).length > 0 ? 'at a bank' : 'in the ledger';
    const hasFailed = course.includes('processing') && course.includes('failed');
    return [
      `${course.at(-1)} ${where}`,
      ...(together ? ['a thread'] : []),
      ...(hasFailed ? ['a failure'] : []),
      ...sizesOf(intent.record, together ? 'in a thread' : where),
      ...oddIn(intent.record, calmMs),
      ...everydayIn(intent),
    ];
  });
  return [
    ...courses,
    ...hostileIn(world),
    ...(log.some((line) => line.endsWith(' ends')) ? ['an end in the middle'] : []),
    ...(log.some((line) => line.endsWith(' fails after')) ? ['a lost answer'] : []),
    ...(log.some((line) => line.includes(' lies: ')) ? ['a lie'] : []),
    ...(requests.full.some((line) => line.includes('at most 500 proofs')) ? ['no place'] : []),
    ...(requests.full.some((line) => line.includes('bytes')) ? ['no room'] : []),
  ];
}

test('the scenarios come by what they are about', { timeout: msMax }, async () => {
  const seen = new Set<string>();
  for (const one of samples) for (const what of seenIn(await simulate(one))) seen.add(what);
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'a capture',
      'a crowd at a bank',
      ...hostileKinds.flatMap((kind) => [`a dear ${kind}`, `a hopeless ${kind}`]),
      'a failure',
      'a frozen wallet',
      'a lie',
      'a list',
      'a lost answer',
      'a payment for later',
      'a reversal',
      'a reversal at a bank',
      'a reversal that was given up',
      'a theft',
      'a thread',
      'an atomic batch',
      'an end in the middle',
      'completed at a bank',
      'completed in the ledger',
      'large at a bank',
      'large in a thread',
      'made while the clock was ahead',
      'made while the clock was behind',
      'more time',
      'no place',
      'no room',
      'rejected at a bank',
      'rejected in the ledger',
      'routes that nobody can judge',
    ]),
  );
});
