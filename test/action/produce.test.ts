/**
 * Goal: a report is produced whole, whatever happens on the way: it stops, it is done twice, it is dropped
 * or it cannot be. Decision 25.
 */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readAsset } from '../../shared/action/assets.ts';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { drop } from '../../shared/action/drop.ts';
import { prove } from '../../shared/action/prove.ts';
import { read } from '../../shared/action/read.ts';
import { updateOwnLedger } from '../../shared/action/update.ts';
import { luidMaker } from '../../shared/crypto/luid.ts';
import { begin } from '../../shared/intent/begin.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Document, Services } from '../../shared/port/action.ts';
import type { ReportStore } from '../../shared/port/reports.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import { type ProducePorts, produceDue } from '../../shared/report/produce.ts';
import {
  claimOf,
  farewell,
  type Item,
  type Json,
  newKey,
  proofOf,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';

const hourMs = 3_600_000;

/** A ledger with a wallet, a symbol, and what produces reports in it an hour from now. */
async function office() {
  const desk = await openDesk();
  await desk.make('wallet', { handle: 'alice' });
  await desk.make('symbol', { handle: 'usd', factor: 100 });
  const errors: unknown[] = [];
  const time = { nowMs: Date.now() + hourMs };
  const clock = () => time.nowMs;
  const portsWith = (trouble: Partial<ReportStore> = {}): ProducePorts => {
    const reports = { ...desk.services.reports, ...trouble };
    const services: Services = { ...desk.services, reports, clock };
    return {
      services,
      latenessMs: 0,
      hasTime: () => true,
      report: (error) => void errors.push(error),
    };
  };
  return { desk, errors, portsWith, time, run: (ports = portsWith()) => toEnd(ports) };
}

/** Goes on until nothing is due. */
async function toEnd(ports: ProducePorts): Promise<void> {
  for (let count = 0; count < 1_000; count += 1) if (!(await produceDue(ports))) return;
  throw new Error('It does not end.');
}

async function settled({ run, key }: Desk, data: Json = {}): Promise<LedgerRecord> {
  const body = { handle: unique('intent'), claims: [claimOf('issue alice 5 usd')], ...data };
  return run(createIntent, { body: signed(body, key) });
}

async function reported({ make }: Desk): Promise<LedgerRecord> {
  const custom = {
    start_timestamp: new Date(Date.now() - hourMs).toISOString(),
    end_timestamp: new Date(Date.now() + 1).toISOString(),
  };
  const report = await make('report', { handle: unique('r'), schema: 'trans_details_rep', custom });
  // The interval is over when the next intent is made.
  await new Promise((resolve) => setTimeout(resolve, 2));
  return report;
}

const readBack = ({ run }: Desk, { luid }: LedgerRecord) =>
  run(read('report'), { path: { id: luid } });

async function asset({ services }: Desk, id: string, name: string, query = {}): Promise<Document> {
  const ledger = await services.identityOf('main');
  if (!ledger) throw new Error('There is no ledger.');
  const path = { id, asset: name };
  const work = newWork(services);
  const { document } = await readAsset.run({
    services,
    ledger,
    path,
    query,
    body: undefined,
    work,
  });
  if (!document) throw new Error('There is no asset.');
  return document;
}

async function textOf(desk: Desk, { luid }: LedgerRecord, kind: 'csv' | 'json'): Promise<string> {
  return (await asset(desk, luid, `trans_details.${kind}`)).text;
}

const wordOf = ({ meta }: LedgerRecord) => meta.proofs.at(-1)?.custom;

test('many intents take several steps, and each is there once, in order', async () => {
  const { desk, run, errors } = await office();
  const luids: string[] = [];
  for (let index = 0; index < 850; index += 1) luids.push((await settled(desk)).luid);
  const report = await reported(desk);
  await run();
  const rows = (await textOf(desk, report, 'csv')).split('\r\n').slice(1, -1);
  expect(rows.map((row) => row.split(',')[2])).toEqual(luids);
  const objects = JSON.parse(await textOf(desk, report, 'json')) as { luid: string }[];
  expect(objects.map(({ luid }) => luid)).toEqual(luids);
  const word = wordOf(await readBack(desk, report));
  expect(word).toMatchObject({ status: 'completed', intents: 850 });
  expect(word?.['assets']).toMatchObject([{ chunks: 3 }, { chunks: 3 }, { chunks: 1 }]);
  expect(errors).toEqual([]);
  expect(await desk.services.reports.due(Date.now() + hourMs, 10)).toEqual([]);
});

test('intents that were signed for later are told of the interval in which they were completed', async () => {
  const { desk, run } = await office();
  const { services } = desk;
  const dayMs = 24 * hourMs;
  const clock = () => Date.now() - 100 * dayMs;
  const notBefore = new Date(Date.now() - 1_000).toISOString();
  const later: LedgerRecord[] = [];
  for (let index = 0; index < 410; index += 1) {
    const data = { handle: unique('later'), claims: [claimOf('issue alice 5 usd')] };
    const body = signed({ ...data, config: { notBefore } }, desk.key);
    later.push(await desk.run(createIntent, { services: { ...services, clock }, body }));
  }
  const ledger = await services.identityOf('main');
  if (!ledger) throw new Error('There is no ledger.');
  for (const { luid, data } of later)
    await begin(services, ledger, { scope: 'main', luid, handle: data.handle });
  const own = (await settled(desk)).luid;
  const report = await reported(desk);
  await run();
  const rows = (await textOf(desk, report, 'csv')).split('\r\n').slice(1, -1);
  const luids = rows.map((row) => row.split(',')[2]);
  expect(luids).toEqual([...later.map(({ luid }) => luid), own]);
});

test('an intent that waited is told of the interval in which it was completed, however long ago it came', async () => {
  const { desk, run } = await office();
  const { key, services } = desk;
  const other = newKey();
  const access = [
    { action: 'read', record: 'any' },
    { action: 'any', record: 'any', signer: { public: key.public } },
    { action: 'create', record: 'intent', signer: { public: other.public } },
  ];
  const configure = async (minutes: number) => {
    const want = { what: 'record', scope: '', kind: 'ledger', handle: 'main' } as const;
    const [home] = await services.store.load([want]);
    const config = { 'intent.expiryThresholdMinutes': minutes };
    const body = revision(home?.record as unknown as Item, { access, config }, key);
    await desk.run(updateOwnLedger, { body });
  };
  await configure(120);
  const clock = () => Date.now() - 1.5 * hourMs;
  const early = { ...services, clock, luids: luidMaker() };
  const data = { handle: unique('intent'), claims: [claimOf('issue alice 5 usd')] };
  const { luid, hash } = await desk.run(createIntent, {
    services: early,
    body: signed(data, other),
  });
  const body = proofOf(hash, key, {});
  const { meta } = await desk.run(prove('intent'), { path: { id: data.handle }, body });
  expect(meta.status).toBe('completed');
  await configure(1);
  const report = await reported(desk);
  await run();
  const rows = (await textOf(desk, report, 'csv')).split('\r\n').slice(1, -1);
  expect(rows.map((row) => row.split(',')[2])).toEqual([luid]);
});

test('an intent whose bridge reports late is told of the interval in which it was completed', async () => {
  const { desk, run } = await office();
  const { key, services, make } = desk;
  await make('bridge', { handle: 'bank', config: { server: 'https://bank.example' } });
  await make('wallet', { handle: 'till', bridge: 'bank' });
  await settled(desk);
  const clock = () => Date.now() - 72 * hourMs;
  const early = { ...services, clock, luids: luidMaker() };
  const pay = async (config: object) => {
    const handle = unique('intent');
    const data = { handle, claims: [claimOf('transfer till alice 5 usd')], ...config };
    const intent = await desk.run(createIntent, { services: early, body: signed(data, key) });
    const entry = intent.meta.proofs.find(({ custom }) => custom?.['bridge'] === 'bank')?.custom;
    const report = (status: string, own: Services) => {
      const body = proofOf(intent.hash, key, { handle: String(entry?.['handle']), status });
      return desk.run(prove('intent'), { services: own, path: { id: handle }, body });
    };
    expect((await report('prepared', early)).meta.status).toBe('committed');
    expect((await report('committed', services)).meta.status).toBe('completed');
    return intent.luid;
  };
  const expiry = new Date(Date.now() - 71 * hourMs).toISOString();
  const luids = [await pay({}), await pay({ config: { expiry } })];
  const report = await reported(desk);
  await run();
  const rows = (await textOf(desk, report, 'csv')).split('\r\n').slice(1, -1);
  // Each once, also that with times of its own, by which it is found, too.
  expect(
    rows
      .map((row) => row.split(',')[2])
      .filter((one) => luids.includes(String(one)))
      .sort(),
  ).toEqual(luids.sort());
});

describe('a step that is done again', () => {
  test('after it stopped anywhere leaves the same report', async () => {
    const { desk, portsWith, run, time, errors } = await office();
    for (let index = 0; index < 450; index += 1) await settled(desk);
    const [plain, troubled] = [await reported(desk), await reported(desk)];
    const { reports } = desk.services;
    const counts = new Map<string, number>();
    /** Stops before some of the calls, and after others. */
    const stumble = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      if ([1, 4].includes(count)) throw new Error('The process stopped.');
      const result = await work();
      if ([2, 6].includes(count)) throw new Error('The process stopped.');
      return result;
    };
    const trouble: Partial<ReportStore> = {
      put: (...all) => stumble('put', () => reports.put(...all)),
      save: (...all) => stumble('save', () => reports.save(...all)),
      chunks: (...all) => stumble('chunks', () => reports.chunks(...all)),
      intents: (stretch) => stumble('intents', () => reports.intents(stretch)),
    };
    for (let round = 0; round < 40; round += 1) {
      await toEnd(portsWith(trouble));
      time.nowMs += hourMs;
    }
    await run();
    expect(errors.length).toBeGreaterThan(3);
    for (const report of [plain, troubled])
      expect((await readBack(desk, report)).meta.status).toBe('completed');
    expect(await textOf(desk, troubled, 'csv')).toBe(await textOf(desk, plain, 'csv'));
    expect(await textOf(desk, troubled, 'json')).toBe(await textOf(desk, plain, 'json'));
    expect((await textOf(desk, plain, 'csv')).split('\r\n')).toHaveLength(452);
  });

  test('by two workers at the same time leaves one report', async () => {
    const { desk, portsWith } = await office();
    for (let index = 0; index < 450; index += 1) await settled(desk);
    const report = await reported(desk);
    await Promise.all([toEnd(portsWith()), toEnd(portsWith()), toEnd(portsWith())]);
    expect((await textOf(desk, report, 'csv')).split('\r\n')).toHaveLength(452);
    const { meta } = await readBack(desk, report);
    expect(meta.proofs.map(({ custom }) => custom?.['status'])).toEqual([
      'created',
      'created',
      'pending',
      'completed',
    ]);
  });
});

test('a report that fails again and again is given up, and says nothing of the inside', async () => {
  const { desk, portsWith, time, errors } = await office();
  const report = await reported(desk);
  const intents = () => Promise.reject(new Error('10.0.0.1 refused the connection'));
  for (let round = 0; round < 12; round += 1) {
    await toEnd(portsWith({ intents }));
    time.nowMs += hourMs;
  }
  const record = await readBack(desk, report);
  expect(wordOf(record)).toMatchObject({
    status: 'rejected',
    reason: 'report.production-failed',
    detail: 'The ledger could not produce the report.',
  });
  expect(JSON.stringify(record)).not.toContain('10.0.0.1');
  expect(errors).toHaveLength(10);
  expect(await desk.services.reports.due(time.nowMs, 10)).toEqual([]);
});

test('a report that ends while it is produced leaves nothing behind', async () => {
  const { desk, portsWith, run } = await office();
  for (let index = 0; index < 450; index += 1) await settled(desk);
  const report = await reported(desk);
  const { luid } = report;
  expect(await produceDue(portsWith())).toBe(true);
  const part = { scope: 'main', luid, asset: 'csv' };
  expect(await desk.services.reports.chunks(part, 0, 1)).toHaveLength(1);
  const { run: act, key } = desk;
  const item = { luid, hash: report.hash } as Item;
  await act(drop('report'), { path: { id: luid }, body: farewell(item, key) });
  await run();
  await expect(desk.services.reports.chunks(part, 0, 1)).rejects.toThrow('is there');
  expect(await desk.services.reports.due(Date.now() + hourMs, 10)).toEqual([]);
});

test('a report that grows too large is given up', async () => {
  const { desk, portsWith, time, run } = await office();
  const report = await reported(desk);
  const { reports } = desk.services;
  const [work] = await reports.due(time.nowMs, 1);
  if (!work) throw new Error('There is work.');
  const csv = { chunks: 4_000, bytes: 1_000_000_000 };
  await reports.save({ ...work, progress: { ...work.progress, csv }, version: 2 }, work);
  await run(portsWith());
  const record = await readBack(desk, report);
  expect(wordOf(record)).toMatchObject({ status: 'rejected', reason: 'report.too-large' });
  await expect(asset(desk, report.luid, 'trans_details.csv')).rejects.toThrow('Asset not found');
});

test('reports take turns: a small one does not wait for a large one', async () => {
  const { desk, portsWith } = await office();
  for (let index = 0; index < 450; index += 1) await settled(desk);
  const large = await reported(desk);
  const other = await desk.make('report', {
    handle: unique('small'),
    schema: 'trans_details_rep',
    custom: { start_timestamp: '2020-01-01T00:00:00Z', end_timestamp: '2020-01-02T00:00:00Z' },
  });
  await produceDue(portsWith());
  expect((await readBack(desk, other)).meta.status).toBe('completed');
  expect((await readBack(desk, large)).meta.status).toBe('pending');
});

test('there is no step without time', async () => {
  const { desk, portsWith } = await office();
  const report = await reported(desk);
  expect(await produceDue({ ...portsWith(), hasTime: () => false })).toBe(false);
  expect((await readBack(desk, report)).meta.status).toBe('created');
});

test('what was on its way at the end of an interval is waited for', async () => {
  const { desk, portsWith, time } = await office();
  const report = await reported(desk);
  const ports = { ...portsWith(), latenessMs: 2 * hourMs };
  expect(await produceDue(ports)).toBe(false);
  time.nowMs += 2 * hourMs;
  await toEnd(ports);
  expect((await readBack(desk, report)).meta.status).toBe('completed');
});

test('the balances of a domain tell nothing of an earlier wallet of a handle, which lay elsewhere', async () => {
  const { desk, run } = await office();
  const { key, make } = desk;
  const pause = () => new Promise((resolve) => setTimeout(resolve, 3));
  const mark = async () => {
    await pause();
    const moment = new Date().toISOString();
    await pause();
    return moment;
  };
  const makeIn = (kind: 'wallet' | 'report', domain: string, data: Json) => {
    const custom = { moment: new Date().toISOString(), status: 'created', domain };
    return desk.run(create(kind), { body: signed({ handle: unique(kind), ...data }, key, custom) });
  };
  const pay = (claim: string) => settled(desk, { claims: [claimOf(claim)] });
  for (const handle of ['north', 'south']) await make('domain', { handle });
  const begin = await mark();
  const earlier = await makeIn('wallet', 'north', { handle: 'vault' });
  await pay('issue vault 1000 usd');
  const between = await mark();
  await pay('destroy vault 1000 usd');
  const body = farewell(earlier as unknown as Item, key);
  await desk.run(drop('wallet'), { path: { id: earlier.luid }, body });
  await makeIn('wallet', 'south', { handle: 'vault' });
  const unpaid = await mark();
  await pay('issue vault 7 usd');
  await pay('destroy vault 2 usd');
  const paid = await mark();
  const intervals = [
    [begin, between],
    [between, unpaid],
    [begin, paid],
    [unpaid, paid],
    [paid, await mark()],
  ];
  const reports: LedgerRecord[] = [];
  for (const [start_timestamp, end_timestamp] of intervals) {
    const custom = { start_timestamp, end_timestamp };
    reports.push(await makeIn('report', 'south', { schema: 'trans_details_rep', custom }));
  }
  await run();
  const rows = reports.map(async ({ luid }) => {
    const { text } = await asset(desk, luid, 'trans_details_balances.csv');
    return text.split('\r\n').slice(1, -1);
  });
  expect(await Promise.all(rows)).toEqual([
    [],
    [],
    ['wallet,vault,usd,0,2,7,5,0.00,0.05'],
    ['wallet,vault,usd,0,2,7,5,0.00,0.05'],
    ['wallet,vault,usd,5,0,0,5,0.05,0.05'],
  ]);
});

test('a large asset is served in parts, and never as if one part were all', async () => {
  const { desk, run } = await office();
  const note = 'ü'.repeat(100_000);
  for (let index = 0; index < 26; index += 1) await settled(desk, { custom: { index, note } });
  const report = await reported(desk);
  await run();
  const name = 'trans_details.json';
  const refusal = await asset(desk, report.luid, name).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    reason: 'api.query-malformed',
    custom: { parameter: 'page.index', parts: 2 },
  });
  const parts = await Promise.all(
    ['0', '1'].map((index) => asset(desk, report.luid, name, { 'page.index': [index] })),
  );
  expect(parts.map(({ headers }) => headers?.['link'])).toEqual([
    '<?page.index=1>; rel="next"',
    undefined,
  ]);
  const whole = parts.map(({ text }) => text).join('');
  expect((JSON.parse(whole) as { custom: { note: string } }[])[25]?.custom.note).toBe(note);
  for (const { text } of parts) expect(Buffer.byteLength(text)).toBeLessThan(5_500_000);
  const assets = wordOf(await readBack(desk, report))?.['assets'] as { handle: string }[];
  expect(assets.find(({ handle }) => handle === name)).toMatchObject({
    bytes: Buffer.byteLength(whole),
    hash: createHash('sha256').update(whole).digest('hex'),
  });
  await expect(asset(desk, report.luid, name, { 'page.index': ['2'] })).rejects.toThrow(
    'Asset not found',
  );
});
