/** Notes of audits in DynamoDB: the last one counts, and an audit is not disturbed by its own note. Decision 121. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NotedAudit } from '../../shared/port/audits.ts';
import { tableClient } from '../../shared/store/client.ts';
import { dynamoAudits } from '../../shared/store/store.ts';
import { type Database, startDatabase } from '../fixture/database.ts';

const tableName = 'audits';
const noted: NotedAudit = {
  ...{ startMs: Date.UTC(2026, 2, 1), findings: 0, isPartial: false },
  ...{ records: 7, proofs: 21, semver: '1.2.3' },
};
let database: Database;
let client: ReturnType<typeof tableClient>;

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  client = tableClient({ endpoint: database.endpoint });
});
afterAll(async () => {
  client.destroy();
  await database.stop();
});

test('the last audit of a ledger is the one that began last, whoever ends first', async () => {
  const audits = dynamoAudits({ client, tableName });
  expect(await audits.last('main')).toBeUndefined();
  expect(await audits.note('main', noted)).toBe(true);
  expect(await audits.last('main')).toEqual(noted);
  const later = { ...noted, startMs: noted.startMs + 1, findings: 2, isPartial: true };
  expect(await audits.note('main', later)).toBe(true);
  expect(await audits.note('main', noted)).toBe(false);
  expect(await audits.last('main')).toEqual(later);
  expect(await audits.last('other')).toBeUndefined();
});
