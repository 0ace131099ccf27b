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
import { auditedIn, type Ground, startGround } from './audited.ts';
import { wrongIn } from './ending.ts';
import { scenario } from './scenario.ts';
import { simulate, toldBy } from './simulation.ts';

const runCount = Number(process.env['SIMULATION_RUNS'] ?? 60);
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
