/**
 * Goal: whatever state a ledger is in, its archive is that ledger. Method: what random simulations wrote, with banks,
 * crashes, calls under way and signals that wait, is written to a table up to any point, exported, audited as a file,
 * imported into another table and exported again; each break of an export or an import is gone on from.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  dynamoBooks,
  dynamoCatalog,
  dynamoDeliveries,
  dynamoOutbox,
  dynamoStore,
} from '../../shared/store/store.ts';
import { auditedFile, auditedTable, loaded, newFolder, saved } from '../fixture/archived.ts';
import { type Ground, startGround } from '../simulation/audited.ts';
import { type Scenario, scenario } from '../simulation/scenario.ts';
import { simulate } from '../simulation/simulation.ts';

const runCount = Number(process.env['ARCHIVE_RUNS'] ?? 8);
const folder = newFolder();
let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});

/** A table with what a simulation wrote, as far as a share of it. */
async function tableOf(one: Scenario, share: number): Promise<string> {
  const world = await simulate(one);
  const tableName = await ground.newTable();
  const table = { client: ground.client, tableName };
  const ports = {
    store: dynamoStore(table),
    deliveries: dynamoDeliveries(table),
    outbox: dynamoOutbox(table),
    catalog: dynamoCatalog(table),
    books: dynamoBooks(table),
  };
  const { written } = world.ledger;
  const first = written.findIndex(({ method }) => method === 'commit') + 1;
  for (const { port, method, values } of written.slice(
    0,
    first + Math.floor(share * (written.length - first)),
  )) {
    const does = ports[port][method as keyof (typeof ports)[typeof port]] as (
      ...all: readonly unknown[]
    ) => Promise<unknown>;
    await does(...values);
  }
  return tableName;
}

let count = 0;
const fresh = (name: string) => folder.path(`${name}-${++count}`);

test(
  'what was exported, audited and imported is the same ledger',
  async () => {
    const holds = fc.asyncProperty(
      scenario,
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (one, share) => {
        const from = await tableOf(one, share);
        const path = await saved(ground.client, from, fresh('simulated'));
        expect(await auditedFile(path)).toEqual(await auditedTable(ground.client, from));
        const to = await ground.newTable();
        await loaded(ground.client, to, path);
        expect(await auditedTable(ground.client, to)).toEqual([]);
        const again = await saved(ground.client, to, fresh('again'));
        expect(readFileSync(again, 'utf8')).toBe(readFileSync(path, 'utf8'));
      },
    );
    await fc.assert(holds, { numRuns: runCount, endOnFailure: true });
  },
  60_000 + runCount * 20_000,
);
