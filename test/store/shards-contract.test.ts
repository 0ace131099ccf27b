/** The store in DynamoDB keeps the contract where each balance has shards from the first. Decision 125. */
import { afterAll, beforeAll } from 'vitest';
import type { Store } from '../../shared/port/ports.ts';
import { tableClient } from '../../shared/store/client.ts';
import { dynamoStore } from '../../shared/store/store.ts';
import { describeFencing } from '../contract/fence.ts';
import { describeLimits } from '../contract/limit.ts';
import { describeStore } from '../contract/store.ts';
import { describeWatching } from '../contract/watch.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { withoutShards } from '../fixture/shards.ts';

const tableName = 'shards';
let database: Database;
let store: Store;

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  const client = tableClient({ endpoint: database.endpoint });
  store = withoutShards(dynamoStore({ client, tableName, shards: { first: 4 } }));
});

afterAll(() => database.stop());

describeStore('DynamoDB, with shards', () => store);
describeLimits('DynamoDB, with shards', () => store);
describeWatching('DynamoDB, with shards', () => store);
describeFencing('DynamoDB, with shards', () => store);
