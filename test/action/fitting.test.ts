/** Goal: rules are found in the reads that are made anyway; who has none pays for none. Rulings 65 and 66. */
import { expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import { claimOf, proofOf, signed, unique } from '../fixture/client.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';

/** A ledger with money in it, and what was asked of its store since the last look. */
async function openCounted(): Promise<{ desk: Desk; asked: () => string[] }> {
  let calls: string[] = [];
  const desk = await openDesk((store) => ({
    load: (wants) => {
      calls.push('load');
      return store.load(wants);
    },
    indexed: (...rest) => {
      calls.push('indexed');
      return store.indexed(...rest);
    },
    commit: (commit) => {
      calls.push('commit');
      return store.commit(commit);
    },
  }));
  await desk.make('symbol', { handle: 'usd', factor: 100 });
  for (const handle of ['alice', 'bob']) await desk.make('wallet', { handle });
  const asked = () => {
    const before = calls;
    calls = [];
    return before;
  };
  const issue = { handle: 'issue', claims: ['issue alice 90 usd', 'issue bob 9 usd'].map(claimOf) };
  await desk.run(createIntent, { body: signed(issue, desk.key) });
  asked();
  return { desk, asked };
}
const transfer = (desk: Desk, more: object = {}) => {
  const data = { handle: unique('intent'), claims: [claimOf('transfer alice bob 1 usd')], ...more };
  return desk.run(createIntent, { body: signed(data, desk.key) });
};
const schemaFor = (record: string, more: object = {}) => ({
  handle: `${record}-schema`,
  record,
  format: 'json-schema',
  schema: { required: ['claims'] },
  ...more,
});

test('a transfer is one read and one transaction, with a schema as without', async () => {
  const { desk, asked } = await openCounted();
  expect((await transfer(desk)).meta.status).toBe('completed');
  expect(asked()).toEqual(['load', 'commit']);
  await desk.make('schema', schemaFor('intent'));
  asked();
  expect((await transfer(desk, { schema: 'intent-schema' })).meta.status).toBe('completed');
  expect(asked()).toEqual(['load', 'commit']);
});

test('each further schema that is extended is one more read', async () => {
  const { desk, asked } = await openCounted();
  await desk.make('schema', schemaFor('intent'));
  await desk.make('schema', schemaFor('intent', { handle: 'closer', extend: 'intent-schema' }));
  asked();
  await transfer(desk, { schema: 'closer' });
  expect(asked()).toEqual(['load', 'load', 'commit']);
});

test('schemas and policies for other kinds cost nothing', async () => {
  const { desk, asked } = await openCounted();
  const symbol = { schema: 'status', record: 'symbol', values: [] };
  await desk.make('schema', schemaFor('symbol'));
  await desk.make('policy', { handle: 'p', ...symbol });
  asked();
  const wallet = await desk.run(create('wallet'), {
    body: signed({ handle: 'carol', schema: 'any' }, desk.key),
  });
  expect(asked()).toEqual(['load', 'commit']);
  await proving(desk, wallet, { status: 'active' });
  // The record, whether there are rules, and who signed.
  expect(asked()).toEqual(['load', 'load', 'load', 'commit']);
});

test('a policy is looked for only where a proof asks for something', async () => {
  const { desk, asked } = await openCounted();
  await desk.make('policy', { handle: 'p', schema: 'status', record: 'wallet', values: [{}] });
  const wallet = await desk.make('wallet', { handle: 'carol' });
  asked();
  await proving(desk, wallet, { remark: 'nothing' });
  expect(asked()).toEqual(['load', 'load', 'load', 'commit']);
  const { meta } = await proving(desk, wallet, { status: 'active' });
  expect(meta.status).toBe('active');
  expect(asked().filter((call) => call === 'indexed')).toHaveLength(1);
});

function proving(desk: Desk, { hash, data }: LedgerRecord, custom: object): Promise<LedgerRecord> {
  const body = proofOf(hash, desk.key, { ...custom });
  return desk.run(prove('wallet'), { body, path: { id: data.handle } });
}
