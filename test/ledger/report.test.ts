import { expect, test } from 'vitest';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import {
  assetsIn,
  intervalOf,
  isFinished,
  isProduced,
  isStored,
  mayBecome,
  statementSubjectOf,
} from '../../shared/ledger/report.ts';

test('a report moves as its kind says, and by nothing else', () => {
  const all = ['created', 'pending', 'completed', 'settled', 'rejected', 'toString'];
  const moves = all.flatMap((from) =>
    all.filter((to) => mayBecome(from, to)).map((to) => `${from} ${to}`),
  );
  expect(moves).toEqual([
    'created pending',
    'created rejected',
    'pending completed',
    'pending rejected',
    'completed settled',
    'rejected pending',
    'rejected completed',
  ]);
});

test('a report has its assets once it was completed', () => {
  const all = ['created', 'pending', 'completed', 'settled', 'rejected'];
  expect(all.filter(isFinished)).toEqual(['completed', 'settled']);
});

test('the ledger produces reports of one schema, of the interval that they name', () => {
  const custom = {
    start_timestamp: '2026-01-01T00:00:00Z',
    end_timestamp: '2026-01-01T00:00:01.500Z',
  };
  const data = { schema: 'trans_details_rep', custom };
  expect([isProduced(data), isProduced({ schema: 'monthly' }), isProduced({})]).toEqual([
    true,
    false,
    false,
  ]);
  const { startMs, endMs } = intervalOf(data);
  expect(endMs - startMs).toBe(1_500);
  expect(intervalOf({ custom: {} })).toEqual({ startMs: Number.NaN, endMs: Number.NaN });
});

test('the statement of a wallet names its subject, and other reports have none', () => {
  const custom = { wallet: 'alice', symbol: 'usd', letterhead: ['Bank', 'Street 1'] };
  expect(statementSubjectOf({ schema: 'wallet_statement_rep', custom })).toEqual(custom);
  const { letterhead: _, ...bare } = custom;
  expect(statementSubjectOf({ schema: 'wallet_statement_rep', custom: bare })).toEqual({
    ...bare,
    letterhead: [],
  });
  expect(statementSubjectOf({ schema: 'trans_details_rep', custom })).toBeUndefined();
  expect(isProduced({ schema: 'wallet_statement_rep' })).toBe(true);
});

test('the assets are those of the last proof that completed it, and the ledger stores those of its own reports', () => {
  const asset = (handle: string, more: object = {}) => ({ handle, output: '', ...more });
  const completed = (...assets: object[]) => ({ custom: { status: 'completed', assets } });
  const reportOf = (status: string, schema: string, ...proofs: object[]) =>
    ({ data: { schema }, meta: { status, proofs } }) as unknown as LedgerRecord;
  const proofs = [completed(asset('a')), completed(asset('b')), { custom: { status: 'settled' } }];
  const own = reportOf('settled', 'trans_details_rep', ...proofs);
  expect(assetsIn(own)).toEqual([asset('b')]);
  expect(assetsIn(reportOf('pending', 'trans_details_rep', ...proofs))).toEqual([]);
  expect(assetsIn(reportOf('completed', 'x', {}, { custom: { status: 'completed' } }))).toEqual([]);
  expect(assetsIn(reportOf('completed', 'x'))).toEqual([]);
  const stored = asset('trans_details.csv', { chunks: 1 });
  expect(isStored(own, stored)).toBe(true);
  expect(isStored(own, asset('trans_details.csv'))).toBe(false);
  expect(isStored(reportOf('settled', 'x', ...proofs), stored)).toBe(false);
});
