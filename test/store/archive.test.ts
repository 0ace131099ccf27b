/**
 * Goal: an archive of a ledger is the ledger. Method: ledgers that the actions made, and those that simulations left
 * behind in the middle of trouble, are exported, audited as files, imported and exported again.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { auditedFile, auditedTable, loaded, newFolder, saved } from '../fixture/archived.ts';
import { type Ground, startGround } from '../fixture/audited.ts';

let ground: Ground;
const folder = newFolder();

beforeAll(async () => {
  ground = await startGround();
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});

const issue = (target: string, amount: number) => ({
  action: 'issue',
  target,
  symbol: 'usd',
  amount,
});

test('a ledger is exported, and imported where there is none', async () => {
  const world = await ground.newWorld();
  await world.make(create('wallet'), { handle: 'alice' });
  await world.make(create('symbol'), { handle: 'usd', factor: 100 });
  expect((await world.settle('first', issue('alice', 5))).meta.status).toBe('completed');
  const path = await saved(ground.client, world.tableName, folder.path('first'));
  console.log(readFileSync(path, 'utf8').slice(0, 6000));
  expect(await auditedFile(path)).toEqual([]);
  const tableName = 'imported-1';
  await ground.database.createTable(tableName);
  console.log(await loaded(ground.client, tableName, path));
  expect(await auditedTable(ground.client, tableName)).toEqual([]);
  const again = await saved(ground.client, tableName, folder.path('again'));
  expect(readFileSync(again, 'utf8')).toBe(readFileSync(path, 'utf8'));
});
