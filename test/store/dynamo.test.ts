/** The store in DynamoDB keeps the contract. */
import { afterAll, beforeAll } from 'vitest';
import type { Deliveries } from '../../shared/action/deliveries.ts';
import type { Outbox } from '../../shared/action/outbox.ts';
import type { Store } from '../../shared/action/ports.ts';
import { tableClient } from '../../shared/store/client.ts';
import { dynamoDeliveries, dynamoOutbox, dynamoStore } from '../../shared/store/store.ts';
import { describeDeliveries } from '../contract/deliveries.ts';
import { describeOutbox } from '../contract/outbox.ts';
import { describeStore } from '../contract/store.ts';
import { type Database, startDatabase } from '../fixture/database.ts';

const tableName = 'contract';
let database: Database;
let store: Store;
let outbox: Outbox;
let deliveries: Deliveries;

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  const options = { client: tableClient({ endpoint: database.endpoint }), tableName };
  store = dynamoStore(options);
  outbox = dynamoOutbox(options);
  deliveries = dynamoDeliveries(options);
});

afterAll(() => database.stop());

describeStore('DynamoDB', () => store);
describeOutbox('DynamoDB', () => ({ store, outbox }));
describeDeliveries('DynamoDB', () => ({ store, deliveries }));
