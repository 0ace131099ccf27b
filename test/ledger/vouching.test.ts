import { expect, test } from 'vitest';
import { isClosed, isVouchedFor } from '../../shared/ledger/vouching.ts';

const of = (status: string) => ({ meta: { status } });

test.each([
  ['active', false, true],
  ['active', true, true],
  ['created', false, false],
  ['created', true, true],
  ['inactive', true, false],
  ['frozen', true, false],
])('a bridge that is %s counts, in an open ledger %s: %s', (status, isOpen, counts) => {
  expect(isVouchedFor(of(status), isOpen)).toBe(counts);
});

test('a bridge that is inactive takes nothing new, and any other does', () => {
  expect(['active', 'created', 'inactive'].map((status) => isClosed(of(status)))).toEqual([
    false,
    false,
    true,
  ]);
});
