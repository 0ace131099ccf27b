import { expect, test } from 'vitest';
import { brokenData } from './broken.ts';

const powers = Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`));

test.each(powers)('the factor %d is a power of ten', (factor) => {
  expect(brokenData('symbol', { handle: 'usd', factor })).toEqual([]);
});

test.each([0, -1, 2, 5, 0.1, 0.5, 99, 101, 1e16, '100', null, true])(
  'the factor %o is none, or too large',
  (factor) => {
    expect(brokenData('symbol', { handle: 'usd', factor })).toEqual([
      ['/data/factor', 'enum', { allowedValues: powers }],
    ]);
  },
);

test('a symbol has a factor', () => {
  expect(brokenData('symbol', { handle: 'usd' })).toEqual([
    ['/data', 'required', { missingProperty: 'factor' }],
  ]);
});
