import { expect, test } from 'vitest';
import { emptyBalance, heldIn } from '../../shared/ledger/balance-state.ts';

test('a cell holds what is available and what is reserved', () => {
  expect(heldIn({ available: -5n, reserved: 7n })).toBe(2n);
  expect(heldIn({ available: 3n })).toBe(3n);
  expect(heldIn(emptyBalance)).toBe(0n);
});
