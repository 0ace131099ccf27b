/**
 * Goal: the file of a report that the ledger has produced is the one that it signed, in a table and in an archive.
 * Method: a report is produced, its parts are changed and removed, and the audit names it. Decision 25.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Services } from '../../shared/port/action.ts';
import { produceDue } from '../../shared/report/produce.ts';
import { assetKeyOf, headKeyOf } from '../../shared/store/keys.ts';
import { unpack } from '../../shared/store/pack.ts';
import { dynamoBooks, dynamoReports } from '../../shared/store/store.ts';
import { auditedFile, newFolder, saved } from '../fixture/archived.ts';
import {
  type Ground,
  main,
  momentNow,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';
import { closed } from '../fixture/tampered.ts';

const hourMs = 3_600_000;
const folder = newFolder();
let ground: Ground;
let original: World;
let report: LedgerRecord;

beforeAll(async () => {
  ground = await startGround();
  original = await ground.newWorld();
  const { make, settle, item } = original;
  await make(create('symbol'), { handle: 'usd', factor: 100 });
  await make(create('wallet'), { handle: 'alice' });
  await settle('one', { action: 'issue', target: 'alice', symbol: 'usd', amount: 8 });
  const [start_timestamp, end_timestamp] = [Date.now() - hourMs, Date.now()].map((ms) =>
    new Date(ms).toISOString(),
  );
  const custom = { start_timestamp, end_timestamp };
  report = await make(create('report'), { handle: 'day', schema: 'trans_details_rep', custom });
  await produce(original);
  expect(unpack(await item(headKeyOf(main, 'report', 'day'))).record.meta.status).toBe('completed');
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});

/** Does all work on reports. */
async function produce({ services, tableName }: World): Promise<void> {
  const at = { client: ground.client, tableName };
  const [reports, books] = [dynamoReports(at), dynamoBooks(at)];
  const clock = () => Date.now() + hourMs;
  const later = { ...services, reports, books, clock } as Services;
  const fail = (error: unknown) => {
    throw error;
  };
  const ports = { services: later, latenessMs: 0, hasTime: () => true, report: fail };
  while (await produceDue(ports));
}

const csv = () => assetKeyOf(main, report.luid, 'csv', 0);
const said = (found: string) =>
  `: The asset trans_details.csv of the report is not the one that the ledger signed. Expected `.concat(
    found,
  );

test('the files of a report that the ledger has produced are those that it signed', async () => {
  const world = await ground.copyOf(original);
  for (const options of [{}, { ledger: main }, { isLive: true }])
    expect(await world.audited(options)).toEqual([]);
  const before = await world.item(csv());
  await world.alter(csv(), { text: `${String(before['text'])} ` });
  for (const options of [{}, { ledger: main }, { isLive: true }]) {
    const lines = await world.audited(options);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(
      `Invariant 3 · ledger main · report day · ${report.luid}${said('')}`,
    );
  }
  for (const text of [8n, null, undefined]) {
    await world.put({ ...before, text });
    expect((await world.audited()).join()).toContain(`found nothing at '${csv().pk} ${csv().sk}'.`);
  }
  await world.remove(csv());
  expect((await world.audited({ isLive: true })).join()).toContain(`found nothing at '${csv().pk}`);
});

test('a report that ends meanwhile may lose its files', async () => {
  const world = await ground.copyOf(original);
  const words = { moment: momentNow(), status: 'dropped' };
  await world.call(drop('report'), signed({ parent: report.hash }, world.key, words), 'day');
  await produce(world);
  await expect(world.item(csv())).rejects.toThrow('There is nothing');
  for (const options of [{}, { isLive: true }]) expect(await world.audited(options)).toEqual([]);
});

test('an archive has the files that the ledger signed', async () => {
  const path = await saved(ground.client, original.tableName, folder.path('reported'));
  expect(await auditedFile(path)).toEqual([]);
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -2);
  const at = lines.findIndex((line) => line.includes('"what":"asset"') && line.includes('"csv"'));
  const line = JSON.parse(lines[at] ?? '') as { text: string };
  const changed = JSON.stringify({ ...line, text: `${line.text} ` });
  for (const others of [lines.with(at, changed), lines.toSpliced(at, 1)]) {
    writeFileSync(path, closed(others));
    expect((await auditedFile(path)).join()).toContain(said(''));
  }
});
