/**
 * Goal: the statement of a wallet has each entry of its interval once, between the balance before and the balance after,
 * as CSV, JSON and PDF; and nobody gets one of a wallet that they may not read. Ruling 84.
 */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { readAsset } from '../../shared/action/assets.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { drop } from '../../shared/action/drop.ts';
import { read } from '../../shared/action/read.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Document, Services } from '../../shared/port/action.ts';
import type { ReportStore } from '../../shared/port/reports.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import { type ProducePorts, produceDue } from '../../shared/report/produce.ts';
import { claimOf, farewell, type Item, type Json, signed, unique } from '../fixture/client.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';

const hourMs = 3_600_000;
const pause = () => new Promise((resolve) => setTimeout(resolve, 3));
const now = () => new Date().toISOString();

async function office() {
  const desk = await openDesk();
  for (const handle of ['alice', 'bob']) await desk.make('wallet', { handle });
  await desk.make('symbol', { handle: 'usd', factor: 100 });
  const errors: unknown[] = [];
  const portsWith = (trouble: Partial<ReportStore> = {}): ProducePorts => {
    const reports = { ...desk.services.reports, ...trouble };
    const services: Services = { ...desk.services, reports, clock: () => Date.now() + hourMs };
    const report = (error: unknown) => void errors.push(error);
    return { services, latenessMs: 0, hasTime: () => true, report };
  };
  const produce = async (ports = portsWith()) => {
    for (let count = 0; count < 100; count += 1) if (!(await produceDue(ports))) return;
    throw new Error('It does not end.');
  };
  return { desk, errors, portsWith, produce };
}

async function pay({ run, key }: Desk, ...claims: string[]): Promise<LedgerRecord> {
  const data = { handle: unique('intent'), claims: claims.map(claimOf) };
  const intent = await run(createIntent, { body: signed(data, key) });
  await pause();
  return intent;
}

async function reported({ make }: Desk, from: string, to: string, more: Json = {}) {
  const custom = {
    wallet: 'alice',
    symbol: 'usd',
    start_timestamp: from,
    end_timestamp: to,
    ...more,
  };
  return make('report', { handle: unique('r'), schema: 'wallet_statement_rep', custom });
}

async function asset({ services }: Desk, { luid }: LedgerRecord, kind: string): Promise<Document> {
  const ledger = await services.identityOf('main');
  if (!ledger) throw new Error('There is no ledger.');
  const path = { id: luid, asset: `wallet_statement.${kind}` };
  const call = { services, ledger, path, query: {}, body: undefined, work: newWork(services) };
  const { document } = await readAsset.run(call);
  if (!document) throw new Error('There is no asset.');
  return document;
}

const wordOf = async ({ run }: Desk, { luid }: LedgerRecord) =>
  (await run(read('report'), { path: { id: luid } })).meta.proofs.at(-1)?.custom as Json;

test('a statement has the entries of its interval, between its balances', async () => {
  const { desk, produce, errors } = await office();
  await pay(desk, 'issue alice 100000 usd');
  const from = now();
  await pause();
  const first = await pay(desk, 'transfer alice bob 1230 usd');
  const second = await pay(desk, 'transfer bob alice 30 usd');
  await pay(desk, 'transfer alice bob 999999999 usd');
  const to = now();
  await pause();
  await pay(desk, 'issue alice 1 usd');
  const letterhead = ['Győr–Bank 東京 \u0000', 'Main Street 1'];
  const report = await reported(desk, from, to, { letterhead });
  await produce();
  expect(errors).toEqual([]);

  const csv = await asset(desk, report, 'csv');
  const rows = csv.text.split('\r\n').map((row) => row.split(','));
  const momentOf = ({ meta }: LedgerRecord) =>
    meta.proofs.find(({ custom }) => custom?.['status'] === 'committed')?.custom?.['moment'];
  const by = (of: LedgerRecord) => [momentOf(of), of.data.handle, of.luid, 'bob', 'alice', 'usd'];
  expect(rows).toEqual([
    'type,moment,intent,luid,counterparty,wallet,symbol,amount,decimal_amount,balance,decimal_balance'.split(
      ',',
    ),
    ['opening', from, '', '', '', 'alice', 'usd', '', '', '100000', '1000.00'],
    ['debit', ...by(first), '-1230', '-12.30', '98770', '987.70'],
    ['credit', ...by(second), '30', '0.30', '98800', '988.00'],
    ['closing', to, '', '', '', 'alice', 'usd', '', '', '98800', '988.00'],
    [''],
  ]);

  const json = await asset(desk, report, 'json');
  const { entries, ...frame } = JSON.parse(json.text) as Json & { entries: Json[] };
  expect(frame).toEqual({
    ...{ wallet: 'alice', symbol: 'usd', factor: 100, start: from, end: to },
    ...{ opening: 100000, closing: 98800 },
  });
  expect(entries[0]).toEqual({
    ...{ type: 'debit', moment: momentOf(first), intent: first.data.handle, luid: first.luid },
    ...{ counterparty: 'bob', inputs: [0], amount: -1230, decimalAmount: '-12.30' },
    ...{ balance: 98770, decimalBalance: '987.70' },
  });

  const pdf = await asset(desk, report, 'pdf');
  const bytes = Buffer.from(pdf.text, 'base64');
  expect([pdf.type, pdf.isBase64, bytes.subarray(0, 5).toString()]).toEqual([
    'application/pdf',
    true,
    '%PDF-',
  ]);
  const contents = [Buffer.from(csv.text), Buffer.from(json.text), bytes];
  expect(await wordOf(desk, report)).toMatchObject({
    status: 'completed',
    entries: 2,
    assets: contents.map((content, index) => ({
      handle: `wallet_statement.${['csv', 'json', 'pdf'][index]}`,
      bytes: content.length,
      hash: createHash('sha256').update(content).digest('hex'),
    })),
  });
});

test('many entries take several steps, and a step that is repeated changes nothing', async () => {
  const { desk, portsWith, produce } = await office();
  const from = now();
  const claims = Array.from({ length: 40 }, () => 'issue alice 1 usd');
  for (let count = 0; count < 30; count += 1) await pay(desk, ...claims);
  const report = await reported(desk, from, now());
  let saves = 0;
  const save: ReportStore['save'] = async (next, previous) => {
    saves += 1;
    // The first step is lost after its texts were stored.
    return saves === 1 ? true : desk.services.reports.save(next, previous);
  };
  await produce(portsWith({ save }));
  const { text } = await asset(desk, report, 'csv');
  const rows = text.split('\r\n').slice(1, -1);
  expect(rows.map((row) => row.split(',').at(-2))).toEqual([
    '0',
    ...Array.from({ length: 1_200 }, (_, index) => String(index + 1)),
    '1200',
  ]);
  const { entries } = JSON.parse((await asset(desk, report, 'json')).text) as { entries: Json[] };
  expect(entries).toHaveLength(1_200);
  expect(saves).toBeGreaterThan(1);
});

test('an interval without entries has two equal balances', async () => {
  const { desk, produce } = await office();
  await pay(desk, 'issue alice 5 usd');
  const from = now();
  await pause();
  const report = await reported(desk, from, now());
  await produce();
  const json = JSON.parse((await asset(desk, report, 'json')).text) as Json;
  expect(json).toMatchObject({ opening: 5, entries: [], closing: 5 });
  expect((await asset(desk, report, 'csv')).text.split('\r\n')).toHaveLength(4);
});

test.each(['wallet', 'symbol'])('a %s that is not there is refused', async (name) => {
  const { desk } = await office();
  const from = now();
  await pause();
  await expect(reported(desk, from, now(), { [name]: 'nobody' })).rejects.toMatchObject({
    reason: 'record.relation-not-found',
  });
});

test('a wallet that ended, or whose handle has another wallet by now, has none', async () => {
  const { desk, produce } = await office();
  const { key, run, make } = desk;
  const from = now();
  await pay(desk, 'issue alice 5 usd');
  const between = now();
  await pause();
  await pay(desk, 'transfer alice bob 5 usd');
  const reports = [await reported(desk, from, now())];
  const end = async (of: LedgerRecord) =>
    run(drop('wallet'), { path: { id: of.luid }, body: farewell(of as unknown as Item, key) });
  const { record } = (
    await desk.services.store.load([
      { what: 'record', scope: 'main', kind: 'wallet', handle: 'alice' },
    ])
  )[0] as { record: LedgerRecord };
  await end(record);
  await produce();
  expect(await wordOf(desk, reports[0] as LedgerRecord)).toMatchObject({
    status: 'rejected',
    reason: 'report.wallet-gone',
  });
  await make('wallet', { handle: 'alice' });
  const later = [await reported(desk, from, now()), await reported(desk, from, between)];
  await produce();
  for (const one of later) {
    const json = JSON.parse((await asset(desk, one, 'json')).text) as Json;
    expect(json).toMatchObject({ opening: 0, entries: [], closing: 0 });
    expect((await asset(desk, one, 'csv')).text.split('\r\n')).toHaveLength(4);
  }
});
