/**
 * Goal: `countersign audit` calls nothing in order where there is no ledger, as in a table that was emptied or is another
 * one: it says so, and ends as it does for a ledger that is not there.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeMasterKey } from '../../shared/keyring/local.ts';
import { tableClient } from '../../shared/store/client.ts';
import { newWorld } from '../fixture/audited.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { command } from '../fixture/runtime.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
let database: Database;
beforeAll(async () => {
  database = await startDatabase();
  makeMasterKey(join(folder, 'master.key'));
});
afterAll(async () => {
  await database.stop();
  rmSync(folder, { recursive: true });
});

const audited = (TABLE_NAME: string, words: readonly string[] = []) =>
  command('audit', folder, { words, env: { TABLE_NAME, DYNAMODB_ENDPOINT: database.endpoint } });

test('a table without a ledger is said to be one, whatever is asked of it', async () => {
  await database.createTable('empty');
  const said = `There is no ledger in the table 'empty' at ${database.endpoint}: there is nothing to audit.\n`;
  for (const words of [[], ['--all'], ['--json']])
    expect(await audited('empty', words)).toEqual({ code: 2, said });
});

test('a table with a new ledger is in order, and one of which only items are left is not', async () => {
  await database.createTable('new');
  const client = tableClient({ endpoint: database.endpoint });
  const world = await newWorld(client, 'new', folder);
  expect(await audited('new')).toMatchObject({ code: 0 });
  await database.createTable('left');
  const left = await world.item({ pk: 'main#signer#system', sk: '#' });
  await client.send(new PutCommand({ TableName: 'left', Item: left }));
  expect(await audited('left')).toMatchObject({ code: 1 });
  client.destroy();
});
