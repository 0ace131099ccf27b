/** Goal: the scheduled reporter produces a report, and the ledger serves its assets. */
import { expect, test } from 'vitest';
import type { Item } from '../fixture/client.ts';
import { unique } from '../fixture/client.ts';
import { pause, until } from '../fixture/receiver.ts';
import { newLedger, owner, patienceMs, target } from './target.ts';

test('a report of transactions has a line for each claim of its interval', async () => {
  const ledger = await newLedger();
  const startMs = Date.now() - 60_000;
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
  for (const handle of ['alice', 'bob']) await ledger.make('wallets', { handle }, owner);
  const issued = await ledger.settle(owner, 'issue alice 12345 usd');
  const moved = await ledger.settle(owner, 'transfer alice bob 45 usd');
  // The clocks of this machine and of the target may differ a little.
  const end = new Date(Math.max(Date.now(), Date.parse(String(moved.meta.moment)) + 1));
  const custom = {
    start_timestamp: new Date(startMs).toISOString(),
    end_timestamp: end.toISOString(),
  };
  const data = { handle: unique('details'), schema: 'trans_details_rep', custom };
  let report: Item = await ledger.make('reports', data, owner);
  const isOver = async () => {
    await pause(200);
    report = (await ledger.get(`/reports/${report.luid}`)).body;
    return ['completed', 'rejected'].includes(report.meta.status);
  };
  await until(() => `the report is ${report.meta.status}`, isOver, patienceMs);
  expect(report.meta.status).toBe('completed');
  const said = report.meta.proofs.find(({ custom: word }) => word?.['status'] === 'completed');
  const { assets = [] } = (said?.custom ?? {}) as { assets?: readonly { handle: string }[] };
  const headers = { 'x-ledger': String(ledger.ledger) };
  const path = `/reports/${report.luid}/assets/${assets[0]?.handle}`;
  const response = await fetch(`${target.url}${path}`, { headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
  ]);
  const lines = (await response.text()).trim().split(/\r?\n/);
  const [header = '', ...rows] = lines;
  expect(header).toMatch(/^completed,intent,luid,hash,status,schema,claim,action/);
  expect(rows.map((row) => row.split(',')[2]).sort()).toEqual([issued.luid, moved.luid].sort());
});
