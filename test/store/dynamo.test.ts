/** The store in DynamoDB keeps the contract. */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { tableClient } from '../../shared/store/client.ts';
import { dynamoGroupCommit } from '../../shared/store/store.ts';
import { describePorts } from '../contract/ports.ts';
import { type Database, startDatabase } from '../fixture/database.ts';

const tableName = 'contract';
let database: Database;
let client: DynamoDBDocumentClient;

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  client = tableClient({ endpoint: database.endpoint });
});

afterAll(() => database.stop());

describePorts('DynamoDB', () => ({ client, tableName }));
describePorts('DynamoDB with group commit', () => {
  const options = { client, tableName };
  return { ...options, groupCommit: dynamoGroupCommit(options) };
});
