/** The store in DynamoDB keeps the contract. */
import { afterAll, beforeAll } from 'vitest';
import type { Store } from '../../shared/action/ports.ts';
import { tableClient } from '../../shared/store/client.ts';
import { dynamoStore } from '../../shared/store/store.ts';
import { describeStore } from '../contract/store.ts';
import { type Database, startDatabase } from '../fixture/database.ts';

const tableName = 'contract';
let database: Database;
let store: Store;

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  store = dynamoStore({ client: tableClient({ endpoint: database.endpoint }), tableName });
});

afterAll(() => database.stop());

describeStore('DynamoDB', () => store);
