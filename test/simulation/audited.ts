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
export async function auditedIn(context: Ground, world: World): Promise<string[]> {
  const { client } = context;
  const tableName = await context.newTable();
  const table = { client, tableName };
  const ports = {
    store: dynamoStore(table),
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
      if (!isAlike(own, answer))
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

/** Of several obstacles the one that is told first may be another one. */
function isAlike(own: unknown, other: unknown): boolean {
  return isDeepStrictEqual(own, other);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? '';
}
