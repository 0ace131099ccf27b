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
import { auditedIn, type Ground, startGround } from './audited.ts';
import { wrongIn } from './ending.ts';
import { scenario } from './scenario.ts';
import { simulate, toldBy } from './simulation.ts';

const runCount = Number(process.env['SIMULATION_RUNS'] ?? 40);
const seed = process.env['SIMULATION_SEED'];
const path = process.env['SIMULATION_PATH'];
/** How long all runs may take; what is found until then is made smaller until then. */
const msMax = 60_000 + runCount * 1_000;

let ground: Ground;
beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

test(
  'whatever happens, the ledger and the banks agree in the end',
  async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (one) => {
        let wrong: string[] = [];
        const world = await simulate(one, async (ended) => {
          wrong = await wrongIn(ended);
        });
        if (wrong.length > 0) throw new Error(toldBy(world.scheduler, wrong));
        if (one.isAudited) expect(await auditedIn(ground, world)).toEqual([]);
      }),
      {
        numRuns: runCount,
        interruptAfterTimeLimit: msMax,
        ...(seed !== undefined && { seed: Number(seed) }),
        ...(path !== undefined && { path }),
      },
    );
  },
  2 * msMax,
);

/** Some scenarios that are always the same. */
const samples = fc.sample(scenario, { numRuns: 14, seed: 20 });

test('a scenario goes the same way each time', async () => {
  for (const one of samples.slice(0, 4)) {
    const [first, again] = [await simulate(one), await simulate(one)];
    expect(again.scheduler.log).toEqual(first.scheduler.log);
  }
});

test('the scenarios come by what they are about', async () => {
  const seen = new Set<string>();
  for (const one of samples) {
    const { book, ledger, scheduler } = await simulate(one);
    for (const [handle, course] of book.courses) {
      const intent = book.intents.get(handle);
      const where = intent && bridgedIn(intent).length > 0 ? 'at a bank' : 'in the ledger';
      seen.add(`${course.at(-1)} ${where}`);
      if (intent?.together) seen.add('a thread');
      if (course.includes('processing') && course.includes('failed')) seen.add('a failure');
    }
    for (const line of scheduler.log) {
      if (line.endsWith(' ends')) seen.add('an end in the middle');
      if (line.endsWith('fails after')) seen.add('a lost answer');
      if (line.includes(' lies: ')) seen.add('a lie');
    }
    if (ledger.written.length > 100) seen.add('much that was written');
  }
  expect([...seen].sort()).toEqual([
    'a failure',
    'a lie',
    'a lost answer',
    'a thread',
    'an end in the middle',
    'completed at a bank',
    'completed in the ledger',
    'much that was written',
    'rejected at a bank',
    'rejected in the ledger',
  ]);
});
