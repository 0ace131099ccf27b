/**
 * What a simulation wrote, written to a table, which has to answer as the memory did; and what the audit says of the
 * table, in the middle of the trouble and in the end.
 */
import { isDeepStrictEqual } from 'node:util';
import { audit } from '../../shared/audit/audit.ts';
import { newReport } from '../../shared/audit/run.ts';
import { tableSource } from '../../shared/audit/table.ts';
import { lineOfViolation } from '../../shared/audit/violation.ts';
import { tableClient } from '../../shared/store/client.ts';
import {
  dynamoBooks,
  dynamoCatalog,
  dynamoDeliveries,
  dynamoOutbox,
  dynamoStore,
} from '../../shared/store/store.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import type { Written } from './ledger.ts';
import type { Scenario } from './scenario.ts';
import type { World } from './simulation.ts';

/** A database in which each run has a table of its own. */
export interface Ground {
  readonly database: Database;
  readonly client: ReturnType<typeof tableClient>;
  readonly newTable: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

export async function startGround(): Promise<Ground> {
  const database = await startDatabase();
  const client = tableClient({ endpoint: database.endpoint });
  let tableCount = 0;
  return {
    database,
    client,
    newTable: async () => {
      tableCount += 1;
      const tableName = `simulated-${tableCount}`;
      await database.createTable(tableName);
      return tableName;
    },
    stop: async () => {
      client.destroy();
      await database.stop();
    },
  };
}

/** The violations in the table that a simulation would have left behind. */
export async function auditedIn(
  context: Ground,
  world: World,
  { seed }: Pick<Scenario, 'seed'>,
): Promise<string[]> {
  const { client } = context;
  const tableName = await context.newTable();
  const table = { client, tableName };
  // The balances of every other table have shards, which nobody sees from outside. Decision 125.
  const isDivided = seed % 2 === 0;
  const ports = {
    store: dynamoStore({ ...table, shards: { first: isDivided ? 4 : 1 } }),
    deliveries: dynamoDeliveries(table),
    outbox: dynamoOutbox(table),
    catalog: dynamoCatalog(table),
    books: dynamoBooks(table),
  };
  const nowMs = world.scheduler.now;
  const audited = async (when: string): Promise<string[]> => {
    const found: string[] = [];
    const source = tableSource(client, tableName);
    for await (const one of audit(source, { isLive: false, nowMs }, newReport()))
      found.push(`${when}: ${lineOfViolation(one)}`);
    return found;
  };
  const write = async (some: readonly Written[]): Promise<string[]> => {
    const wrong: string[] = [];
    for (const { port, method, values, answer } of some) {
      const does = ports[port][method as keyof (typeof ports)[typeof port]] as (
        ...all: readonly unknown[]
      ) => Promise<unknown>;
      const own = await does(...values);
      // Shards that have too little are told before anything is sent, and so before all other conflicts.
      const isAlike = isDivided && areConflicts(own) && areConflicts(answer);
      if (!isAlike && !isDeepStrictEqual(own, answer))
        wrong.push(`${port}.${method}: ${textOf(own)} in the table, ${textOf(answer)} in memory`);
    }
    return wrong;
  };
  const { written } = world.ledger;
  return [
    ...(await write(written.slice(0, world.writtenAtCalm))),
    ...(await audited('in the middle')),
    ...(await write(written.slice(world.writtenAtCalm))),
    ...(await audited('in the end')),
  ];
}

function areConflicts(answer: unknown): boolean {
  return Array.isArray(answer) && answer.length > 0;
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? '';
}
