import { expect, test } from 'vitest';
import { assert } from '../../shared/ledger/assert.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';

test('what holds passes', () => {
  expect(() => assert(true, 'true is true')).not.toThrow();
  expect(() => assert('text', 'a text is something')).not.toThrow();
});

test.each([false, undefined, null, 0, ''])('%o breaks the assertion', (condition) => {
  expect(() => assert(condition, 'a balance that moves exists')).toThrow(
    'Broken assertion: a balance that moves exists',
  );
});

test('a broken assertion is no refusal', () => {
  expect(() => assert(false, 'x')).not.toThrow(LedgerError);
});
