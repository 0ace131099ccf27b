/**
 * Goal: whatever is asked in whatever order, however the banks behave and whatever ends in the middle, nothing is
 * lost, nothing happens twice, and every intent ends once, alike in the ledger and at the banks. Method: random
 * scenarios in one process, in an order that follows from a seed; after each commit a bookkeeper looks at all
 * balances and statuses, and some of the runs are written to a table and audited. A failure prints its seed:
 * `SIMULATION_SEED` and `SIMULATION_PATH` run it again, `SIMULATION_LOG` shows how many of its last lines, and
 * `SIMULATION_RUNS` says how many runs there are.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bridgedIn } from '../../shared/ledger/intent.ts';
import type { LedgerRecord, Version } from '../../shared/ledger/record.ts';
import { auditedIn, type Ground, startGround } from './audited.ts';
import { wrongIn } from './ending.ts';
import { type Scenario, scenario } from './scenario.ts';
import { simulate, toldBy, type World } from './simulation.ts';

const runCount = Number(process.env['SIMULATION_RUNS'] ?? 40);
const seed = process.env['SIMULATION_SEED'];
const path = process.env['SIMULATION_PATH'];
/** How long all runs may take, and for how long a failure is made smaller, in milliseconds. */
const msMax = 120_000 + runCount * 2_000;
const shrinkMsMax = 60_000;

let ground: Ground;
beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

/** Runs a scenario and says what is wrong in the end. */
async function wrongAfter(one: Scenario): Promise<string[]> {
  let wrong: string[] = [];
  const world = await simulate(one, async (ended) => {
    wrong = await wrongIn(ended);
  });
  if (wrong.length > 0) throw new Error(toldBy(world.scheduler, wrong));
  return one.isAudited ? auditedIn(ground, world) : [];
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
    await fc.assert(holds, {
      numRuns: runCount,
      ...(seed !== undefined && { seed: Number(seed) }),
      ...(path !== undefined && { path }),
    });
  },
  msMax,
);

/** Some scenarios that are always the same. */
const samples = fc.sample(scenario, { numRuns: 14, seed: 4 });

test('a scenario goes the same way each time', async () => {
  for (const one of samples.slice(0, 4)) {
    const [first, again] = [await simulate(one), await simulate(one)];
    expect(again.scheduler.log).toEqual(first.scheduler.log);
  }
});

/** Whether an intent is one of those that are hard to end. */
function sizesOf({ data, meta }: LedgerRecord, where: string): string[] {
  const isLarge = JSON.stringify(data).length > 100_000;
  const isCrowded = meta.proofs.length > 400;
  return [...(isLarge ? [`large ${where}`] : []), ...(isCrowded ? [`a crowd ${where}`] : [])];
}

/** What a scenario came by. */
function seenIn({ book, scheduler, requests }: World): string[] {
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
    ];
  });
  return [
    ...courses,
    ...(log.some((line) => line.endsWith(' ends')) ? ['an end in the middle'] : []),
    ...(log.some((line) => line.endsWith(' fails after')) ? ['a lost answer'] : []),
    ...(log.some((line) => line.includes(' lies: ')) ? ['a lie'] : []),
    ...(requests.full.some((line) => line.includes('at most 500 proofs')) ? ['no place'] : []),
    ...(requests.full.some((line) => line.includes('bytes')) ? ['no room'] : []),
  ];
}

test('the scenarios come by what they are about', async () => {
  const seen = new Set<string>();
  for (const one of samples) for (const what of seenIn(await simulate(one))) seen.add(what);
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'a crowd at a bank',
      'a failure',
      'a lie',
      'a lost answer',
      'a thread',
      'an end in the middle',
      'completed at a bank',
      'completed in the ledger',
      'large at a bank',
      'large in a thread',
      'no place',
      'no room',
      'rejected at a bank',
      'rejected in the ledger',
    ]),
  );
});
