import { expect, test } from 'vitest';
import { LedgerError } from '../../shared/ledger/errors.ts';
import { statusOf } from '../../shared/port/status.ts';

test('a refusal says why, for programs and for people', () => {
  const refusal = new LedgerError('record.not-found', 'Wallet not found', { handle: 'alice' });
  expect(refusal).toBeInstanceOf(Error);
  expect(refusal.name).toBe('LedgerError');
  expect(refusal.message).toBe('record.not-found: Wallet not found');
  expect(refusal.reason).toBe('record.not-found');
  expect(refusal.detail).toBe('Wallet not found');
  expect(refusal.custom).toEqual({ handle: 'alice' });
});

test('a refusal has no custom part and no headers unless they are given', () => {
  const refusal = new LedgerError('auth.forbidden', 'Cannot read wallet.');
  expect(refusal.custom).toBeUndefined();
  expect(refusal.headers).toEqual({});
});

test('a refusal may bring headers of its answer', () => {
  const headers = { 'retry-after': '1' };
  const refusal = new LedgerError('api.rate-limit-exceeded', 'Too many.', undefined, headers);
  expect(refusal.headers).toEqual(headers);
});

test('every refusal costs a client error, and only our own fault a server error', () => {
  const faults = Object.entries(statusOf).filter(([, status]) => status >= 500);
  expect(faults).toEqual([['api.unexpected-error', 500]]);
  expect(Object.values(statusOf).every((status) => status >= 400)).toBe(true);
});
